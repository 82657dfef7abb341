import { useTranslation } from '#web/i18n/use-translation.ts'
import { FromAffiliates } from '#web/features/money/invoice/from-affiliates.tsx'
import { FromConversions } from '#web/features/money/invoice/from-conversions.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'

/** Makes invoices: of a period for all affiliates or some, or of single conversions. */
export function InvoiceCreate() {
  const { t } = useTranslation('invoice')
  return (
    <>
      <PageHeader title={t('createTitle')} />
      <UrlTabs
        label={t('createTitle')}
        tabs={[
          { id: 'affiliates', label: t('from.affiliates'), content: <FromAffiliates /> },
          { id: 'conversions', label: t('from.conversions'), content: <FromConversions /> },
        ]}
      />
    </>
  )
}
