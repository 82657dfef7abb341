import { z } from 'zod'

/** direct: people are sent on by a link. api: an offer of leads, which are sent to advertisers' systems. */
export const OFFER_TYPES = ['direct', 'api'] as const
export const offerType = z.enum(OFFER_TYPES)
export type OfferType = z.output<typeof offerType>
