import { Box, Paper, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MetricId } from '#contract/traffic/metric.ts'
import { formatMetric } from '#web/format-metric.ts'
import { amountCurrency } from '#web/features/traffic/report/report-table.tsx'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'
import { Sparkline } from '#web/kit/chart/sparkline.tsx'
import { Change } from '#web/kit/show/figure/change.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Figures } from '#web/kit/show/figure/figures.tsx'

/** The whole result in a strip: each figure, its change against the period before, and its course. Nothing moves when they come. */
export function ReportFigures({ report }: { report: ReportState }) {
  const { t } = useTranslation('metric')
  const { address, run, series } = report
  const summary = run.data?.summary
  return (
    <Paper withBorder px="md" py="sm" opacity={run.isPlaceholderData ? 0.6 : undefined}>
      <Figures width={124}>
        {address.metrics.map((id) => {
          const course = (series.data?.lines[0]?.points[id] ?? []).map((value) => Number(value ?? 0))
          return (
            <Figure key={id} name={t(id)} about={t(`about.${id}`)} value={<Value id={id} report={report} />}>
              {address.compare && <Change of={id} now={summary?.totals[id]} before={summary?.previous?.[id]} />}
              <Box component="dd" mih={24} mt={4}>
                {course.length > 1 && (
                  <Sparkline values={course} label={t(id)} width={110} height={24} unfinished={series.data?.unfinished} />
                )}
              </Box>
            </Figure>
          )
        })}
      </Figures>
    </Paper>
  )
}

function Value({ id, report: { run, options } }: { id: MetricId; report: ReportState }) {
  if (run.data === undefined) return <Skeleton height={18} width={90} />
  const { currency, summary } = run.data
  return formatMetric(id, summary.totals[id], amountCurrency(currency, options.currency))
}
