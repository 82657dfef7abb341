import type { TrafficType } from '#contract/leads/traffic-type.ts'
import { openChance } from './chance.ts'

/** How old a lead is when it is sold a second time, in days from and to; leads as they come have no band. */
export const AGE_BANDS = [7, 30, 90, 180, 365] as const
/** 0 = a week at most … 5 = older than a year. */
export function ageBand(days: number): number {
  const band = AGE_BANDS.findIndex((most) => days < most)
  return band === -1 ? AGE_BANDS.length : band
}

/** What earlier leads of one sort came to; amounts in hundred-millionths. Sources and advertisers by their numbers, 0 = nobody. */
export type PastSales = {
  traffic: TrafficType
  /** Of warm leads null. */
  band: number | null
  source: number
  advertiser: number
  /** What came together, such as a week: so much do results differ beyond chance. */
  cohort: number
  leads: number
  /** How many of them brought money, in whatever currency. */
  paid: number
  /** What some of these brought in the currency that is asked about, and what was paid for them; null = they were nobody's. */
  amounts: readonly { revenue: bigint; payout: bigint | null }[]
}

/** People that would be sold. */
export type ToSell = { traffic: TrafficType; band: number | null; source: number; people: number }

export type Asked = {
  people: readonly ToSell[]
  /** Who may be asked. */
  advertisers: ReadonlySet<number>
  past: readonly PastSales[]
  payout: { kind: 'none' } | { kind: 'original' } | { kind: 'fixed'; amount: bigint }
  seed: string
}

/** Four of five times it is between these. */
export type Interval = { low: bigint; high: bigint }
export type Projection = {
  /** null = there is nothing to tell it by. */
  revenue: Interval | null
  payout: Interval | null
  /** What it rests on: leads of the kind, those of second sales among them, and those that brought money. */
  basis: { leads: number; cold: number; paid: number }
}

const DRAWS = 600
/** What is measured of few is taken for what is known of more until there are about so many. */
const PULL = 60
/** So much of a second sale is assumed of a first one where there were none, anything between nothing and all of it. */
const OF_WARM = 0.5
const OF_WARM_VARIANCE = 1 / 3
/** Results of cohorts differ by at least so much and are taken to differ by at most so much, as variances beside the mean. */
const DIFFER = { least: 0.01, most: 1 }

type Rate = { of: number; leads: number }

/**
 * What a sale would bring, out of what earlier ones of the kind did. The rate of each sort of people is that of their age, of those who
 * were asked and of their source, each drawn towards the wider one as far as there are few; then it is played many times: the rate as
 * uncertain as it was measured and as cohorts differ, the number of those who bring money by chance, what each brings one of the earlier
 * amounts. The same question with the same seed has the same answer. Without earlier money there is none.
 */
export function projectSales({ people, advertisers, past, payout, seed }: Asked): Projection {
  const cold = past.filter(({ traffic }) => traffic === 'cold')
  const basis = { leads: sum(past, ({ leads }) => leads), cold: sum(cold, ({ leads }) => leads), paid: sum(past, ({ paid }) => paid) }
  const nothing = { revenue: null, payout: payout.kind === 'none' ? { low: 0n, high: 0n } : null, basis }
  const amounts = poolOf(past, advertisers)
  if (basis.paid === 0 || amounts.length === 0 || people.length === 0) return nothing
  const shares = amounts.flatMap(({ revenue, payout: paid }) => (paid === null || revenue === 0n ? [] : [{ revenue, paid }]))
  const sorts = people.map((one) => ({ ...one, ...rateOf(one, advertisers, past) }))
  const common = commonVariance(people, past)
  const chance = openChance(seed)
  const revenues: bigint[] = []
  const payouts: bigint[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const shared = chance.factor(common)
    let revenue = 0n
    let spend = 0n
    for (const { of, leads, people: many, source } of sorts) {
      // by its odds, so that no share passes all
      const odds = (of / Math.max(1 - of, 1e-9)) * shared * chance.factor(1 / (of * (1 - of) * leads + 1))
      const paid = chance.among(many, odds / (1 + odds))
      for (let lead = 0; lead < paid; lead++) {
        const one = amounts[Math.floor(chance.next() * amounts.length)]
        if (one === undefined) continue
        revenue += one.revenue
        if (payout.kind === 'none' || source === 0) continue
        if (payout.kind === 'fixed') spend += payout.amount
        else if (one.payout !== null) spend += one.payout
        else {
          // of what was nobody's as much would be paid as of others
          const share = shares[Math.floor(chance.next() * shares.length)]
          if (share !== undefined) spend += (one.revenue * share.paid) / share.revenue
        }
      }
    }
    revenues.push(revenue)
    payouts.push(spend)
  }
  const unpriced = payout.kind === 'original' && shares.length === 0
  return { revenue: between(revenues), payout: unpriced ? null : between(payouts), basis }
}

/** What leads brought: of those who are asked, where that are enough to be drawn from, else of all. */
function poolOf(past: readonly PastSales[], advertisers: ReadonlySet<number>) {
  const own = past.filter(({ advertiser }) => advertisers.has(advertiser)).flatMap((one) => one.amounts)
  return own.length >= 5 ? own : past.flatMap((one) => one.amounts)
}

/** How many of such people bring money, and how many leads say so. */
function rateOf({ traffic, band, source }: ToSell, advertisers: ReadonlySet<number>, past: readonly PastSales[]): Rate {
  const same = past.filter((one) => one.traffic === traffic)
  const aged = same.filter((one) => one.band === band)
  const asked = aged.filter(({ advertiser }) => advertisers.has(advertiser))
  const theirs = asked.filter((one) => one.source === source)
  const warm = rateFrom(past.filter((one) => one.traffic === 'warm'))
  const first: Rate = traffic === 'cold' ? { of: warm.of * OF_WARM, leads: Math.min(warm.leads, PULL) } : { of: 0, leads: 0 }
  return [same, aged, asked, theirs].reduce<Rate>((wider, some) => drawnTo(wider, rateFrom(some)), first)
}

function rateFrom(some: readonly PastSales[]): Rate {
  const leads = sum(some, (one) => one.leads)
  return { of: leads === 0 ? 0 : sum(some, ({ paid }) => paid) / leads, leads }
}

function drawnTo(wider: Rate, own: Rate): Rate {
  const pull = Math.min(wider.leads, PULL)
  const leads = own.leads + pull
  return leads === 0 ? wider : { of: (own.of * own.leads + wider.of * pull) / leads, leads: own.leads + pull }
}

/** How far all sorts together may be off: few were measured, cohorts differ, and of second sales there were too few to tell. */
function commonVariance(people: readonly ToSell[], past: readonly PastSales[]): number {
  const traffic = people.every((one) => one.traffic === 'warm') ? 'warm' : 'cold'
  const same = past.filter((one) => one.traffic === traffic)
  const measured = telling(same)
  const guessed = traffic === 'cold' ? PULL / (sum(same, ({ leads }) => leads) + PULL) : 0
  const known = guessed === 1 ? telling(past) : measured
  return 1 / (known + 0.5) + differing(same) + guessed ** 2 * OF_WARM_VARIANCE
}

/** How much leads tell of the odds: of those nearly all or nearly none of which bring money little. */
function telling(some: readonly PastSales[]): number {
  const { of, leads } = rateFrom(some)
  return leads * of * (1 - of)
}

/** How much cohorts differ beyond chance, beside the square of the mean: by moments. */
function differing(same: readonly PastSales[]): number {
  const whole = rateFrom(same)
  const cohorts = [...Map.groupBy(same, ({ cohort }) => cohort).values()].map((some) => rateFrom(some))
  let [beyond, squares] = [0, 0]
  for (const { of, leads } of cohorts) {
    const expected = leads * whole.of
    beyond += (of * leads - expected) ** 2 - expected
    squares += expected ** 2
  }
  return squares === 0 ? DIFFER.most : Math.min(DIFFER.most, Math.max(DIFFER.least, beyond / squares))
}

/** The tenth part below and the tenth part above are left out. */
function between(drawn: bigint[]): Interval {
  const sorted = drawn.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0n
  return { low: at(0.1), high: at(0.9) }
}

function sum<Of>(some: readonly Of[], by: (one: Of) => number): number {
  return some.reduce((all, one) => all + by(one), 0)
}
