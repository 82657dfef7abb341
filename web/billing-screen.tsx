import { useTranslation } from 'react-i18next'
import { BillingRules } from '#web/features/money/invoice/billing-rules.tsx'
import { CommissionList } from '#web/features/money/commission/commission-list.tsx'
import { InvoiceList } from '#web/features/money/invoice/invoice-list.tsx'
import { PayoutList } from '#web/features/money/payout/payout-list.tsx'
import { Receivables } from '#web/features/money/receivable/receivables.tsx'
import { ProposalList } from '#web/features/money/invoice/payout/proposal-list.tsx'
import { RequestList } from '#web/features/money/invoice/payout/request-list.tsx'
import { RunList } from '#web/features/money/invoice/payout/run-list.tsx'
import { BooksBanner } from '#web/features/money/ledger/books-banner.tsx'
import { TrialList } from '#web/features/money/ledger/trial-list.tsx'
import { ReferralList } from '#web/features/people/referral/referral-list.tsx'
import { Reconcile } from '#web/features/money/reconciliation/reconcile.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { AddButton } from '#web/shell/add-button.tsx'

/** /billing: invoices of affiliates, payout files, requests, what waits for a second person, runs, referrals, managers’ commission, the trial balance of the ledger, and how invoices are approved. */
export function BillingScreen() {
  const { t } = useTranslation('invoice')
  const { t: payout } = useTranslation('payout')
  const { t: request } = useTranslation('request')
  const { t: commission } = useTranslation('commission')
  const { t: referral } = useTranslation('referral')
  return (
    <>
      <PageHeader title={t('title')} actions={<AddButton to="invoiceCreate" label={t('new')} />} />
      <BooksBanner />
      <UrlTabs
        name="view"
        label={t('title')}
        tabs={[
          { id: 'invoices', label: t('tab.invoices'), content: <InvoiceList /> },
          { id: 'payouts', label: payout('title'), content: <PayoutList /> },
          { id: 'advertisers', label: t('tab.advertisers'), content: <Receivables /> },
          { id: 'requests', label: request('tab.requests'), content: <RequestList /> },
          { id: 'proposals', label: request('tab.proposals'), content: <ProposalList /> },
          { id: 'runs', label: request('tab.runs'), content: <RunList /> },
          { id: 'referrals', label: referral('list.title'), content: <ReferralList /> },
          { id: 'commission', label: commission('title'), content: <CommissionList /> },
          { id: 'reconcile', label: t('tab.reconcile'), content: <Reconcile /> },
          { id: 'ledger', label: t('tab.ledger'), content: <TrialList /> },
          { id: 'rules', label: t('tab.rules'), content: <BillingRules /> },
        ]}
      />
    </>
  )
}
