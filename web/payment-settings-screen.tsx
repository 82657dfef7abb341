import { useTranslation } from '#web/i18n/use-translation.ts'
import { CompanySettings } from '#web/features/money/document/company-settings.tsx'
import { SeriesSettings } from '#web/features/money/document/series-settings.tsx'
import { PaymentSettings } from '#web/features/money/payment/payment-settings.tsx'
import { SourceList } from '#web/features/money/payout/source-list.tsx'
import { useCan } from '#web/shell/access.ts'

/** /settings/payments of the network: by what affiliates are paid and when, the company on documents, and where payments leave from. */
export function PaymentSettingsScreen() {
  const { t } = useTranslation('document')
  const { t: payout } = useTranslation('payout')
  const can = useCan()
  return (
    <PaymentSettings
      more={[
        { id: 'company', label: t('company'), content: <CompanySettings /> },
        ...(can('billing.approve') ? [{ id: 'series', label: t('series'), content: <SeriesSettings /> }] : []),
        ...(can('billing.pay') ? [{ id: 'sources', label: payout('sources'), content: <SourceList /> }] : []),
      ]}
    />
  )
}
