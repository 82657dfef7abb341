import { Box, Paper, Skeleton, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import { formatMetric, pendingPart } from '#web/format-metric.ts'
import { useEarlier } from '#web/features/traffic/report/earlier.ts'
import { amountCurrency, type ReportState } from '#web/features/traffic/report/use-report.ts'
import { Sparkline } from '#web/kit/chart/sparkline.tsx'
import { Change } from '#web/kit/show/figure/change.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Figures } from '#web/kit/show/figure/figures.tsx'
import { PendingPart } from '#web/kit/show/figure/pending-part.tsx'

/** The whole result in a strip: each figure, its change against the period before, and its course. Nothing moves when they come. */
export function ReportFigures({ report }: { report: ReportState }) {
  const { t } = useTranslation('metric')
  const { address, metrics, run, series, options } = report
  const summary = run.data?.summary
  const report$ = useTranslation('report')
  const { t: kit } = useTranslation('kit')
  const { days, uneven, earlier } = useEarlier(report)
  const waiting = (id: MetricId) => (address.pending ? null : pendingPart(id, summary?.totals))
  if (metrics.length === 0) return null
  return (
    <Paper withBorder px="md" py={8} opacity={run.isPlaceholderData ? 0.6 : undefined}>
      <Figures width={124}>
        {metrics.map((id) => {
          const course = (series.data?.lines[0]?.points[id] ?? []).map((value) => Number(value ?? 0))
          return (
            <Figure key={id} name={t(id)} about={t(`about.${id}`)} value={<Value id={id} report={report} />}>
              {address.compare !== 'none' && (
                <Change
                  of={id}
                  now={summary?.totals[id]}
                  before={summary?.previous?.[id]}
                  pending={waiting(id)}
                  title={earlier(id, summary?.previous?.[id])}
                />
              )}
              <Box component="dd" mih={18} mt={2}>
                {course.length > 1 && (
                  <Sparkline values={course} label={t(id)} width={110} height={18} unfinished={series.data?.unfinished} />
                )}
              </Box>
              {!address.pending && (
                <PendingPart of={id} values={summary?.totals} currency={amountCurrency(run.data?.currency ?? 'each', options.currency)} />
              )}
            </Figure>
          )
        })}
      </Figures>
      {days !== undefined && (
        <Text fz={12.5} c="dimmed" mt={6}>
          {report$.t('against', { days })}
          {uneven}
          {'. '}
          {kit('figure.grey')}
        </Text>
      )}
    </Paper>
  )
}

function Value({ id, report: { run, options } }: { id: MetricId; report: ReportState }) {
  if (run.data === undefined) return <Skeleton height={18} width={90} />
  const { currency, summary } = run.data
  return formatMetric(id, summary.totals[id], amountCurrency(currency, options.currency))
}
