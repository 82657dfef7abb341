import { z } from 'zod'
import { currency } from './amount.ts'

/** What an affiliate has in one currency: `available` may be paid out, `hold` waits for its days to pass. */
export const balance = z.object({ currency, available: z.string(), hold: z.string() })

/** Payouts on hold that become available on one day (YYYY-MM-DD) of the affiliate's zone. */
export const release = z.object({ day: z.string(), amount: z.string(), conversions: z.int() })

/** How many days of a currency are named one by one; what is free later is one sum. */
export const RELEASE_DAYS = 3

/** The same as its owner sees it. `releases` and `later` add up to the payouts on hold. */
export const ownBalance = balance.extend({
  /** Payouts the advertiser has still to decide about: no balance yet. */
  pending: z.string(),
  /** The next days on which something on hold is free, the first one first. */
  releases: z.array(release),
  /** What is free after those, the last of it on `day`; null = nothing. */
  later: release.nullable(),
})
