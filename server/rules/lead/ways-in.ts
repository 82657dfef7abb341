import { INTEGRATION_TYPES, type IntegrationType } from '#contract/leads/integration-type.ts'
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
 * What every way into the offer needs of a lead of a country beside what its kind asks for, by the names it is sent under. Who never took
 * a test is none yet.
 */
export function neededOf(members: readonly CascadeMember[], affiliateId: number, country: string, type: IntegrationType): string[] {
  const ways = waysIn(members, affiliateId, country).filter(({ state }) => state !== 'untested')
  return common(ways.map((way) => sentOf(way, type)))
}

/** What a way needs of whoever sends a lead, beside what its kind asks for. */
export function sentOf({ needs = [] }: CascadeMember, type: IntegrationType): string[] {
  const { required, needsPassword } = INTEGRATION_TYPES[type]
  const here = new Set<string>([...required, ...ALWAYS_THERE, ...(needsPassword ? ['password'] : [])])
  return [...new Set(needs.map((name) => SENT_AS[name] ?? name))].filter((name) => !here.has(name))
}

/** What all of some lists have. */
export function common(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists
  return first.filter((name) => others.every((list) => list.includes(name)))
}

/** Macros that are made of what is sent under another name, and those we fill in ourselves. */
const SENT_AS: Readonly<Record<string, string>> = { full_name: 'first_name', consent_at: 'consent', consent_proof: 'consent' }
const ALWAYS_THERE = ['created_at', 'registered_at', 'traffic_type', 'opt_out_url', 'os', 'device', 'browser'] as const

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
