import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { AdvertiserInvoiceList } from '#web/features/money/receivable/advertiser-invoice-list.tsx'
import { MakeDrafts } from '#web/features/money/receivable/make-drafts.tsx'
import { ReceiptList } from '#web/features/money/receivable/receipt-list.tsx'
import { ReceivableList } from '#web/features/money/receivable/receivable-list.tsx'
import { ReceivableRules } from '#web/features/money/receivable/receivable-rules.tsx'
import type { GroupedTab } from '#web/kit/page/grouped-tabs.tsx'
import { HeaderActions } from '#web/kit/page/header-actions.tsx'
import { useCan } from '#web/shell/access.ts'

/** The advertisers' side of money: what they owe, their invoices and runs of them, what they paid, and the rules; the part stands in the address. */
export function useReceivableTabs(runs: ReactNode, waits: { balances: number; invoices: number; runs: number }): GroupedTab[] {
  const { t } = useTranslation('receivable')
  const can = useCan()
  const part = (id: 'balances' | 'invoices' | 'runs' | 'receipts' | 'rules' | 'new', content: ReactNode): GroupedTab => ({
    id,
    label: t(`part.${id}`),
    content,
    address: { view: 'advertisers', ...(id !== 'balances' && { part: id }) },
  })
  return [
    { ...part('balances', <MayMake list={<ReceivableList />} />), waits: waits.balances },
    { ...part('invoices', <MayMake list={<AdvertiserInvoiceList />} />), waits: waits.invoices },
    { ...part('runs', <MayMake list={runs} />), waits: waits.runs },
    part('receipts', <ReceiptList />),
    ...(can('billing.approve') ? [part('rules', <ReceivableRules />)] : []),
    ...(can('billing.write') ? [{ ...part('new', <MakeDrafts />), unlisted: true as const }] : []),
  ]
}

/** A list from which invoices of advertisers are made. */
function MayMake({ list }: { list: ReactNode }) {
  const { t } = useTranslation('receivable')
  const can = useCan()
  const [, setSearch] = useSearchParams()
  return (
    <>
      {can('billing.write') && (
        <HeaderActions>
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setSearch(new URLSearchParams({ view: 'advertisers', part: 'new' }))}
          >
            {t('part.new')}
          </Button>
        </HeaderActions>
      )}
      {list}
    </>
  )
}
