import { namesOf } from '#server/features/leads/integrity/assess.service.ts'
import type { Hashes } from '#server/features/leads/integrity/integrity.queries.ts'
import type { LeadInput } from '#contract/leads/lead.ts'
import type { CheckedLead } from './check-lead.ts'
import { personNames } from './person-names.ts'
import type { LeadOffer } from './session.queries.ts'

/**
 * By whom and how a lead comes. `sameWithin`: the same person again within so many ms is the same lead. `lease`: who receives it offers
 * it at once, and has it in hand from the start.
 */
export type LeadFrom = {
  affiliateId: number
  origin: 'api' | 'landing' | 'test'
  landingId?: number | null
  sameWithin?: number
  lease?: boolean
  /** The offers a key is bound to; absent or none = any. */
  offerIds?: readonly number[]
}

/** A lead as it was sent, of an offer its affiliate may know, with nothing wrong in it. */
export type Given = { place: number; input: LeadInput; offer: LeadOffer; checked: CheckedLead; hashes: Hashes; test: boolean }

/** What others may send at the same moment that must wait for this. Of many at once people are locked by name, before their rows are. */
export function locksOf(given: Given, from: LeadFrom, many: boolean): string[] {
  const { input, offer, hashes, test } = given
  const spelt = (kind: keyof Hashes) => hashes[kind]?.toString('base64') ?? ''
  return [
    ...(input.external_id === undefined ? [] : [`lead ${from.affiliateId} ${input.external_id}`]),
    ...(from.sameWithin === undefined ? [] : [`lead form ${from.affiliateId} ${offer.id} ${spelt('phone')} ${spelt('email')}`]),
    ...(input.click_id === undefined || input.click_id === '' ? [] : [`lead click ${input.click_id.toLowerCase()}`]),
    // two of one telephone come one after the other, whatever their e-mail addresses
    ...(many || (!test && offer.repeat_days !== 0) ? personNames({ phone_hash: hashes.phone, email_hash: hashes.email }) : []),
    ...(test ? [] : namesOf({ ...given, ...given.checked, offerId: offer.id, affiliateId: from.affiliateId, integrity: offer.integrity })),
  ]
}

/** Leads that know nothing of each other, in as few rounds as there are; a later one finds what the earlier ones became. */
export function wavesOf(given: readonly Given[], from: LeadFrom): Given[][] {
  const waves: { taken: Set<string>; leads: Given[] }[] = []
  let first = 0
  for (const one of given) {
    const { input, hashes } = one
    const names = [
      ...(input.external_id === undefined ? [] : [`id ${input.external_id}`]),
      ...(input.click_id === undefined || input.click_id === '' ? [] : [`click ${input.click_id.toLowerCase()}`]),
      ...personNames({ phone_hash: hashes.phone, email_hash: hashes.email }),
      ...(from.sameWithin === undefined ? [] : ['form']),
    ]
    const met = waves.findLastIndex(({ taken }) => names.some((name) => taken.has(name)))
    first = met + 1
    const wave = waves[first] ?? { taken: new Set<string>(), leads: [] }
    waves[first] = wave
    for (const name of names) wave.taken.add(name)
    wave.leads.push(one)
  }
  return waves.map(({ leads }) => leads)
}
