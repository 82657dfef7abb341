import { CONSENT_MISSING } from '#contract/leads/integrity.ts'
import type { LeadInput } from '#contract/leads/lead.ts'
import { AppError } from '#server/platform/errors.ts'
import { readClickId, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { missingOfConsent } from '#server/rules/lead/consent.ts'
import { isRunning } from '#server/rules/offer/is-running.ts'
import { passesTarget } from '#server/rules/offer/target.ts'
import type { LeadOffer } from './session.queries.ts'

/** Whose lead it is, and for which offer. */
export type Whose = { affiliateId: number; offerId: number }

/** As of links: who is let in. */
export function hasAccess({ privacy, access }: LeadOffer): boolean {
  if (access === 'rejected' || access === 'blocked') return false
  return privacy === 'public' || access === 'approved'
}

/** Refuses a lead of an offer that takes none now, or none of its country. */
export function refuseClosed(offer: LeadOffer, now: number, country = ''): void {
  if (!isRunning(offer, now)) throw new AppError('lead_offer_closed')
  if (!passesTarget(offer.targeting.geo, country))
    throw new AppError('invalid_input', { fields: { country: 'This offer takes no leads of this country' } })
}

/** Refuses a click that is not that affiliate's of that offer, in the same words whosever it is: a stranger's is as unknown as none. */
export function refuseStrangeClick(asked = '', { affiliateId, offerId }: Whose, keys: ClickIdKeys): void {
  if (asked === '') return
  const parts = readClickId(asked.toLowerCase(), keys)
  if (parts?.affiliateId !== affiliateId || parts.offerId !== offerId)
    throw new AppError('invalid_input', {
      fields: { click_id: 'This is no click of yours on this offer: send a click id of ours, and one of your own as a sub' },
    })
}

/** Refuses a lead without the consent its offer asks for, with each part that is missing; nothing of it is kept. */
export function refuseWithoutConsent({ consent: rule }: LeadOffer, { consent }: LeadInput): void {
  if (rule.mode !== 'refuse') return
  const missing = missingOfConsent(rule, consent)
  if (missing.length > 0)
    throw new AppError('lead_refused', {
      fields: Object.fromEntries(missing.map((name) => [name, 'Required'])),
      values: { code: CONSENT_MISSING },
    })
}

/** Whether a person has to look at a lead for what its consent lacks. */
export function lacksConsent({ consent: rule }: LeadOffer, { consent }: LeadInput): boolean {
  return rule.mode === 'hold' && missingOfConsent(rule, consent).length > 0
}
