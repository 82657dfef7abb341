import { Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { day, money, UNKNOWN } from '#web/format.ts'
import { INVOICE_STATUS, SystemName } from '#web/features/money/invoice/invoice-words.tsx'
import { periodOf } from '#web/invoice/days.ts'
import { OwnInvoicePanel } from '#web/features/money/invoice/own-invoice-panel.tsx'
import { column, moment, status, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Money } from '#web/kit/show/money.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { todayIn } from '#web/zone-time.ts'

type Invoice = CallOutput<typeof ownInvoiceApi.list>['list'][number]

const INVOICES: Columns<Invoice, 'invoice'> = [
  column<Invoice, 'number'>('number', {
    width: 150,
    card: 'title',
    cell: (row, t) => row.number ?? t('own.noNumber'),
    csv: (row) => row.number,
  }),
  status(INVOICE_STATUS),
  column<Invoice, 'period'>('period', {
    width: 190,
    card: 'field',
    cell: periodOf,
    csv: (row) => `${row.period_from ?? ''}/${row.period_to}`,
  }),
  amountOf('total'),
  amountOf('open'),
  column<Invoice, 'payment_system'>('payment_system', {
    width: 130,
    cell: (row) => <SystemName code={row.payment_system} />,
    csv: (row) => row.payment_system,
  }),
  column<Invoice, 'due_day'>('due_day', {
    whole: true,
    sort: true,
    cell: (row) => (row.due_day === null ? UNKNOWN : <DueDay of={row} />),
    csv: (row) => row.due_day,
  }),
  moment('paid_at'),
]

/** The own invoices from the moment they were sent; what is being prepared as a sum. */
export function OwnInvoices() {
  const { t } = useTranslation('invoice')
  const { open, hrefOf } = usePanelAddress('invoice')
  const list = useList(ownInvoiceApi.list, {
    name: 'own-invoice',
    columns: useColumns('invoice', INVOICES),
    rowKey: (row) => row.uuid,
    sort: { column: 'id', direction: 'desc' },
    otherKeys: ['view', 'invoice'],
    filters: { status: choiceFilter(t('status'), useStatusOptions(INVOICE_STATUS)) },
  })
  const preparing = (list.totals?.['preparing'] ?? []) as { currency: string; amount: string }[] // the contract's totals
  return (
    <>
      {preparing.length > 0 && (
        <Text fz={14} c="dimmed">
          {t('own.preparing', { sums: preparing.map((one) => money(one.amount, one.currency)).join(' · ') })}
        </Text>
      )}
      <ListPage
        inner
        list={list}
        title={t('own.invoices')}
        empty={{ title: t('own.empty'), text: t('own.emptyText') }}
        rowHref={({ uuid }) => hrefOf(uuid)}
        rowActions={undefined}
        exportName="invoices"
      />
      {open !== null && <OwnInvoicePanel among={(list.rows ?? []).map(({ uuid }) => uuid)} />}
    </>
  )
}

function amountOf<Id extends 'total' | 'open'>(id: Id) {
  return column<Invoice, Id>(id, {
    numeric: true,
    card: 'field',
    cell: (row) => <Money amount={row[id]} currency={row.currency} column />,
    csv: (row) => row[id],
  })
}

/** When it is to be paid; a day that passed while some of it is open is marked. */
function DueDay({ of: { due_day, status: state } }: { of: Invoice }) {
  const { t } = useTranslation('invoice')
  const today = todayIn(useZone())
  if (due_day === null) return UNKNOWN
  if (due_day >= today || (state !== 'approved' && state !== 'partly_paid')) return day(due_day)
  return <span style={{ color: 'var(--ohma-bad)' }}>{t('overdue', { day: day(due_day) })}</span>
}
