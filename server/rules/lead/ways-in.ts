import type { PassedOver, UnsoldReason } from '#contract/leads/lead.ts'
import { blockOf, letsAffiliate, type CascadeCheck, type CascadeMember, type LeadFacts } from './cascade.ts'

/** What affiliates see on the page of an offer anyway: its countries, opening hours, places left and needed fields. */
const TOLD: Readonly<Partial<Record<CascadeCheck, PassedOver>>> = {
  geo: 'geo_not_allowed',
  hours: 'out_of_hours',
  cap: 'cap_reached',
  fields: 'fields_missing',
}

/** The members an affiliate's leads of a country may go to: whom it may not have, and who is put aside, is none. */
export function waysIn<Member extends CascadeMember>(members: readonly Member[], affiliateId: number, country: string): Member[] {
  return members.filter((member) => member.state !== 'paused' && letsAffiliate(member, affiliateId) && takesCountry(member, country))
}

/**
 * Why nobody takes a lead, as its affiliate may know it: what all ways into the offer are closed by. Where they differ, or what closes
 * one is none of its business, it is only that nobody takes it.
 */
export function unsoldReason(members: readonly CascadeMember[], lead: LeadFacts): Exclude<UnsoldReason, 'nobody_took_it'> {
  const own = members.filter((member) => letsAffiliate(member, lead.affiliateId))
  if (own.length > 0 && !own.some((member) => takesCountry(member, lead.country))) return 'geo_not_allowed'
  const ways = waysIn(members, lead.affiliateId, lead.country)
  const [why, ...others] = new Set(ways.map((member) => TOLD[blockOf(member, lead, new Set())?.check ?? 'state']))
  return why === undefined || others.length > 0 ? 'nobody_fits' : why
}

function takesCountry({ geos }: CascadeMember, country: string): boolean {
  return geos.length === 0 || geos.includes(country)
}
