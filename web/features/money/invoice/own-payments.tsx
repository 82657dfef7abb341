import { Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { day, UNKNOWN } from '#web/format.ts'
import { useOwnPaymentState } from '#web/features/money/invoice/use-own-payment-state.ts'
import { column, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Money } from '#web/kit/show/money.tsx'

type Payment = CallOutput<typeof ownInvoiceApi.payments>['list'][number]

const PAYMENTS: Columns<Payment, 'invoice'> = [
  column<Payment, 'own.day'>('own.day', { whole: true, card: 'title', cell: (row) => day(row.day), csv: (row) => row.day }),
  column<Payment, 'pay.amount'>('pay.amount', {
    numeric: true,
    card: 'field',
    cell: (row) => <Money amount={row.amount} currency={row.currency} column />,
    csv: (row) => row.amount,
  }),
  column<Payment, 'own.state'>('own.state', {
    width: 190,
    card: 'field',
    cell: (row) => <State of={row} />,
    csv: (row) => [row.state, row.reason].filter(Boolean).join(': '),
  }),
  column<Payment, 'own.invoice'>('own.invoice', {
    width: 150,
    card: 'field',
    cell: ({ invoice, note }, t) => (invoice === null ? `${t('given.kind.prepayment')}: ${note}` : invoice.number),
    csv: ({ invoice, note }) => (invoice === null ? note : invoice.number),
  }),
  column<Payment, 'own.external'>('own.external', { width: 170, cell: (row) => row.external_id || UNKNOWN, csv: (row) => row.external_id }),
]

/** What was paid to the affiliate. */
export function OwnPayments() {
  const { t } = useTranslation('invoice')
  const list = useList(ownInvoiceApi.payments, {
    name: 'own-payment',
    columns: useColumns('invoice', PAYMENTS),
    rowKey: (row) => row.uuid,
    sort: { column: 'id', direction: 'desc' },
    otherKeys: ['view'],
    filters: {},
  })
  return (
    <ListPage
      inner
      list={list}
      title={t('own.payments')}
      empty={{ title: t('own.noPayments'), text: t('own.noPaymentsText') }}
      rowHref={undefined}
      rowActions={undefined}
      exportName="payments"
    />
  )
}

function State({ of }: { of: Payment }) {
  const state = useOwnPaymentState()(of)
  if (of.reason === '') return state
  return (
    <>
      {state}
      <Text fz={12.5} c="dimmed" lineClamp={2} title={of.reason}>
        {of.reason}
      </Text>
    </>
  )
}
