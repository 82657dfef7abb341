import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MetricId } from '#contract/traffic/metric.ts'
import { change, formatMetric, type MetricValue } from '#web/format-metric.ts'
import { percent } from '#web/format.ts'
import { amountCurrency } from '#web/features/traffic/report/report-table.tsx'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'
import { Sparkline } from '#web/kit/chart/sparkline.tsx'
import classes from '#web/features/traffic/report/report.module.css'

/** The whole result in a strip: each figure, its change against the period before, and its course. Nothing moves when they come. */
export function ReportFigures({ report }: { report: ReportState }) {
  const { t } = useTranslation('metric')
  const { address, run, series } = report
  const summary = run.data?.summary
  return (
    <dl className={classes.figures} data-stale={run.isPlaceholderData || undefined}>
      {address.metrics.map((id) => {
        const course = (series.data?.lines[0]?.points[id] ?? []).map((value) => Number(value ?? 0))
        return (
          <div key={id} className={classes.figure}>
            <dt title={t(`about.${id}`)}>{t(id)}</dt>
            <dd>
              <span className={classes.value}>
                <Figure id={id} report={report} />
              </span>
              {address.compare && (
                <span className={classes.change}>
                  {summary && summary.previous !== null && <Change now={summary.totals[id]} before={summary.previous[id]} />}
                </span>
              )}
            </dd>
            <dd className={classes.course}>
              {course.length > 1 && (
                <Sparkline values={course} label={t(id)} width={110} height={24} unfinished={series.data?.unfinished} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Figure({ id, report: { run, options } }: { id: MetricId; report: ReportState }) {
  if (run.data === undefined) return <Skeleton height={18} width={90} />
  const { currency, summary } = run.data
  return formatMetric(id, summary.totals[id], amountCurrency(currency, options.currency))
}

function Change({ now, before }: { now: MetricValue; before: MetricValue }) {
  const { percent: by, rose } = change(now, before)
  if (by === null) return null
  return (
    <span className={rose ? classes.up : classes.down}>
      {rose ? '+' : '−'}
      {percent(Math.abs(by).toFixed(2))}
    </span>
  )
}
