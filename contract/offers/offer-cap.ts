import { z } from 'zod'
import { reference } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'

/** By the clock of the offer's zone; a week begins on Monday, `total` never ends. */
export const CAP_PERIODS = ['hour', 'day', 'week', 'month', 'total'] as const
export const capPeriod = z.enum(CAP_PERIODS)
export type CapPeriod = z.output<typeof capPeriod>

/** The whole offer together, or each affiliate for itself. */
export const capScope = z.enum(['offer', 'affiliate'])
/** How many conversions that are pending, on hold or approved, or what they pay in the offer's currency. */
export const capMeasure = z.enum(['conversions', 'payout'])

/** A limit of an offer: a conversion takes its place when it is received, and keeps it until it is declined. */
export const offerCap = z.object({
  period: capPeriod,
  scope: capScope,
  measure: capMeasure,
  limit: z.string().regex(/^(?=.*[1-9])\d{1,12}(\.\d{1,8})?$/, 'A number above 0'),
})
export type OfferCap = z.output<typeof offerCap>

/** Another limit of one cap, while it has the one that was seen; `offer` is where the offer goes with it, where it is not there already. */
export const capChange = offerCap
  .extend({ expected: offerCap.shape.limit, offer: z.enum(['active', 'paused']).optional() })
  .superRefine((cap, context) => {
    for (const { path, message } of capMistakes([cap])) context.addIssue({ code: 'custom', path: [path[1]], message })
  })

/** How many decimals an amount has, without zeros at its end. */
export function decimalPlaces(amount: string): number {
  return amount.includes('.') ? (amount.replace(/0+$/, '').split('.')[1] ?? '').length : 0
}

/** What is said of a limit that has more decimals than its currency. */
export function finerText(decimals: number): string {
  return decimals === 0 ? 'A whole number from 1' : `At most ${decimals} decimals, as the currency has`
}

type CapMistake = { path: [number, keyof OfferCap]; message: string }

/** What is wrong with the caps of an offer, by the path within them. */
export function capMistakes(caps: readonly OfferCap[]): CapMistake[] {
  return caps.flatMap((cap, index): CapMistake[] => {
    const first = caps.findIndex((one) => one.period === cap.period && one.scope === cap.scope && one.measure === cap.measure)
    if (first !== index) return [{ path: [index, 'period'], message: 'There is such a cap already' }]
    return cap.measure === 'conversions' && !/^[1-9]\d{0,8}$/.test(cap.limit)
      ? [{ path: [index, 'limit'], message: 'A whole number from 1' }]
      : []
  })
}

/** How far a cap of an offer is filled in the period that runs. */
export const capLevel = offerCap.extend({
  /** Conversions, or an amount; of a cap for each affiliate that of the one who has most. May be above the limit: what was declined and is approved again is never refused a place. */
  used: z.string(),
  /** Affiliates whose own cap is full; 0 for a cap of the whole offer. */
  full: z.int(),
})

/** The same as an affiliate sees it: `used` is its own and null for a cap of the whole offer, of which it learns the share only. */
export const partnerCapLevel = offerCap.extend({ used: z.string().nullable(), percent: z.int() })

/** A cap that holds for one affiliate, as staff see it: `used` is the affiliate's own, of a cap of the whole offer everybody's. */
export const affiliateCap = z.object({
  offer: reference,
  currency,
  time_zone: z.string(),
  ...offerCap.shape,
  used: z.string(),
  percent: z.int(),
})
