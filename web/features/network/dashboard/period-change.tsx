import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { Compared } from '#web/features/network/dashboard/periods.ts'
import { formatMetric, pendingPart } from '#web/format-metric.ts'
import { Change } from '#web/kit/show/figure/change.tsx'
import { PendingPart } from '#web/kit/show/figure/pending-part.tsx'

type PeriodChangeProps = { of: Compared; id: MetricId; currency: Currency; inline?: boolean }

/** What stands beneath a figure of a period: its change, where there is something to compare with, and what pending conversions may add. */
export function PeriodChange({ of: { figures, alone }, id, currency, inline = false }: PeriodChangeProps) {
  const { t } = useTranslation('dashboard')
  return (
    <>
      {!alone && (
        <Change
          of={id}
          now={figures.values[id]}
          pending={pendingPart(id, figures.values)}
          before={figures.previous[id]}
          none={t('noComparison')}
          title={t('before', { value: formatMetric(id, figures.previous[id], currency) })}
          inline={inline}
        />
      )}
      <PendingPart of={id} values={figures.values} currency={currency} inline={inline} />
    </>
  )
}
