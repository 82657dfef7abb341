import { Button, Group, Text } from '@mantine/core'
import { IconFileInvoice } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallInput, CallOutput } from '#contract/endpoint.ts'
import { ERRORS } from '#contract/errors.ts'
import { addAmounts } from '#contract/money/amount.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { MOST_LINES } from '#contract/money/payable.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { CallError } from '#web/api/call-error.ts'
import { useConstants } from '#web/api/constants.ts'
import { useSave } from '#web/api/query.ts'
import { integer, money } from '#web/format.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { column, idColumn, moment, reference, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, daysFilter, referenceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { listBody } from '#web/kit/list/list-url.ts'
import { useList } from '#web/kit/list/use-list.ts'
import { Money } from '#web/kit/show/money.tsx'
import { notify } from '#web/notify.ts'
import { useGo } from '#web/shell/access.ts'

type Payable = CallOutput<typeof invoiceApi.payable>['list'][number]

const COLUMNS: Columns<Payable, 'invoice'> = [
  idColumn(),
  moment('created_at', { sort: true, header: 'received', card: 'field' }),
  reference('affiliate', { card: 'title', width: 160 }),
  reference('offer', { width: 200, card: 'field' }),
  text('goal'),
  column<Payable, 'payout'>('payout', {
    numeric: true,
    sort: true,
    card: 'field',
    cell: (row) => <Money amount={row.payout} currency={row.currency} column />,
    csv: (row) => row.payout,
  }),
]

/** Approved conversions on no invoice: those ticked become drafts, one for each affiliate and currency. */
export function FromConversions() {
  const { t } = useTranslation('invoice')
  const go = useGo()
  const { currency } = useConstants()
  const list = useList(invoiceApi.payable, {
    name: 'payable',
    columns: useColumns('invoice', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    otherKeys: ['tab'],
    filters: {
      affiliate_uuid: referenceFilter(t('affiliate'), affiliateApi.list),
      currency: choiceFilter(t('currencies'), currency),
      from: daysFilter(t('received'), 'to'),
    },
  })
  // the same call, however often it is sent
  const [key, setKey] = useState(() => crypto.randomUUID())
  const make = useSave(invoiceApi.createFromConversions, {
    invalidate: SHOW_INVOICES,
    form: true,
    onSuccess: ({ invoices, left_out, waiting }) => {
      setKey(crypto.randomUUID())
      if (waiting > 0) notify.success(t('made.later', { number: integer(waiting) }))
      else notify.success(t('made.toast', { count: invoices.length, number: integer(invoices.length) }))
      if (left_out > 0) notify.error(t('leftOut.toast', { number: integer(left_out) }))
      const [only] = invoices
      if (invoices.length === 1 && only) go('invoiceDetail', { uuid: only.uuid })
      else go('billing')
    },
  })
  const makeThose = async (body: CallInput<typeof invoiceApi.createFromConversions>['body']) => {
    try {
      await make.mutateAsync({ body })
    } catch (error) {
      if (!(error instanceof CallError)) return
      // what somebody owes is asked about, never left in silence
      if (error.has(ERRORS.affiliate_owes.code)) {
        const text = t('debt.make', { debts: error.values['debts'] ?? '' })
        if (await confirm({ title: t('debt.ask'), text, action: t('debt.makeEvenSo'), careful: true }))
          make.mutate({ body: { ...body, leave_debt: true } })
      } else for (const said of Object.values(error.fields)) notify.error(said)
    }
  }
  const makeChosen = async () => {
    const rows = list.chosen()
    if (rows.length > MOST_LINES) return notify.error(t('payable.tooMany', { number: integer(rows.length), most: integer(MOST_LINES) }))
    const groups = Map.groupBy(rows, (row) => `${row.affiliate.name} · ${row.currency}`)
    const sums = [...groups].map(
      ([name, those]) => `${name}: ${money(addAmounts(...those.map(({ payout }) => payout)), those[0]?.currency ?? '')}`,
    )
    const question = {
      title: t('make.ask'),
      text: sums.slice(0, 20).join(', '),
      action: t('make', { count: groups.size, number: integer(groups.size) }),
      careful: true,
    }
    if (await confirm(question)) await makeThose({ key, uuids: rows.map(({ uuid }) => uuid) })
    return undefined
  }
  const matching = list.count
  const makeMatching = async () => {
    const sums = (list.totals?.['amounts'] ?? []) as { currency: string; payout: string }[] // the contract's totals
    const question = {
      title: t('make.ask'),
      text: t('payable.all.text', { number: integer(matching), sums: sums.map((one) => money(one.payout, one.currency)).join(' · ') }),
      action: t('payable.all', { number: integer(matching) }),
      careful: true,
    }
    if (await confirm(question))
      await makeThose({ key, filter: listBody({ ...list.url, sort: undefined, direction: undefined }, list.filters) })
  }
  return (
    <ListPage
      inner
      actions={
        matching > 0 && (
          <Group gap="xs">
            {matching > MOST_LINES && (
              <Text fz={13} c="dimmed">
                {t('payable.tooMany', { number: integer(matching), most: integer(MOST_LINES) })}
              </Text>
            )}
            <Button variant="default" loading={make.isPending} disabled={matching > MOST_LINES} onClick={() => void makeMatching()}>
              {t('payable.all', { number: integer(matching) })}
            </Button>
          </Group>
        )
      }
      list={list}
      title={t('payable')}
      empty={{ icon: <IconFileInvoice size={26} stroke={1.6} aria-hidden />, title: t('payable.empty'), text: t('payable.emptyText') }}
      rowHref={undefined}
      rowActions={undefined}
      bulkActions={
        <Button size="compact-sm" loading={make.isPending} onClick={() => void makeChosen()}>
          {t('makeChosen')}
        </Button>
      }
      exportName="payable-conversions"
      totalsText={({ amounts }) =>
        (amounts as { currency: string; payout: string }[]) // the contract's totals
          .map((one) => money(one.payout, one.currency))
      }
    />
  )
}
