import { Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowsSplit, IconBan, IconCash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { receiptApi, type Receipt } from '#contract/money/receipt.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { amountMistakes } from '#web/invoice/amount-mistakes.ts'
import { useConstants } from '#web/api/constants.ts'
import { day, money, UNKNOWN } from '#web/format.ts'
import { AllotDialog } from '#web/features/money/receivable/allot-dialog.tsx'
import { ReceiptDialog } from '#web/features/money/receivable/receipt-dialog.tsx'
import { isNone, SHOW_RECEIVABLES, typed } from '#web/features/money/receivable/receivable-words.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { ExchangeField } from '#web/exchange-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { HeaderActions } from '#web/kit/page/header-actions.tsx'
import { unranked } from '#web/invoice/unranked.ts'
import { column, reference, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { todayIn } from '#web/zone-time.ts'
import { useCan } from '#web/shell/access.ts'

const COLUMNS: Columns<Receipt, 'receivable'> = [
  column<Receipt, 'receipt.id'>('receipt.id', { width: 70, card: 'field', cell: (row) => row.id, csv: (row) => row.id }),
  column<Receipt, 'receipt.day'>('receipt.day', { whole: true, card: 'field', cell: (row) => day(row.day), csv: (row) => row.day }),
  reference('advertiser', { width: 170, card: 'title' }),
  column<Receipt, 'receipt.amount'>('receipt.amount', {
    numeric: true,
    card: 'field',
    cell: (row) => <Money amount={row.amount} currency={row.currency} column />,
    csv: (row) => row.amount,
  }),
  column<Receipt, 'receipt.parts'>('receipt.parts', {
    width: 240,
    // the four fields of a card are taken: what it was for stands beneath them
    card: 'foot',
    cell: (row) => row.parts.map((part) => `${part.number}: ${money(part.amount, row.currency)}`).join(', ') || UNKNOWN,
    csv: (row) => row.parts.map((part) => `${part.number}: ${part.amount}`).join(', '),
  }),
  column<Receipt, 'in_advance'>('in_advance', {
    numeric: true,
    cell: (row) => <Money amount={row.in_advance} currency={row.currency} column />,
    csv: (row) => row.in_advance,
  }),
  column<Receipt, 'receipt.state'>('receipt.state', {
    whole: true,
    card: 'field',
    cell: ({ state, paid_back, currency }, t) =>
      state === 'bounced' ? (
        <StatusBadge tone="bad" label={t('receipt.bounced')} />
      ) : isNone(paid_back) ? (
        <StatusBadge tone="good" label={t('receipt.booked')} />
      ) : (
        <StatusBadge tone="muted" label={t('receipt.paidBack', { sum: money(paid_back, currency) })} />
      ),
    csv: (row) => row.state,
  }),
  column<Receipt, 'receipt.arrived'>('receipt.arrived', {
    width: 190,
    cell: ({ moved, short, currency }, t) =>
      [moved && money(moved.amount, moved.currency), !isNone(short) && t('receipt.shortOf', { sum: money(short, currency) })]
        .filter(Boolean)
        .join(', ') || UNKNOWN,
    csv: ({ moved, short, currency }) =>
      [moved && `${moved.amount} ${moved.currency}`, !isNone(short) && `-${short} ${currency}`].filter(Boolean).join(' '),
  }),
  text('source', { width: 130 }),
  text('external_id', { width: 140 }),
  text('note', { hidden: true }),
  text('actor', { hidden: true }),
]

/** What advertisers paid, for which invoices, and what of it is left in advance. */
export function ReceiptList() {
  const { t } = useTranslation('receivable')
  const can = useCan()
  const { currency } = useConstants()
  const [books, setBooks] = useState(false)
  const [asked, setAsked] = useState<{ of: Receipt; what: 'allot' | 'back' | 'bounce' }>()
  const list = useList(receiptApi.list, {
    name: 'receipt',
    columns: useColumns('receivable', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'id', direction: 'desc' },
    otherKeys: ['view', 'part'],
    filters: {
      search: searchFilter(t('receipt.search')),
      advertiser_uuid: referenceFilter(t('advertiser'), advertiserApi.options),
      currency: choiceFilter(t('currency', { ns: 'common' }), currency),
    },
  })
  const close = () => setAsked(undefined)
  return (
    <>
      {can('billing.pay') && (
        <HeaderActions>
          <Button leftSection={<IconCash size={16} aria-hidden />} onClick={() => setBooks(true)}>
            {t('receipt.book')}
          </Button>
        </HeaderActions>
      )}
      <ListPage
        inner
        list={list}
        title={t('receipts')}
        empty={{ icon: <IconCash size={26} stroke={1.6} aria-hidden />, title: t('receipts.empty'), text: t('receipts.emptyText') }}
        rowHref={undefined}
        rowActions={(row) =>
          !can('billing.pay') || row.state === 'bounced' || !isNone(row.paid_back)
            ? []
            : [
                {
                  id: 'allot',
                  label: t('allot'),
                  icon: <IconArrowsSplit size={16} aria-hidden />,
                  onClick: () => setAsked({ of: row, what: 'allot' }),
                },
                ...(isNone(row.in_advance)
                  ? []
                  : [
                      {
                        id: 'back',
                        label: t('receipt.back'),
                        icon: <IconArrowBackUp size={16} aria-hidden />,
                        onClick: () => setAsked({ of: row, what: 'back' }),
                      },
                    ]),
                {
                  id: 'bounce',
                  label: t('receipt.bounce'),
                  icon: <IconBan size={16} aria-hidden />,
                  onClick: () => setAsked({ of: row, what: 'bounce' }),
                  danger: true as const,
                },
              ]
        }
        exportName="receipts"
        totalsText={(totals) => [
          ...(totals['amounts'] as { currency: string; amount: string }[]) // the contract's totals
            .map((one) => money(one.amount, one.currency)),
          ...unranked(totals, (values) => t('unranked', values)),
        ]}
      />
      {books && <ReceiptDialog onClose={() => setBooks(false)} />}
      {asked?.what === 'allot' && <AllotDialog of={asked.of} onClose={close} />}
      {asked?.what === 'back' && <BackDialog of={asked.of} onClose={close} />}
      {asked?.what === 'bounce' && <BounceDialog of={asked.of} onClose={close} />}
    </>
  )
}

function BackDialog({ of, onClose }: { of: Receipt; onClose: () => void }) {
  const { t } = useTranslation('receivable')
  const zone = useZone()
  const form = useSaveForm({
    endpoint: receiptApi.payBack,
    check: (values) => amountMistakes(values, { amount: of.currency }),
    initial: { amount: typed(of.in_advance), moved: '', moved_sure: false },
    toInput: ({ amount, moved, moved_sure: sure }) => ({
      params: { uuid: of.uuid },
      body: { amount, revision: of.revision, moved: of.moved && { currency: of.moved.currency, amount: moved, sure } },
    }),
    invalidate: SHOW_RECEIVABLES,
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('receipt.back')}
      text={t('receipt.backText', { name: of.advertiser.name, sum: money(of.in_advance, of.currency) })}
      action={t('receipt.back')}
      careful
      onClose={onClose}
    >
      <NumberField of={form} name="amount" label={t('receipt.amount')} unit={of.currency} required />
      {of.moved && (
        <ExchangeField
          of={form}
          amount={form.values.amount}
          currency={of.currency}
          to={of.moved.currency}
          day={todayIn(zone)}
          label={t('exchange.left')}
        />
      )}
    </DialogForm>
  )
}

function BounceDialog({ of, onClose }: { of: Receipt; onClose: () => void }) {
  const { t } = useTranslation('receivable')
  const form = useSaveForm({
    endpoint: receiptApi.bounce,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ params: { uuid: of.uuid }, body: { revision: of.revision, reason } }),
    invalidate: SHOW_RECEIVABLES,
    savedText: t('toast.bounced'),
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('receipt.bounce')}
      text={t('receipt.bounceText', { name: of.advertiser.name, sum: money(of.amount, of.currency) })}
      action={t('receipt.bounce')}
      danger
      careful
      onClose={onClose}
    >
      <LongTextField of={form} name="reason" label={t('reason')} rows={2} required />
    </DialogForm>
  )
}
