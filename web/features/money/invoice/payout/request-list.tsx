import { useState } from 'react'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { payoutRequestApi, REQUEST_STATES, type requestRow } from '#contract/money/payout-request.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { useConstants } from '#web/api/constants.ts'
import { useSave } from '#web/api/query.ts'
import { money, UNKNOWN } from '#web/format.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/use-invoice-actions.tsx'
import { DeclineRequest } from '#web/features/money/invoice/payout/decline-request.tsx'
import { REQUEST_STATE } from '#web/features/money/invoice/payout/payout-words.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { column, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Money } from '#web/kit/show/money.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { screenHref, useCan, useGo } from '#web/shell/access.ts'

type Request = z.output<typeof requestRow>

const COLUMNS: Columns<Request, 'request'> = [
  reference('affiliate', { width: 180, card: 'title' }),
  status(REQUEST_STATE),
  amount('amount'),
  amount('available'),
  moment('created_at', { sort: true, card: 'field' }),
  moment('decided_at'),
  text('decided_by', { width: 150 }),
  column<Request, 'invoice'>('invoice', {
    width: 150,
    cell: (row) => row.invoice?.number ?? (row.invoice === null ? UNKNOWN : `#${row.invoice.id}`),
    csv: (row) => row.invoice?.number ?? row.invoice?.id,
  }),
  text('reason', { width: 200 }),
]

/** What affiliates ask to be paid: accepted, it is a draft of everything they have available. */
export function RequestList() {
  const { t } = useTranslation('request')
  const can = useCan()
  const go = useGo()
  const { currency } = useConstants()
  const [declined, setDeclined] = useState<Request>()
  const accept = useSave(payoutRequestApi.accept, {
    invalidate: [payoutRequestApi.list, ...SHOW_INVOICES],
    onSuccess: ({ invoice }) => {
      notify.success(t('accepted.toast'))
      go('invoiceDetail', { uuid: invoice.uuid })
    },
  })
  const acceptIt = async (one: Request) => {
    const text = t('accept.text', { name: one.affiliate.name, sum: money(one.available, one.currency) })
    if (await confirm({ title: t('accept.ask'), text, action: t('accept'), careful: true })) accept.mutate({ params: { uuid: one.uuid } })
  }
  const list = useList(payoutRequestApi.list, {
    name: 'payout-request',
    columns: useColumns('request', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    otherKeys: ['view'],
    filters: {
      state: choiceFilter(
        t('state'),
        REQUEST_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
      ),
      affiliate_uuid: referenceFilter(t('affiliate'), affiliateApi.list),
      currency: choiceFilter(t('currency'), currency),
    },
  })
  const actionsFor = (one: Request): RowAction[] =>
    one.state === 'open' && can('billing.write')
      ? [
          { id: 'accept', label: t('accept'), icon: <IconCheck size={16} aria-hidden />, onClick: () => void acceptIt(one) },
          { id: 'decline', label: t('decline'), icon: <IconX size={16} aria-hidden />, danger: true, onClick: () => setDeclined(one) },
        ]
      : []
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t('requests')}
        empty={{ title: t('requests.none'), text: t('requests.noneText') }}
        rowHref={({ invoice }) => (invoice === null ? undefined : screenHref('invoiceDetail', { uuid: invoice.uuid }))}
        rowActions={actionsFor}
        exportName="payout-requests"
      />
      {declined && <DeclineRequest of={declined} onClose={() => setDeclined(undefined)} />}
    </>
  )
}

function amount<Id extends 'amount' | 'available'>(id: Id) {
  return column<Request, Id>(id, {
    numeric: true,
    card: 'field',
    cell: (row) => <Money amount={row[id]} currency={row.currency} />,
    csv: (row) => row[id],
  })
}
