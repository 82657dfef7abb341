import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'

/** What staff decided and when: the end of a month is invoiced, or an invoice is taken back, whole or what its conversions have lost since. */
export type Decision = { at: number } & (
  | { do: 'end month'; until: string }
  | { do: 'take back'; side: Side; whose: number; currency: string; until: string; kind: 'whole' | 'changed' }
)
export type Side = 'affiliate' | 'advertiser'
/** An invoice or a credit note, as three sides tell it: the recount, the tables and what is printed. */
export type Paper = {
  what: 'invoice' | 'credit note'
  side: Side
  whose: number
  currency: string
  until: string
  /** The first and the last day of what stands on it; tables do not say. */
  supply?: string
  net: string
  vat: string
  total: string
}
type Call = { at: number; query: string }
type Offer = {
  id: number
  advertiser: number
  currency: string
  decimals: number
  hold_days: number
  payout_fixed: string
  payout_percent: string
  revenue_fixed: string
  revenue_percent: string
}
/** A click id names its offer and its affiliate. */
export type Clicks = ReadonlyMap<string, { offerId: number; affiliateId: number }>
type Raw = { calls: Call[]; offers: Offer[]; vat: Map<string, string>; includesHold: Map<number, boolean> }

/** Reads raw rows alone: calls as they were kept, and what offers pay. */
export async function readRaw(db: Db): Promise<Raw> {
  const rows = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows
  const calls = await rows(sql<{ at: Date; query: string }>`select received_at as at, query from postback_in order by received_at, id`)
  const offers = await rows(sql<Offer>`
    select o.id, o.advertiser_id as advertiser, o.currency, c.decimals, o.hold_days, r.payout_fixed::text, r.payout_percent::text, r.revenue_fixed::text, r.revenue_percent::text
      from offer o join currency c on c.code = o.currency join payout_rule r on r.offer_id = o.id`)
  const vat = await rows(sql<{ who: string; rate: string }>`
    select 'affiliate ' || affiliate_id as who, vat_rate::text as rate from tax_profile union all select 'advertiser ' || advertiser_id, vat_rate::text from advertiser_billing`)
  const holds = await rows(sql<{ id: number; holds: boolean }>`select advertiser_id as id, include_hold as holds from advertiser_billing`)
  return {
    calls: calls.map(({ at, query }) => ({ at: at.getTime(), query })),
    offers,
    vat: new Map(vat.map(({ who, rate }) => [who, rate])),
    includesHold: new Map(holds.map(({ id, holds: includes }) => [id, includes])),
  }
}

type Known = {
  offer: Offer
  affiliate: number
  at: number
  said: string
  amount: bigint
  held: number
  /** When it last became worth something else. */
  changed: number
  /** What of it stands on whose invoices. */
  lines: Record<Side, { on: Invoice; amount: bigint }[]>
}
type Invoice = { side: Side; whose: number; currency: string; until: string; decimals: number; net: bigint; vat: bigint }

type Sums = { net: bigint; vat: bigint; exact: bigint; of: Known[] }

const sumOf = (lines: readonly { amount: bigint }[]) => lines.reduce((sum, { amount }) => sum + amount, 0n)

/** Adds the quarter up: each call in its turn, and at each decision what was worth something until then. */
export function recount(raw: Raw, clicks: Clicks, decisions: readonly Decision[], zone: string, end: number) {
  const known = new Map<string, Known>()
  const invoices: Invoice[] = []
  const papers: Paper[] = []
  const balances = new Map<string, bigint>()
  const hasVat = (side: Side, whose: number) => Number(raw.vat.get(`${side} ${whose}`) ?? '0') !== 0
  const dayOf = (at: number) => new Date(at).toLocaleDateString('sv', { timeZone: zone })
  let corrections = 0
  const moments = [...raw.calls.map((call) => ({ at: call.at, call })), ...decisions.map((decision) => ({ at: decision.at, decision }))]
  for (const moment of moments.toSorted((one, other) => one.at - other.at)) {
    if ('call' in moment) hear(moment.call)
    else if (moment.decision.do === 'end month') endMonth(moment.decision)
    else takeBack(moment.decision)
  }

  function hear({ at, query }: Call): void {
    const said = new URLSearchParams(query)
    const id = said.get('click_id') ?? ''
    const click = clicks.get(id)
    const offer = raw.offers.find((one) => one.id === click?.offerId)
    if (click === undefined || offer === undefined) throw new Error(`nobody knows ${id}`)
    const amount = said.get('amount')
    const before = known.get(id)
    if (before === undefined) {
      const first = {
        at,
        said: said.get('status') ?? '',
        amount: parse(amount ?? '0'),
        changed: at,
        held: at + offer.hold_days * 86_400_000,
      }
      known.set(id, { offer, affiliate: click.affiliateId, ...first, lines: { affiliate: [], advertiser: [] } })
      return
    }
    const [status, worth] = [before.said, before.amount]
    before.said = said.get('status') ?? ''
    if (amount !== null && before.said !== 'declined') before.amount = parse(amount)
    if (before.said !== status || before.amount !== worth) before.changed = at
  }

  function endMonth({ until, at }: { until: string; at: number }): void {
    const midnight = Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
    const asked = new Map<string, { one: Known; amount: bigint }[]>()
    const ask = (side: Side, whose: number, one: Known, amount: bigint) => {
      const key = `${side} ${whose} ${one.offer.currency}`
      asked.set(key, [...(asked.get(key) ?? []), { one, amount }])
    }
    for (const one of known.values()) {
      const approved = one.said === 'approved' && one.held <= at
      const payable = approved ? payoutOf(one) : 0n
      const { affiliate, advertiser } = one.lines
      // a later change belongs to the month it was made in
      const inTime = one.changed < midnight
      if (affiliate.length === 0 && approved && one.at < midnight) ask('affiliate', one.affiliate, one, payable)
      // what stands on an invoice with VAT is changed by a credit note alone
      else if (affiliate.length > 0 && payable !== sumOf(affiliate) && inTime && !hasVat('affiliate', one.affiliate)) {
        ask('affiliate', one.affiliate, one, payable - sumOf(affiliate))
        corrections++
      }
      const earned = one.said === 'approved' ? revenueOf(one) : 0n
      const counts = approved || sumOf(advertiser) !== 0n || raw.includesHold.get(one.offer.advertiser) === true
      const waits = advertiser.length > 0 && (!inTime || hasVat('advertiser', one.offer.advertiser))
      if (one.at < midnight && counts && !waits && earned !== sumOf(advertiser))
        ask('advertiser', one.offer.advertiser, one, earned - sumOf(advertiser))
    }
    for (const [key, lines] of asked) {
      const [side, whose, currency = ''] = key.split(' ')
      const { decimals } = lines[0]!.one.offer
      const exact = sumOf(lines)
      const net = rounded(exact, 1n, decimals)
      // what comes to nothing waits for the next month
      if (net <= 0n) continue
      const vat = rounded(net * parse(raw.vat.get(`${side} ${whose}`) ?? '0'), 100n * 100_000_000n, decimals)
      const invoice = { side: side as Side, whose: Number(whose), currency, until, decimals, net, vat } // its key is made above
      invoices.push(invoice)
      for (const { one, amount } of lines) one.lines[invoice.side].push({ on: invoice, amount })
      print('invoice', invoice, { net, vat, exact, of: lines.map(({ one }) => one) })
    }
  }

  function takeBack({ side, whose, currency, until, kind }: Extract<Decision, { do: 'take back' }>): void {
    const invoice = invoices.find(
      (one) => one.side === side && one.whose === whose && one.currency === currency && one.until === until && one.net > 0n,
    )
    if (invoice === undefined) return
    const on = [...known.values()].filter((one) => one.lines[side].some((line) => line.on === invoice))
    const all = {
      net: invoice.net,
      vat: invoice.vat,
      exact: sumOf(on.flatMap((one) => one.lines[side].filter((line) => line.on === invoice))),
      of: on.filter((one) => sumOf(one.lines[side].filter((line) => line.on === invoice)) !== 0n),
    }
    if (kind === 'whole') {
      for (const one of on) one.lines[side] = one.lines[side].filter((line) => line.on !== invoice)
      return credit(invoice, all)
    }
    const changed = on.flatMap((one) => {
      const amount = sumOf(one.lines[side]) - (one.said === 'approved' ? revenueOf(one) : 0n)
      return amount !== 0n ? [{ one, amount }] : []
    })
    const exact = sumOf(changed)
    if (exact > all.exact) throw new Error('more was lost than is left: no such quarter')
    // what stays of it is rounded as it was; the note is what is missing to that
    const stays = rounded(all.exact - exact, 1n, invoice.decimals)
    const rate = parse(raw.vat.get(`${side} ${whose}`) ?? '0')
    const net = invoice.net - stays
    if (net === 0n) return
    for (const { one, amount } of changed) one.lines[side].push({ on: invoice, amount: -amount })
    const vat = invoice.vat - rounded(stays * rate, 100n * 100_000_000n, invoice.decimals)
    credit(invoice, { net, vat, exact, of: changed.map(({ one }) => one) })
  }

  function credit(invoice: Invoice, sums: Sums): void {
    invoice.net -= sums.net
    invoice.vat -= sums.vat
    print('credit note', invoice, sums)
  }

  function print(what: Paper['what'], on: Invoice, { net, vat, exact, of }: Sums): void {
    const { side, whose, currency, until, decimals } = on
    const days = of.map(({ at }) => dayOf(at)).toSorted()
    const told = (amount: bigint) => fixed(amount, decimals)
    papers.push({
      what,
      side,
      whose,
      currency,
      until,
      supply: `${days[0]} – ${days.at(-1)}`,
      net: told(net),
      vat: told(vat),
      total: told(net + vat),
    })
    // an affiliate is owed it, an advertiser owes it; a credit note is the same backwards
    const sign = (side === 'affiliate' ? -1n : 1n) * (what === 'invoice' ? 1n : -1n)
    add(balances, `${side}_invoiced ${whose} ${currency}`, sign * (net + vat))
    add(balances, `${side === 'affiliate' ? 'vat_input' : 'vat_output'} 0 ${currency}`, -sign * vat)
    add(balances, `rounding 0 ${currency}`, -sign * (net - exact))
  }

  const statistics = new Map<string, { payout: bigint; revenue: bigint; approved: number; pending: number; declined: number }>()
  for (const one of known.values()) {
    const own = `${one.affiliate} ${one.offer.currency}`
    const theirs = `${one.offer.advertiser} ${one.offer.currency}`
    if (one.held > end) throw new Error('the quarter ends after every hold')
    const [payout, revenue] = one.said === 'approved' ? [payoutOf(one), revenueOf(one)] : [0n, 0n]
    add(balances, `payout_cost ${own}`, payout)
    add(balances, `network_revenue ${theirs}`, -revenue)
    add(balances, `receivable ${theirs}`, revenue - sumOf(one.lines.advertiser))
    if (one.said === 'pending') add(balances, `affiliate_pending ${own}`, -payoutOf(one))
    if (one.said === 'pending') add(balances, `pending_cost ${own}`, payoutOf(one))
    if (one.lines.affiliate.length === 0) add(balances, `affiliate_available ${own}`, -payout)
    else add(balances, `affiliate_correction ${own}`, sumOf(one.lines.affiliate) - payout)
    const month = dayOf(one.at).slice(0, 7)
    const key = `${month} ${one.affiliate} ${one.offer.currency}`
    const sum = statistics.get(key) ?? { payout: 0n, revenue: 0n, approved: 0, pending: 0, declined: 0 }
    const one_ = { ...sum, payout: sum.payout + payout, revenue: sum.revenue + revenue }
    if (one.said === 'approved' || one.said === 'pending' || one.said === 'declined') one_[one.said]++
    statistics.set(key, one_)
  }
  return {
    calls: raw.calls.length,
    corrections,
    papers,
    balances: Object.fromEntries(
      [...balances].filter(([, amount]) => amount !== 0n).map(([key, amount]) => [key, plain(fixed(amount, 8))]),
    ),
    statistics: [...statistics].map(([key, { payout, revenue, ...counts }]) =>
      [key, plain(fixed(payout, 8)), plain(fixed(revenue, 8)), counts.approved, counts.pending, counts.declined].join(' '),
    ),
  }
}

const payoutOf = ({ offer, amount }: Known) =>
  parse(offer.payout_fixed) + rounded(amount * parse(offer.payout_percent), 100n * 100_000_000n, Math.max(4, offer.decimals))
const revenueOf = ({ offer, amount }: Known) =>
  parse(offer.revenue_fixed) + rounded(amount * parse(offer.revenue_percent), 100n * 100_000_000n, Math.max(4, offer.decimals))

/** `amount / divisor` to so many decimals, half away from zero. */
function rounded(amount: bigint, divisor: bigint, decimals: number): bigint {
  const unit = 10n ** BigInt(8 - decimals)
  const sign = amount < 0n ? -1n : 1n
  return sign * ((amount * sign * 2n + divisor * unit) / (2n * divisor * unit)) * unit
}

/** Hundred-millionths of a decimal text. */
export function parse(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.')
  const size = BigInt(whole) * 100_000_000n + BigInt(fraction.padEnd(8, '0'))
  return amount.startsWith('-') ? -size : size
}

/** Hundred-millionths with exactly so many decimals; more than those would be lost, and throw. */
export function fixed(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(9, '0')
  if (!/^0*$/.test(digits.slice(digits.length - 8 + decimals))) throw new Error(`${amount} has more than ${decimals} decimals`)
  const fraction = digits.slice(-8, digits.length - 8 + decimals)
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -8)}${decimals === 0 ? '' : `.${fraction}`}`
}

/** Without the zeros at its end. */
export const plain = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}
