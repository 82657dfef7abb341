import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { change, formatMetric } from '#web/format-metric.ts'
import { percent } from '#web/format.ts'
import { amountCurrency } from '#web/features/report/report-table.tsx'
import type { ReportState } from '#web/features/report/use-report.ts'
import { Sparkline } from '#web/kit/chart/sparkline.tsx'
import classes from '#web/features/report/report.module.css'

/** The whole result in a strip: each figure, its change against the period before, and its course. */
export function ReportFigures({ report }: { report: ReportState }) {
  const { t } = useTranslation('metric')
  const { address, run, series, options } = report
  if (run.data === undefined) return <Skeleton height={92} />
  const { totals, previous } = run.data.summary
  const definitions = new Map(options.metrics.map(({ id, definition }) => [id, definition]))
  return (
    <dl className={classes.figures} data-stale={run.isPlaceholderData || undefined}>
      {address.metrics.map((id) => {
        const course = (series.data?.lines[0]?.points[id] ?? []).map((value) => Number(value ?? 0))
        const against = previous === null ? null : change(totals[id], previous[id])
        return (
          <div key={id} className={classes.figure}>
            <dt title={definitions.get(id)}>{t(id)}</dt>
            <dd>
              <span className={classes.value}>{formatMetric(id, totals[id], amountCurrency(run.data.currency, options.currency))}</span>
              {against !== null && against.percent !== null && (
                <span className={against.rose ? classes.up : classes.down}>
                  {against.rose ? '+' : '−'}
                  {percent(Math.abs(against.percent).toFixed(2))}
                </span>
              )}
            </dd>
            {course.length > 1 && (
              <dd>
                <Sparkline values={course} label={t(id)} width={110} height={24} />
              </dd>
            )}
          </div>
        )
      })}
    </dl>
  )
}
