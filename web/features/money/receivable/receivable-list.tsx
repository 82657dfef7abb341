import { IconCash, IconFileInvoice, IconListDetails, IconScale } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { advertiserBillingApi, AGES, type ReceivableRow } from '#contract/money/advertiser-billing.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { managerApi } from '#contract/people/manager.ts'
import { useConstants } from '#web/api/constants.ts'
import { money, UNKNOWN } from '#web/format.ts'
import { CreditBar } from '#web/features/money/receivable/credit-bar.tsx'
import { isNone } from '#web/features/money/receivable/receivable-words.ts'
import { ReceiptDialog } from '#web/features/money/receivable/receipt-dialog.tsx'
import { TermsDialog } from '#web/features/money/receivable/terms-dialog.tsx'
import { UnbilledDialog } from '#web/features/money/receivable/unbilled-dialog.tsx'
import { unranked } from '#web/invoice/unranked.ts'
import { column, reference, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Money } from '#web/kit/show/money.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'

const COLUMNS: Columns<ReceivableRow, 'receivable'> = [
  reference('advertiser', { sort: true, width: 160, card: 'title' }),
  amount('not_invoiced', 'field'),
  amount('invoiced', 'field'),
  amount('exposure', 'field'),
  column<ReceivableRow, 'credit'>('credit', {
    width: 190,
    card: 'field',
    cell: (row) => <CreditBar of={row} name={row.advertiser.name} />,
    csv: (row) => row.used_percent,
  }),
  amount('profit', 'column'),
  // what is late comes after what the list is sorted by, which would be cut off behind it
  ...AGES.map((age) =>
    column<ReceivableRow, `overdue.${typeof age}`>(`overdue.${age}`, {
      numeric: true,
      cell: (row) =>
        isNone(row.overdue[age]) ? (
          UNKNOWN
        ) : (
          <span style={{ color: 'var(--ohma-bad)' }}>
            <Money amount={row.overdue[age]} currency={row.currency} column />
          </span>
        ),
      csv: (row) => row.overdue[age],
    }),
  ),
  amount('prepaid', 'column'),
  amount('revenue', 'hidden'),
  text('currency', { hidden: true }),
]

type Asked = { row: ReceivableRow; what: 'receipt' | 'terms' | 'unbilled' }

/** What each advertiser owes in each currency, by age, against its limit, and what it earns the network. */
export function ReceivableList() {
  const { t } = useTranslation('receivable')
  const can = useCan()
  const { currency } = useConstants()
  const [asked, setAsked] = useState<Asked>()
  const [, setSearch] = useSearchParams()
  const list = useList(advertiserBillingApi.list, {
    name: 'receivable',
    columns: useColumns('receivable', COLUMNS),
    rowKey: (row) => `${row.id} ${row.currency}`,
    sort: { column: 'exposure', direction: 'desc' },
    otherKeys: ['view', 'part'],
    filters: {
      search: searchFilter(t('searchAdvertiser')),
      advertiser_uuid: referenceFilter(t('advertiser'), advertiserApi.options),
      manager_uuid: referenceFilter(t('manager'), managerApi.options),
      currency: choiceFilter(t('currency', { ns: 'common' }), currency),
      credit: choiceFilter(
        t('credit'),
        (['good', 'near', 'blocked'] as const).map((value) => ({ value, label: t(`credit.${value}`) })),
      ),
      overdue: choiceFilter(t('overdueOnly'), [{ value: 'true', label: t('yes') }], false),
    },
    toBody: ({ overdue, ...body }) => ({ ...body, overdue: overdue === 'true' }),
  })
  const make = ({ advertiser, currency: code }: ReceivableRow) =>
    setSearch(new URLSearchParams({ view: 'advertisers', part: 'new', advertiser: advertiser.uuid, currency: code }))
  const open = (what: Asked['what'], row: ReceivableRow) => () => setAsked({ row, what })
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t('balances')}
        empty={{ icon: <IconScale size={26} stroke={1.6} aria-hidden />, title: t('balances.empty'), text: t('balances.emptyText') }}
        rowHref={({ advertiser }) => `${screenHref('advertiserEdit', { uuid: advertiser.uuid })}?tab=billing`}
        rowActions={(row) => [
          ...(can('billing.write')
            ? [{ id: 'make', label: t('makeInvoice'), icon: <IconFileInvoice size={16} aria-hidden />, onClick: () => make(row) }]
            : []),
          ...(can('billing.pay')
            ? [{ id: 'receipt', label: t('receipt.book'), icon: <IconCash size={16} aria-hidden />, onClick: open('receipt', row) }]
            : []),
          { id: 'unbilled', label: t('unbilled'), icon: <IconListDetails size={16} aria-hidden />, onClick: open('unbilled', row) },
          ...(can('billing.approve')
            ? [{ id: 'terms', label: t('terms'), icon: <IconScale size={16} aria-hidden />, onClick: open('terms', row) }]
            : []),
        ]}
        exportName="receivables"
        totalsText={(totals) => [
          ...(totals['amounts'] as { currency: string; exposure: string; profit: string }[]) // the contract's totals
            .map((one) => t('balances.sums', { exposure: money(one.exposure, one.currency), profit: money(one.profit, one.currency) })),
          ...unranked(totals, (values) => t('unranked', values)),
        ]}
      />
      {asked?.what === 'receipt' && (
        <ReceiptDialog advertiser={asked.row.advertiser} currency={asked.row.currency} onClose={() => setAsked(undefined)} />
      )}
      {asked?.what === 'terms' && <TermsDialog advertiser={asked.row.advertiser} onClose={() => setAsked(undefined)} />}
      {asked?.what === 'unbilled' && <UnbilledDialog advertiser={asked.row.advertiser} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function amount<Id extends 'not_invoiced' | 'invoiced' | 'prepaid' | 'exposure' | 'revenue' | 'profit'>(
  id: Id,
  shown: 'field' | 'column' | 'hidden',
) {
  return column<ReceivableRow, Id>(id, {
    numeric: true,
    sort: true,
    ...(shown === 'hidden' ? { hidden: true } : shown === 'field' ? { card: 'field' } : {}),
    cell: (row) => (isNone(row[id]) ? UNKNOWN : <Money amount={row[id]} currency={row.currency} column />),
    csv: (row) => row[id],
  })
}
