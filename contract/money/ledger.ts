import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { currency } from './amount.ts'

/** What an affiliate has in one currency: `available` may be paid out, `hold` waits for its days to pass. */
export const balance = z.object({ currency, available: z.string(), hold: z.string() })

/** Payouts on hold that become available on one day (YYYY-MM-DD) of the affiliate's zone. */
const release = z.object({ day: z.string(), amount: z.string(), conversions: z.int() })

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

/**
 * Something in the books that does not agree: a `balance` with its entries, a `transfer` in itself, the accounts of a `currency` among
 * each other, or an account with the rows it stands for (`standing`). Amounts have the signs of the books: positive = debit.
 */
export const booksDifference = z.object({
  rule: z.enum(['balance', 'transfer', 'currency', 'standing', 'invoice', 'number']),
  kind: z.string().nullable(),
  owner: z.int().nullable(),
  currency: z.string().nullable(),
  expected: z.string(),
  found: z.string(),
  transfer: z.string().nullable(),
})
export type BooksDifference = z.output<typeof booksDifference>

export const ledgerApi = {
  balance: endpoint({
    method: 'GET',
    path: '/api/ledger/v1/balance',
    access: 'balance.own',
    summary: 'The own balance, one entry per currency, and the days on which what is on hold is free.',
    response: z.object({ list: z.array(ownBalance) }),
  }),
}
