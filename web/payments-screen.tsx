import { useTranslation } from '#web/i18n/use-translation.ts'
import { OwnInvoices } from '#web/features/money/invoice/own-invoices.tsx'
import { OwnPayments } from '#web/features/money/invoice/own-payments.tsx'
import { AccountMoney } from '#web/features/money/ledger/account-money.tsx'
import { OwnRequests } from '#web/features/money/invoice/payout/own-requests.tsx'
import { OwnStatements } from '#web/features/money/invoice/payout/own-statements.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'

/** /payments of an affiliate: what it has, its invoices, and what was paid; two features, which is why it stands outside of them. */
export function PaymentsScreen() {
  const { t } = useTranslation('invoice')
  const { t: payout } = useTranslation('request')
  return (
    <>
      <PageHeader title={t('own.title')} />
      <UrlTabs
        name="view"
        label={t('own.title')}
        tabs={[
          { id: 'balance', label: t('own.balance'), content: <OwnBalance /> },
          { id: 'invoices', label: t('own.invoices'), content: <OwnInvoices /> },
          { id: 'payments', label: t('own.payments'), content: <OwnPayments /> },
          { id: 'statements', label: payout('tab.statements'), content: <OwnStatements /> },
        ]}
      />
    </>
  )
}

/** What there is, and the way to be paid it. */
function OwnBalance() {
  return <AccountMoney of={null} request={<OwnRequests />} />
}
