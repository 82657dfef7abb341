import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { conversionsOf, totalsOf } from './advertiser-link.queries.ts'
import type { Figures } from './figures.service.ts'
import type { Table, Word } from './page.ts'

type Words = (word: Word) => string
type Conversion = Awaited<ReturnType<typeof conversionsOf>>[number]
type Total = Awaited<ReturnType<typeof totalsOf>>[number]

/** What is owed of an amount: all of it once approved or on hold, nothing before and nothing of what was declined. */
const owed = ({ status, amount }: { status: string; amount: string }) => (isOwed(status) ? amount : zeroAs(amount))
const isOwed = (status: string) => status === 'approved' || status === 'hold'
/** Nothing, in the decimals of another amount. */
const zeroAs = (amount: string) => amount.replaceAll(/\d+/g, (digits, at: number) => (at === 0 ? '0' : '0'.repeat(digits.length)))

/** Each currency and status, and below them each currency. */
export function totalTable(totals: readonly Total[], t: Words): Table {
  const currencies = [...new Set(totals.map(({ currency }) => currency))]
  return {
    head: (['currency', 'status', 'number', 'amount', 'pay'] as const).map(t),
    rows: totals.map((one) => [one.currency, t(one.status as 'approved'), String(one.conversions), one.amount, owed(one)]),
    totals: currencies.map((currency) => {
      const own = totals.filter((one) => one.currency === currency)
      const sum = (amounts: string[]) => alike(amounts[0] ?? '0', amounts)
      const number = own.reduce((all, { conversions }) => all + conversions, 0)
      return [currency, t('total'), String(number), sum(own.map(({ amount }) => amount)), sum(own.map(owed))]
    }),
    numbers: new Set([2, 3, 4]),
  }
}

/** The sum of amounts of one currency, in its decimals. */
function alike(like: string, amounts: readonly string[]): string {
  const [whole = '0', fraction = ''] = fromUnits(amounts.reduce((sum, text) => sum + toUnits(text), 0n)).split('.')
  const decimals = like.split('.')[1]?.length ?? 0
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`
}

/** Days and offers, and below them each currency. */
export function dayTable({ days, totals }: Figures, t: Words): Table {
  const cells = (row: Figures['totals'][number]) => [
    row.clicks,
    row.pending,
    row.hold,
    row.approved,
    row.declined,
    row.pending_revenue,
    row.revenue,
    row.currency,
  ]
  const head = ['day', 'offer', 'clicks', 'pending', 'hold', 'approved', 'declined', 'pendingAmount', 'pay', 'currency'] as const
  return {
    head: head.map(t),
    rows: days.map((row) => [row.day, row.offer, ...cells(row)]),
    totals: totals.map((row) => [t('total'), '', ...cells(row)]),
    numbers: new Set([2, 3, 4, 5, 6, 7, 8]),
  }
}

/** Conversions one by one, and below them each currency and status. */
export function conversionTable(all: readonly Conversion[], totals: readonly Total[], t: Words, zone: string): Table {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const told = (one: Conversion | Total) => [t(one.status as 'approved'), one.amount, owed(one), one.currency] // trash is not shown
  return {
    head: (['time', 'offer', 'goal', 'click', 'transaction', 'status', 'amount', 'pay', 'currency'] as const).map(t),
    rows: all.map((one) => [time.format(one.created_at), one.offer, one.goal, one.click_id, one.transaction_id ?? '', ...told(one)]),
    totals: totals.map((one) => [`${t('total')}: ${one.conversions}`, '', '', '', '', ...told(one)]),
    numbers: new Set([6, 7]),
  }
}
