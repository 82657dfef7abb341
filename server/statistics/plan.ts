import type { TrafficType } from '#contract/leads/traffic-type.ts'
import type { OfferType } from '#contract/offers/offer-type.ts'
import type { FirstDay } from '#contract/traffic/period.ts'
import type { DimensionId } from '#contract/traffic/dimension.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Range } from './period.ts'
import type { RateTable } from './rates.ts'

/** Rows that may be read: all, one affiliate's, or those where the affiliate or the advertiser is one of these. */
export type RowScope =
  | { kind: 'all' }
  | { kind: 'affiliate'; affiliate: number }
  | { kind: 'partners'; affiliates: number[]; advertisers: number[] }

/**
 * Rows whose dimension is one of the values (numbers of entities, words otherwise), or contains a text. No values and no text: no row.
 * With `not` all other rows.
 */
export type Condition = { dimension: DimensionId; is: readonly (number | string)[]; contains?: string; not?: true }

/** Rows of offers of one type: those of leads, or all others. `leads` = the numbers of the offers that take leads. */
export type OfType = { type: OfferType; leads: readonly number[] }

/**
 * What rows do not carry but follows from what they carry: the present owner of an affiliate, the currency of an offer, the goals that are
 * results of leads; and the goals hidden from who asks: their conversions have none, and count only where they pay something.
 */
export type Lookups = {
  managerOf: ReadonlyMap<number, number>
  currencyOf: ReadonlyMap<number, string>
  hiddenGoals: readonly number[]
  /** The goal the leads of each offer are sold for, where that is asked for. */
  leadGoals: readonly number[]
  /** Whether a refusal is read as affiliates do. */
  asAffiliate: boolean
}

/** A question to the report engine, everything resolved: no names, no presets, no permissions. */
export type ReportPlan = {
  range: Range
  zone: string
  /** Where weeks begin; Monday where it is not said. */
  firstDay?: FirstDay
  /** Which time of a conversion decides where it counts. */
  time: 'conversion' | 'click'
  /** Counts the money of pending conversions in payout and revenue too. */
  pending?: boolean
  groups: readonly DimensionId[]
  /** Where `day` is cut instead of at midnight: moments in seconds, the first not after `range.from`. Their text is the key. */
  cuts?: readonly number[]
  metrics: readonly MetricId[]
  /** Asks for the sum `last` too: when the last click (to the quarter hour, out of a roll-up) or conversion was, in seconds. */
  last?: true
  /** All of them must hold. */
  conditions: readonly Condition[]
  /** One of them must hold, where there are any. */
  search: readonly Condition[]
  scope: RowScope
  /** Absent = of whatever type. */
  ofType?: OfType | undefined
  /** Absent = warm and cold. */
  traffic?: TrafficType | undefined
  lookups: Lookups
  /** null = amounts are all in one currency, or stay in their own. */
  rates: RateTable | null
  /** By a metric or by the group at an index; `ranks` orders a group's numbers by something else, such as names. */
  order: { metric: MetricId } | { group: number; ranks?: ReadonlyMap<number, number> }
  direction: 'asc' | 'desc'
  limit: number
  offset: number
}
