import { IconFileInvoice, IconHandStop, IconUser } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { payoutRequestApi, REQUEST_STATES, type requestRow } from '#contract/money/payout-request.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { useConstants } from '#web/api/constants.ts'
import { UNKNOWN } from '#web/format.ts'
import { REQUEST_STATE } from '#web/features/money/invoice/payout/payout-words.ts'
import { RequestButtons } from '#web/features/money/invoice/payout/request-buttons.tsx'
import { column, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Money } from '#web/kit/show/money.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { screenHref, useGo, useScreens } from '#web/shell/access.ts'

type Request = z.output<typeof requestRow>

const COLUMNS: Columns<Request, 'request'> = [
  reference('affiliate', { width: 180, card: 'title' }),
  status(REQUEST_STATE),
  amount('amount'),
  amount('available'),
  column<Request, 'decide'>('decide', { whole: true, card: 'field', cell: (row) => <RequestButtons of={row} />, csv: null }),
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
  const go = useGo()
  const screens = useScreens()
  const { currency } = useConstants()
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
  const actionsFor = ({ affiliate, invoice }: Request): RowAction[] => [
    ...(invoice === null
      ? []
      : [
          {
            id: 'invoice',
            label: t('toInvoice'),
            icon: <IconFileInvoice size={16} aria-hidden />,
            onClick: () => go('invoiceDetail', { uuid: invoice.uuid }),
          },
        ]),
    ...(screens.has('affiliateEdit')
      ? [
          {
            id: 'affiliate',
            label: t('toAffiliate'),
            icon: <IconUser size={16} aria-hidden />,
            onClick: () => go('affiliateEdit', { uuid: affiliate.uuid }),
          },
        ]
      : []),
  ]
  return (
    <ListPage
      inner
      list={list}
      title={t('requests')}
      empty={{
        icon: <IconHandStop size={26} stroke={1.6} aria-hidden />,
        title: t('requests.none'),
        text: t('requests.noneText'),
      }}
      rowHref={({ invoice, affiliate }) =>
        invoice === null
          ? `${screenHref('affiliateEdit', { uuid: affiliate.uuid })}?tab=money`
          : screenHref('invoiceDetail', { uuid: invoice.uuid })
      }
      rowActions={actionsFor}
      exportName="payout-requests"
    />
  )
}

function amount<Id extends 'amount' | 'available'>(id: Id) {
  return column<Request, Id>(id, {
    numeric: true,
    card: 'field',
    cell: (row) => <Money amount={row[id]} currency={row.currency} column />,
    csv: (row) => row[id],
  })
}
