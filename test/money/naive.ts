import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'

/** The end of a month, and when its invoices were made. */
export type Month = { until: string; at: number }
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
type Raw = {
  calls: Call[]
  offers: Offer[]
  clicks: Map<string, { offer: number; affiliate: number }>
  vat: Map<string, string>
  includesHold: Map<number, boolean>
}

/** Reads raw rows alone: calls as they were kept, and what offers pay. */
export async function readRaw(db: Db): Promise<Raw> {
  const rows = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows
  const calls = await rows(sql<{ at: Date; query: string }>`select received_at as at, query from postback_in order by received_at, id`)
  const offers = await rows(sql<Offer>`
    select o.id, o.advertiser_id as advertiser, o.currency, c.decimals, o.hold_days, r.payout_fixed::text, r.payout_percent::text, r.revenue_fixed::text, r.revenue_percent::text
      from offer o join currency c on c.code = o.currency join payout_rule r on r.offer_id = o.id`)
  // a click id names its offer and its affiliate: the log of calls keeps both
  const clicks = await rows(
    sql<{
      id: string
      offer: number
      affiliate: number
    }>`select distinct click_id as id, offer_id as offer, affiliate_id as affiliate from postback_in`,
  )
  const vat = await rows(sql<{ who: string; rate: string }>`
    select 'affiliate ' || affiliate_id as who, vat_rate::text as rate from tax_profile union all select 'advertiser ' || advertiser_id, vat_rate::text from advertiser_billing`)
  const holds = await rows(sql<{ id: number; holds: boolean }>`select advertiser_id as id, include_hold as holds from advertiser_billing`)
  return {
    calls: calls.map(({ at, query }) => ({ at: at.getTime(), query })),
    offers,
    clicks: new Map(clicks.map(({ id, ...click }) => [id, click])),
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
  invoiced: bigint | null
  billed: bigint
}

/** Adds the quarter up: each call in its turn, and at each end of a month what was worth something until then. */
export function recount(raw: Raw, months: readonly Month[], zone: string, end: number) {
  const known = new Map<string, Known>()
  const invoices: string[] = []
  const owed = new Map<string, bigint>()
  let corrections = 0
  const moments = [...raw.calls.map((call) => ({ at: call.at, call })), ...months.map((month) => ({ at: month.at, month }))].toSorted(
    (one, other) => one.at - other.at,
  )
  for (const moment of moments) {
    if ('call' in moment) hear(moment.call)
    else closeMonth(moment.month)
  }

  function hear({ at, query }: Call): void {
    const said = new URLSearchParams(query)
    const id = said.get('click_id') ?? ''
    const click = raw.clicks.get(id)
    const offer = raw.offers.find((one) => one.id === click?.offer)
    if (click === undefined || offer === undefined) throw new Error(`nobody knows ${id}`)
    const amount = said.get('amount')
    const before = known.get(id)
    if (before === undefined) {
      const held = at + offer.hold_days * 86_400_000
      known.set(id, {
        offer,
        affiliate: click.affiliate,
        at,
        said: said.get('status') ?? '',
        amount: parse(amount ?? '0'),
        held,
        invoiced: null,
        billed: 0n,
      })
      return
    }
    before.said = said.get('status') ?? ''
    if (amount !== null && before.said !== 'declined') before.amount = parse(amount)
  }

  function closeMonth({ until, at }: Month): void {
    const midnight = Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
    const sums = new Map<string, bigint>()
    const [payable, billable] = [[] as [Known, bigint][], [] as [Known, bigint][]]
    for (const one of known.values()) {
      const approved = one.said === 'approved' && one.held <= at
      const now = approved ? payoutOf(one) : 0n
      const difference = one.invoiced === null ? (approved && one.at < midnight ? now : null) : now - one.invoiced
      if (difference !== null && (one.invoiced === null || difference !== 0n)) {
        payable.push([one, now])
        add(sums, `affiliate ${one.affiliate} ${one.offer.currency}`, difference)
        if (one.invoiced !== null) corrections++
      }
      const earned = one.said === 'approved' ? revenueOf(one) : 0n
      const counts = approved || one.billed !== 0n || raw.includesHold.get(one.offer.advertiser) === true || one.said !== 'approved'
      if (one.at < midnight && counts && earned !== one.billed) {
        billable.push([one, earned])
        add(sums, `advertiser ${one.offer.advertiser} ${one.offer.currency}`, earned - one.billed)
      }
    }
    const made = new Set<string>()
    for (const [who, sum] of sums) {
      const { decimals } = raw.offers.find(({ currency }) => who.endsWith(` ${currency}`))!
      const net = rounded(sum, 1n, decimals)
      if (net <= 0n) continue
      made.add(who)
      const [side, id, currency] = who.split(' ')
      const vat = rounded(net * parse(raw.vat.get(`${side} ${id}`) ?? '0'), 100n * 100_000_000n, decimals)
      invoices.push(`${who} ${until} ${text(net)} ${text(vat)} ${text(net + vat)}`)
      add(
        owed,
        side === 'affiliate' ? `affiliate_invoiced ${id} ${currency}` : `advertiser_invoiced ${id} ${currency}`,
        side === 'affiliate' ? -net - vat : net + vat,
      )
    }
    for (const [one, now] of payable) if (made.has(`affiliate ${one.affiliate} ${one.offer.currency}`)) one.invoiced = now
    for (const [one, earned] of billable) if (made.has(`advertiser ${one.offer.advertiser} ${one.offer.currency}`)) one.billed = earned
  }

  const balances = new Map(owed)
  const statistics = new Map<string, { payout: bigint; revenue: bigint }>()
  for (const one of known.values()) {
    const own = `${one.affiliate} ${one.offer.currency}`
    const theirs = `${one.offer.advertiser} ${one.offer.currency}`
    if (one.held > end) throw new Error('the quarter ends after every hold')
    const [payout, revenue] = one.said === 'approved' ? [payoutOf(one), revenueOf(one)] : [0n, 0n]
    add(balances, `payout_cost ${own}`, payout)
    add(balances, `network_revenue ${theirs}`, -revenue)
    add(balances, `receivable ${theirs}`, revenue - one.billed)
    if (one.said === 'pending') add(balances, `affiliate_pending ${own}`, -payoutOf(one))
    if (one.invoiced === null) add(balances, `affiliate_available ${own}`, -payout)
    else add(balances, `affiliate_correction ${own}`, one.invoiced - payout)
    const month = new Date(one.at).toLocaleDateString('sv', { timeZone: zone }).slice(0, 7)
    const key = `${month} ${one.affiliate} ${one.offer.currency}`
    const sum = statistics.get(key) ?? { payout: 0n, revenue: 0n }
    statistics.set(key, { payout: sum.payout + payout, revenue: sum.revenue + revenue })
  }
  return {
    calls: raw.calls.length,
    corrections,
    invoices,
    balances: Object.fromEntries([...balances].filter(([, amount]) => amount !== 0n).map(([key, amount]) => [key, text(amount)])),
    statistics: [...statistics]
      .filter(([, { payout, revenue }]) => payout !== 0n || revenue !== 0n)
      .map(([key, { payout, revenue }]) => `${key} ${text(payout)} ${text(revenue)}`),
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

function parse(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole) * 100_000_000n + BigInt(fraction.padEnd(8, '0'))
}

function text(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(9, '0')
  const shown = `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '')
  return amount < 0n ? `-${shown}` : shown
}

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}
