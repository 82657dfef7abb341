import { affiliateOf, type Actor } from '#server/access/actor.ts'

/** Whose leads are asked for; `offerIds`: of these offers alone, none = of all. */
export type LeadOwner = { affiliateId: number; offerIds: readonly number[] }

/** Whose leads a call is about. */
export function ownerOf(actor: Actor): LeadOwner {
  return { affiliateId: affiliateOf(actor), offerIds: actor.key?.offerIds ?? [] }
}
