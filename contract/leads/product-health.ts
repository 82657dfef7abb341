import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { moment, reference, uuid } from '#contract/fields.ts'
import { capPeriod } from '#contract/offers/offer-cap.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { MEMBER_MEASURES } from './api-offer.ts'
import { HINDRANCES } from './product.ts'

/** What keeps the product itself from being offered leads; silent: it is, and says nothing of open ones. */
export const HEALTH_STATES = ['ok', 'silent', ...HINDRANCES] as const

/** So many times in a row an advertiser's list named none of the open leads: then something is wrong with it. */
export const SILENT_TIMES = 3

const health = z.object({
  uuid,
  id: z.int(),
  title: z.string(),
  advertiser: reference,
  state: z.enum(HEALTH_STATES),
  /** Errors in a row. */
  failures: z.int(),
  /** Of one that rests, is closed or is full: until when; null = that is not known. */
  until: moment.nullable(),
  /** Leads sent in these days, tests left out, by what they came to; `unsendable` lacked what its system asks for, so it was asked nothing. */
  sent: z.int(),
  unsendable: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  duplicate: z.int(),
  no_capacity: z.int(),
  error: z.int(),
  ambiguous: z.int(),
  /** Of those its advertiser said yes or no to, in percent with two decimals; null = of none. */
  accept_rate: z.string().nullable(),
  /** How long an answer takes half of the time, and nineteen times of twenty; in ms. */
  p50: z.int().nullable(),
  p95: z.int().nullable(),
  last_accepted_at: moment.nullable(),
  /** When something was last said of leads of these days. */
  last_status_at: moment.nullable(),
  /** Times in a row its list named no open lead, and why it could not be read; '' = it could. */
  silent: z.int(),
  pull_error: z.string(),
  /** What was said of leads not taken, the most frequent five, without what looks like a contact. */
  reasons: z.array(z.object({ status: z.string(), reason: z.string(), count: z.int() })),
  /** Its own caps that run now, and those of its places in offers. */
  caps: z.array(
    z.object({
      /** null = one of its own, over all offers. */
      offer: reference.nullable(),
      measure: z.enum(MEMBER_MEASURES),
      period: capPeriod,
      limit: z.int(),
      used: z.int(),
    }),
  ),
})
export type ProductHealth = z.output<typeof health>

/** How advertisers' systems are doing. */
export const productHealthApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/product-health/v1/list',
    access: 'lead.decide',
    reads: true,
    summary: 'How products of advertisers in the own scope did over the last days: taken, refused and why, how fast, caps, silence.',
    body: z.object({
      ...paging,
      ...sorting(['title', 'advertiser'], 'asc'),
      days: z.int().min(1).max(90).default(7),
      product_uuid: z.array(uuid).max(100).default([]),
      /** Only those that are offered no leads: blocked or at rest. */
      stopped: z.boolean().default(false),
    }),
    response: listOf(health),
  }),
}
