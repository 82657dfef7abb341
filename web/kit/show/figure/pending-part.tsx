import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { formatMetric, pendingPart, type MetricValue } from '#web/format-metric.ts'

type PendingPartProps = { of: MetricId; values: Partial<Record<MetricId, MetricValue>> | undefined; currency: Currency }

/** Beneath a figure of money: what pending conversions would add to it. */
export function PendingPart({ of, values, currency }: PendingPartProps) {
  const { t } = useTranslation('kit')
  const part = pendingPart(of, values)
  if (part === null) return null
  return (
    <Text component="dd" fz={12.5} c="dimmed" className="ohma-number" title={t('figure.pendingAbout')}>
      {t('figure.pending', { amount: formatMetric(of, part, currency) })}
    </Text>
  )
}
