import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { moment, reference, uuid } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { offerCap } from './offer-cap.ts'

const states = z.enum(['active', 'paused', 'stopped'])
const terms = z.object({ payout_fixed: z.string(), payout_percent: z.string() })
const places = z.object({ mode: z.enum(['include', 'exclude']), values: z.array(z.string()) })

/** One thing that changed for an affiliate; null = nothing of it there was, or there is. */
const partnerChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('state'), before: states.nullable(), after: states }),
  z.object({
    kind: z.literal('payout'),
    goal: z.string(),
    /** Landings by name; empty lists mean "any other". */
    where: z.object({ landings: z.array(z.string()), geos: z.array(z.string()), devices: z.array(z.string()), oses: z.array(z.string()) }),
    before: terms.nullable(),
    after: terms.nullable(),
  }),
  z.object({ kind: z.literal('caps'), before: z.array(offerCap), after: z.array(offerCap) }),
  z.object({ kind: z.literal('geo'), before: places.nullable(), after: places.nullable() }),
  z.object({ kind: z.literal('hold'), before: z.int(), after: z.int() }),
  /** Names of landings that came. */
  z.object({ kind: z.literal('landings'), added: z.array(z.string()) }),
])
export type PartnerChange = z.output<typeof partnerChange>

export const partnerChangeApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/offer/v1/partner-changes',
    access: 'offer.partner',
    reads: true,
    summary: 'What changed for the affiliate in the last 90 days on offers it may see, newest first; never revenue or advertiser.',
    body: z.object({ offer_uuid: uuid.nullable().default(null), count: z.int().min(1).max(100).default(50) }),
    response: z.object({
      list: z.array(z.object({ at: moment, offer: reference, currency, changes: z.array(partnerChange) })),
    }),
  }),
}
