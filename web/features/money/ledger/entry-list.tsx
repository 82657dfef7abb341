import { Anchor } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { AccountKind } from '#contract/money/account.ts'
import { ledgerApi, type ledgerEntry } from '#contract/money/ledger.ts'
import { UNKNOWN } from '#web/format.ts'
import type { Partner, Whose } from '#web/features/money/ledger/whose.ts'
import { column, moment, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Money } from '#web/kit/show/money.tsx'
import { screenHref, useCan, useScreens } from '#web/shell/access.ts'

type Entry = z.output<typeof ledgerEntry>
type Account = { kinds: readonly AccountKind[]; currency: string; title: string }

/** The entries of a figure: of one account, or of some together, the newest first, each with the balance after it. */
export function EntryList({ of, account }: { of: Whose; account: Account }) {
  if (of === null) return <OwnEntries account={account} />
  return of.owner === 'network' ? <NetworkEntries source={of.source} account={account} /> : <TheirEntries of={of} account={account} />
}

function TheirEntries({ of, account: { kinds, currency, title } }: { of: Partner; account: Account }) {
  const columns = useEntryColumns(currency, true)
  const list = useList(ledgerApi.entries, { name: 'ledger', columns, fixed: { ...of, currency, kind: [...kinds] }, ...COMMON })
  return <Entries list={list} title={title} />
}

function NetworkEntries({ source, account: { kinds, currency, title } }: { source: string | null; account: Account }) {
  const columns = useEntryColumns(currency, true, true)
  const fixed = { source_uuid: source, currency, kind: [...kinds] }
  // which of them is open stands in the address
  const list = useList(ledgerApi.networkEntries, { name: 'ledger', columns, fixed, otherKeys: ['view', 'month', 'account'], ...COMMON })
  return <Entries list={list} title={title} />
}

function OwnEntries({ account: { kinds, currency, title } }: { account: Account }) {
  const columns = useEntryColumns(currency, false)
  const list = useList(ledgerApi.ownEntries, { name: 'ledger', columns, fixed: { currency, kind: [...kinds] }, ...COMMON })
  return <Entries list={list} title={title} />
}

const COMMON = {
  rowKey: (row: Entry) => row.id,
  sort: { column: 'at', direction: 'desc' },
  filters: {},
} as const

function Entries({ list, title }: { list: ReturnType<typeof useList<typeof ledgerApi.ownEntries>>; title: string }) {
  const { t } = useTranslation('ledger')
  return (
    <ListPage
      inner
      titled
      list={list}
      title={title}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
      rowHref={undefined}
      rowActions={undefined}
      exportName="entries"
    />
  )
}

function useEntryColumns(currency: string, staff: boolean, ofNetwork = false) {
  const amount = (id: 'amount' | 'balance') =>
    column<Entry, typeof id>(id, {
      numeric: true,
      card: 'field',
      cell: (row) => <Money amount={row[id]} currency={currency} column signed={id === 'amount'} />,
      csv: (row) => row[id],
    })
  const columns: Columns<Entry, 'ledger'> = [
    column<Entry, 'event'>('event', {
      width: 180,
      card: 'title',
      cell: (row, t) => t(`event.${row.event}`, { defaultValue: row.event }),
      csv: (row) => row.event,
    }),
    // four fields stand on a card: with the partner it would push the balance off
    column<Entry, 'about'>('about', { width: 170, card: ofNetwork ? 'foot' : 'field', cell: (row) => <About of={row} />, csv: aboutText }),
    ...(ofNetwork ? [text('party', { width: 200, card: 'field' })] : []),
    moment('at', { card: 'field' }),
    amount('amount'),
    amount('balance'),
    moment('booked_at', { hidden: true }),
    ...(staff ? [text('actor', { hidden: true })] : []),
  ]
  return useColumns('ledger', columns)
}

function aboutText({ conversion, invoice, receipt, note }: Entry): string {
  if (invoice !== null) return invoice.number ?? String(invoice.id ?? '')
  return conversion?.id ?? (receipt === null ? note : String(receipt.id))
}

function About({ of: { conversion, invoice, receipt, note } }: { of: Entry }) {
  const { t } = useTranslation('ledger')
  const screens = useScreens()
  const readsBilling = useCan()('billing.read')
  if (invoice !== null) {
    const isNamed = invoice.number !== null || invoice.id !== null
    const name = isNamed ? t('invoice', { id: invoice.number ?? invoice.id }) : t('invoice.preparing')
    return <Onward to={screens.has('invoiceDetail') && screenHref('invoiceDetail', { uuid: invoice.uuid })} name={name} />
  }
  if (receipt !== null) {
    const query = new URLSearchParams({ view: 'advertisers', part: 'receipts', search: `#${receipt.id}` })
    const to = readsBilling && `${screenHref('billing')}?${query}`
    return <Onward to={to} name={t('receipt', { id: receipt.id })} title={receipt.external_id} />
  }
  if (conversion === null) return note || UNKNOWN
  const to = screens.has('statisticConversionDetail') && screenHref('statisticConversionDetail', { uuid: conversion.uuid })
  return <Onward to={to} name={t('conversion', { id: conversion.id })} />
}

/** What an entry is about: a way there, where the reader has that screen. */
function Onward({ to, name, title = '' }: { to: string | false; name: string; title?: string }) {
  if (to === false) return name
  return (
    <Anchor component={Link} fz="inherit" to={to} title={title || undefined}>
      {name}
    </Anchor>
  )
}
