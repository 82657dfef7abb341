import { Paper, Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DIMENSIONS } from '#contract/traffic/dimension.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import { unknownBy } from '#contract/traffic/report.ts'
import { axisMetric, formatMetric } from '#web/format-metric.ts'
import { kindOfParts } from '#web/features/traffic/report/chart-kind.ts'
import { useKeyLabel } from '#web/features/traffic/report/key-label.ts'
import { amountCurrency, type ReportState } from '#web/features/traffic/report/use-report.ts'
import { ChartSkeleton } from '#web/kit/chart/chart-skeleton.tsx'
import { Chart } from '#web/kit/chart/chart.tsx'
import { timeLabels, type Series } from '#web/kit/chart/series.ts'

const HEIGHT = 168

/** The course of one figure, the first until another is chosen: of everything, or of the largest values of the first grouping that is not time and what they leave. */
export function ReportChart({ report }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const metric = useTranslation('metric')
  const labelOf = useKeyLabel()
  const { address, metrics, series, options } = report
  const { compare } = address
  const [chosen, choose] = useState<MetricId | null>(null)
  const grouping = address.group.find((id) => DIMENSIONS[id].type !== 'time')
  const unknown = unknownBy(address.metrics, grouping === undefined || address.currency === 'each' ? [] : [grouping], [])
  const drawable = metrics.length > 0 ? metrics : address.metrics
  const shown = drawable.find((id) => id === chosen) ?? drawable[0] ?? 'clicks'
  // what the grouping does not know is drawn of everything
  const isWhole = unknown.includes(shown)
  const split = isWhole ? undefined : grouping
  const { data } = series
  const drawn = useMemo(() => {
    if (data === undefined) return undefined
    const pick = (points: Partial<Record<string, (string | number | null)[]>> | null) =>
      (points?.[shown] ?? []).map((value) => (value === null ? null : Number(value)))
    const lines = data.lines.length > 1 && !isWhole ? data.lines.slice(1) : data.lines.slice(0, 1)
    const name = (line: (typeof lines)[number]) => (line.key === null || split === undefined ? metric.t(shown) : labelOf(split, line.key))
    const parts: Series[] = lines.map((line) => ({ id: line.key?.id ?? 'all', name: name(line), values: pick(line.points) }))
    const rest = isWhole ? undefined : data.others?.points[shown]
    if (rest !== undefined) parts.push({ id: 'others', name: t('others'), values: pick({ [shown]: rest }), rest: true })
    const earlier = data.lines[0]?.previous ?? null
    // of parts that stand on each other it is the whole
    if (earlier !== null && (lines.length === 1 || kindOfParts(shown) === 'bars'))
      parts.push({
        id: 'earlier',
        name: t(compare === 'year' || compare === 'custom' ? `compare.${compare}` : 'previous'),
        values: pick(earlier),
        labels: timeLabels(data.previous_steps ?? [], data.zone, data.grain === 'hour').labels,
        earlier: true,
      })
    const currency = amountCurrency(data.currency, options.currency)
    return {
      ...timeLabels(data.steps, data.zone, data.grain === 'hour'),
      series: parts,
      unfinished: data.unfinished,
      format: (value: number) => formatMetric(shown, value, currency),
      axis: (value: number) => axisMetric(shown, value, currency),
    }
    // labelOf and the two t are new with every render; what they read changes only with the language, which redraws the page
    // oxlint-disable-next-line react/exhaustive-deps
  }, [data, shown, isWhole, split, compare, options.currency])

  if (series.error !== null && data === undefined) return null
  if (drawn !== undefined && drawn.labels.length < 2) return null
  const caption = (
    <Select
      size="xs"
      w={160}
      aria-label={t('chartOf')}
      data={drawable.map((id) => ({ value: id as string, label: metric.t(id) }))}
      value={shown}
      onChange={(value) => choose(address.metrics.find((id) => id === value) ?? null)}
      allowDeselect={false}
    />
  )
  return (
    <Paper component="section" withBorder px="md" py={8} opacity={series.isPlaceholderData ? 0.6 : undefined}>
      {drawn === undefined ? (
        <ChartSkeleton caption={caption} height={HEIGHT} />
      ) : (
        <Chart
          kind={split === undefined ? 'line' : kindOfParts(shown)}
          label={t('chartLabel', { metric: metric.t(shown) })}
          caption={caption}
          height={HEIGHT}
          {...drawn}
        />
      )}
    </Paper>
  )
}
