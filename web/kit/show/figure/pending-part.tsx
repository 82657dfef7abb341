import { Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { formatMetric, pendingPart, type MetricValue } from '#web/format-metric.ts'

/** `inline`: beside a figure of a table, not in a list of figures. */
type PendingPartProps = { of: MetricId; values: Partial<Record<MetricId, MetricValue>> | undefined; currency: Currency; inline?: boolean }

/** Beneath a figure of money: what pending conversions would add to it. */
export function PendingPart({ of, values, currency, inline = false }: PendingPartProps) {
  const { t } = useTranslation('kit')
  const part = pendingPart(of, values)
  if (part === null) return null
  return (
    <Text component={inline ? 'span' : 'dd'} fz={inline ? 12 : 12.5} c="dimmed" className="ohma-number" title={t('figure.pendingAbout')}>
      {t('figure.pending', { amount: formatMetric(of, part, currency) })}
    </Text>
  )
}
