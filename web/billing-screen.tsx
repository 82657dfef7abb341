import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { billingWaitingApi } from '#contract/money/billing.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { BillingRules } from '#web/features/money/invoice/billing-rules.tsx'
import { CommissionList } from '#web/features/money/commission/commission-list.tsx'
import { InvoiceList } from '#web/features/money/invoice/invoice-list.tsx'
import { PayoutCreate } from '#web/features/money/payout/payout-create.tsx'
import { PayoutList } from '#web/features/money/payout/payout-list.tsx'
import { useReceivableTabs } from '#web/features/money/receivable/receivables.tsx'
import { ProposalList } from '#web/features/money/invoice/payout/proposal-list.tsx'
import { RequestList } from '#web/features/money/invoice/payout/request-list.tsx'
import { RunList } from '#web/features/money/invoice/payout/run-list.tsx'
import { BooksBanner } from '#web/features/money/ledger/books-banner.tsx'
import { TrialList } from '#web/features/money/ledger/trial-list.tsx'
import { ReferralList } from '#web/features/people/referral/referral-list.tsx'
import { Reconcile } from '#web/features/money/reconciliation/reconcile.tsx'
import { GroupedTabs, type GroupedTab } from '#web/kit/page/grouped-tabs.tsx'
import { WithHeaderActions } from '#web/kit/page/with-header-actions.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'

/**
 * /billing: what is paid to affiliates, what advertisers pay, their reports held against ours, and the books. The buttons in its header
 * are those of the part that is open.
 */
export function BillingScreen() {
  const { t } = useTranslation('invoice')
  const { t: payout } = useTranslation('payout')
  const { t: request } = useTranslation('request')
  const { t: commission } = useTranslation('commission')
  const { t: referral } = useTranslation('referral')
  const { data: waits } = useQuery(query(billingWaitingApi.waiting, {}, { quiet: true }))
  const advertisers = useReceivableTabs(<RunList side="advertisers" />, {
    balances: waits?.credit ?? 0,
    invoices: waits?.advertiser_invoices ?? 0,
    runs: waits?.advertiser_runs ?? 0,
  })
  const view = (id: string, label: string, content: GroupedTab['content'], waiting = 0): GroupedTab => ({
    id,
    label,
    content,
    waits: waiting,
    address: { view: id },
  })
  return (
    <WithHeaderActions header={(place) => <PageHeader title={t('title')} actions={place} />}>
      <BooksBanner />
      <GroupedTabs
        label={t('title')}
        waiting={(count) => t('waiting', { count, number: integer(count) })}
        groups={[
          {
            id: 'affiliates',
            label: t('tab.affiliates'),
            tabs: [
              {
                id: 'invoices',
                label: t('tab.invoices'),
                content: <InvoiceList payout={PayoutCreate} />,
                address: {},
                waits: waits?.invoices ?? 0,
              },
              view('requests', request('tab.requests'), <RequestList />, waits?.requests),
              view('runs', request('tab.runs'), <RunList />, waits?.runs),
              view('payouts', payout('title'), <PayoutList />, waits?.payouts),
              view('referrals', referral('list.title'), <ReferralList />, waits?.referrals),
            ],
          },
          { id: 'advertisers', label: t('tab.advertisers'), tabs: advertisers },
          { id: 'reconcile', label: t('tab.reconcile'), tabs: [view('reconcile', t('tab.reconcile'), <Reconcile />, waits?.reconcile)] },
          {
            id: 'books',
            label: t('tab.books'),
            tabs: [
              view('ledger', t('tab.ledger'), <TrialList />),
              view('proposals', request('tab.proposals'), <ProposalList />, waits?.proposals),
              view('commission', commission('title'), <CommissionList />),
              view('rules', t('tab.rules'), <BillingRules />),
            ],
          },
        ]}
      />
    </WithHeaderActions>
  )
}
