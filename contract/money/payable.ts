import { z } from 'zod'
import { day, uuid } from '#contract/fields.ts'
import { currency } from './amount.ts'

/** So many conversions can be put on invoices at once, and so many lines may one have by hand. */
export const MOST_LINES = 10_000

/** Which approved conversions on no invoice. */
export const payableFilter = {
  affiliate_uuid: z.array(uuid).max(100).default([]),
  offer_uuid: z.array(uuid).max(100).default([]),
  currency: z.array(currency).max(50).default([]),
  /** Days of the network's zone, both included. */
  from: day.nullable().default(null),
  to: day.nullable().default(null),
}

/** Which conversions are put on invoices: those chosen, or all that match. */
export const chosenPayable = z
  .object({
    /** Of the call: sent again, it is the same. */
    key: uuid.nullable().default(null),
    uuids: z.array(uuid).max(MOST_LINES).default([]),
    filter: z.object(payableFilter).nullable().default(null),
    /** Of who owes more than these come to: it is left to the next invoice, instead of coming along. */
    leave_debt: z.boolean().default(false),
  })
  .refine(({ uuids, filter }) => uuids.length > 0 !== (filter !== null), { message: 'Choose conversions, or a filter', path: ['uuids'] })
