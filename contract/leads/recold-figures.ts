import { z } from 'zod'
import { reference, timeZone, uuid } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { period } from '#contract/traffic/period.ts'

/** By what figures of second sales are told: how old leads were, whose they were, what they first came for, and who was asked. */
export const RECOLD_GROUPINGS = ['age', 'source', 'offer', 'advertiser'] as const
export type RecoldGrouping = (typeof RECOLD_GROUPINGS)[number]

/** Ages in days: younger than a week, a month, a quarter, half a year, a year, and older. */
export const AGES = ['0', '1', '2', '3', '4', '5'] as const

const sums = {
  /** Sends; by advertiser those that one was asked, of which several may be of one lead. */
  sent: z.int(),
  accepted: z.int(),
  /** Conversions that brought money and were not declined. */
  conversions: z.int(),
  revenue: z.array(
    z.object({
      currency,
      amount: z.string(),
      payout: z.string(),
      /** Revenue of a thousand sends; null = nobody was sent. */
      per_thousand: z.string().nullable(),
    }),
  ),
  /** People who complained, and who wished no more of it, after they were sent; by advertiser those who say so of it or of everybody. */
  complaints: z.int(),
  opt_outs: z.int(),
}

export const recoldFiguresInput = z.object({
  /** Of one distribution; null = of all in scope. */
  uuid: uuid.nullable().default(null),
  /** When people were sent, by days of the zone (null = the caller's own); null = whenever. */
  period: period.nullable().default(null),
  zone: timeZone.nullable().default(null),
})

/** Of each grouping its rows, those with most sends first; `total` = everything. */
export const recoldFigures = z.object({
  total: z.object(sums),
  rows: z.array(
    z.object({
      by: z.enum(RECOLD_GROUPINGS),
      /** Of `age` one of `AGES`. */
      age: z.enum(AGES).nullable(),
      /** Of the others; null = nobody's, or of somebody the caller does not see. */
      of: reference.nullable(),
      ...sums,
    }),
  ),
})
export type RecoldFigures = z.output<typeof recoldFigures>
