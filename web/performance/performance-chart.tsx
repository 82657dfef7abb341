import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { ReportSeries } from '#contract/traffic/report.ts'
import { formatMetric } from '#web/format-metric.ts'
import { ChartSkeleton } from '#web/kit/chart/chart-skeleton.tsx'
import { Chart } from '#web/kit/chart/chart.tsx'
import { timeLabels } from '#web/kit/chart/series.ts'

const HEIGHT = 200

type PerformanceChartProps = { series: UseQueryResult<ReportSeries>; metric: MetricId; caption: ReactNode }

/** The course of one figure, the period before it dashed. Without it the figures are still there. */
export function PerformanceChart({ series, metric, caption }: PerformanceChartProps) {
  const { t } = useTranslation('report')
  const { t: name } = useTranslation('metric')
  const { data } = series
  const drawn = useMemo(() => {
    const line = data?.lines[0]
    if (data === undefined || line === undefined) return undefined
    const pick = (values: readonly (string | number | null)[] = []) => values.map((value) => (value === null ? null : Number(value)))
    const currency = data.currency === 'each' ? '' : data.currency
    const { labels } = timeLabels(data.previous_steps ?? [], data.zone, data.grain === 'hour')
    const earlier = line.previous && { id: 'earlier', name: t('previous'), values: pick(line.previous[metric]), labels, earlier: true }
    return {
      ...timeLabels(data.steps, data.zone, data.grain === 'hour'),
      series: [{ id: metric, name: name(metric), values: pick(line.points[metric]) }, ...(earlier === null ? [] : [earlier])],
      unfinished: data.unfinished,
      format: (value: number) => formatMetric(metric, value, currency),
    }
    // the two t are new with every render; what they read changes only with the language, which redraws the page
    // oxlint-disable-next-line react/exhaustive-deps
  }, [data, metric])
  if (series.error !== null && data === undefined) return null
  return (
    <div style={{ minWidth: 0, opacity: series.isPlaceholderData ? 0.6 : undefined }}>
      {drawn === undefined ? (
        <ChartSkeleton caption={caption} height={HEIGHT} />
      ) : (
        <Chart kind="line" label={t('chartLabel', { metric: name(metric) })} caption={caption} height={HEIGHT} {...drawn} />
      )}
    </div>
  )
}
