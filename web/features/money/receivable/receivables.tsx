import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { AdvertiserInvoiceList } from '#web/features/money/receivable/advertiser-invoice-list.tsx'
import { MakeDrafts } from '#web/features/money/receivable/make-drafts.tsx'
import { ReceiptList } from '#web/features/money/receivable/receipt-list.tsx'
import { ReceivableList } from '#web/features/money/receivable/receivable-list.tsx'
import { ReceivableRules } from '#web/features/money/receivable/receivable-rules.tsx'
import { useCan } from '#web/shell/access.ts'

const PARTS = ['balances', 'invoices', 'receipts', 'rules'] as const

/** The advertisers' side of money: what they owe, their invoices, what they paid, and the rules; the open part stands in the address. */
export function Receivables() {
  const { t } = useTranslation('receivable')
  const can = useCan()
  const [search, setSearch] = useSearchParams()
  const asked = search.get('part') ?? 'balances'
  const show = (part: string) => setSearch(new URLSearchParams({ view: 'advertisers', ...(part !== 'balances' && { part }) }))
  if (asked === 'new' && can('billing.write')) return <MakeDrafts />
  const part = PARTS.find((one) => one === asked) ?? 'balances'
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t('parts')}
          value={part}
          onChange={show}
          data={PARTS.filter((one) => one !== 'rules' || can('billing.approve')).map((value) => ({ value, label: t(`part.${value}`) }))}
        />
        {can('billing.write') && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => show('new')}>
            {t('part.new')}
          </Button>
        )}
      </Group>
      {part === 'balances' && <ReceivableList />}
      {part === 'invoices' && <AdvertiserInvoiceList />}
      {part === 'receipts' && <ReceiptList />}
      {part === 'rules' && <ReceivableRules />}
    </Stack>
  )
}
