import { SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { staffDashboard } from '#contract/network/dashboard.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { formatMetric } from '#web/format-metric.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Chart } from '#web/kit/chart/chart.tsx'
import { timeLabels } from '#web/kit/chart/series.ts'

type Series = z.output<typeof staffDashboard>['series']

/** The last thirty days of one figure, of those it can show. */
export function TrendCard({
  series,
  zone,
  metrics,
  currency,
}: {
  series: Series
  zone: string
  metrics: readonly MetricId[]
  currency: Currency
}) {
  const { t } = useTranslation('dashboard')
  const metric = useTranslation('metric')
  const [shown, setShown] = useState<MetricId>(metrics[0] ?? 'clicks')
  const name = metric.t(shown)
  const data = useMemo(
    () => ({
      ...timeLabels(series.steps, zone),
      series: [{ id: shown, name, values: (series.lines[0]?.points[shown] ?? []).map((value) => (value === null ? null : Number(value))) }],
      format: (value: number) => formatMetric(shown, value, currency),
    }),
    [series, zone, shown, name, currency],
  )
  return (
    <Panel
      title={t('trend')}
      actions={
        <SegmentedControl
          size="xs"
          value={shown}
          onChange={(value) => setShown(metrics.find((id) => id === value) ?? shown)}
          data={metrics.map((id) => ({ value: id, label: metric.t(id) }))}
          aria-label={t('trendOf')}
        />
      }
    >
      {data.series.every(({ values }) => values.every((value) => !value)) ? (
        <p className="ohma-soft">{t('nothingYet')}</p>
      ) : (
        <Chart kind="line" label={t('trendLabel', { metric: name })} height={240} unfinished {...data} />
      )}
    </Panel>
  )
}
