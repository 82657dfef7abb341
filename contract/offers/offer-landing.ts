import { z } from 'zod'
import { reference, uuid } from '#contract/fields.ts'

/** Only an active landing is drawn or reached. One proposed within an offer waits in moderation. */
export const LANDING_STATUSES = ['moderation', 'active', 'stopped', 'deleted'] as const
export const landingStatus = z.enum(LANDING_STATUSES)
export type LandingStatus = z.output<typeof landingStatus>

/** A pre-landing comes before the landing and leads on to it. */
export const landingType = z.enum(['landing', 'prelanding'])

/** Looks at its address in a row that must fail before a landing is shown as broken: one may be the network's own hiccup. */
export const BROKEN_AFTER = 3

/** Share of the visitors, against the other active landings of its type in the offer; 0 = only when a link asks for it. */
export const weight = z.int('A whole number from 0 to 1000').min(0, 'From 0 to 1000').max(1000, 'From 0 to 1000')

/** The number of a landing in a click link; '' = none is asked for. */
export const landingNumber = z.union([z.literal(''), z.string().regex(/^[1-9]\d{0,8}$/)])

/** A landing within an offer, as staff see it. */
export const offerLanding = reference.extend({
  type: landingType,
  status: landingStatus,
  language: z.string(),
  /** '' where the offer is not the caller's own. */
  url: z.string(),
  /** A private one's only where the offer is the caller's own. */
  preview: uuid.nullable(),
  weight,
  /** What staff answered when they decided about it; '' where the offer is not the caller's own. */
  reason: z.string(),
  /** Private ones are never drawn. */
  private: z.boolean(),
  /** Looks at its address in a row that failed. */
  failures: z.int(),
})

/** How many landings and pre-landings an offer takes. */
export const MOST_OFFER_LANDINGS = 100

/** The landings of an offer in their order, as they are saved. */
export const offerLandingsInput = z
  .array(z.object({ landing_uuid: uuid, weight }))
  .max(MOST_OFFER_LANDINGS)
  .refine((list) => new Set(list.map((entry) => entry.landing_uuid)).size === list.length, 'A landing stands in an offer once')
  .default([])

/** A landing as an affiliate sees it. */
export const partnerLanding = z.object({
  /** The number for `landing=` in a link. */
  id: z.int(),
  name: z.string(),
  type: landingType,
  language: z.string(),
  preview: uuid.nullable(),
  /** The page with sample values in place of macros. */
  preview_url: z.string(),
  /** The page does not answer; why is for staff. */
  broken: z.boolean(),
})
