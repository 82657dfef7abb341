import type { z } from 'zod'
import type { apiOfferApi, ApiOfferMember, PartnerLeads } from '#contract/leads/api-offer.ts'
import { INTEGRATION_TYPES, type IntegrationType } from '#contract/leads/integration-type.ts'
import { amountText, toUnits } from '#contract/money/amount.ts'
import type { ShownGoal } from '#server/features/offers/partner-offer/partner-offer.present.ts'
import { blockOf, letsAffiliate, openSpans, type CascadeMember } from '#server/rules/lead/cascade.ts'
import { common, neededOf, sentOf, waysIn } from '#server/rules/lead/ways-in.ts'
import { memberPriceFor } from '#server/rules/lead/member-price.ts'
import { hinderedBy } from './hindered.ts'
import type { Cascade, MemberRow, ReadMember } from './cascade.queries.ts'
import { leadDocs, leadSample } from './lead-docs.ts'
import type { searchProducts } from './lead-parts.queries.ts'

const DAY = 86_400_000

type Person = { uuid: string; id: number; name: string }

/** A member as whoever may change the offer sees it: its row, the same as the cascade decides upon it, and the affiliates its terms name. */
export function presentMember(row: MemberRow, now: number, asked: ReadMember, people: ReadonlyMap<number, Person>): ApiOfferMember {
  const { affiliates, ...terms } = row.terms
  // those of its place come before those of its product
  const filled = asked.caps.map(({ used }) => used)
  const [used, ownUsed] = [filled.slice(0, terms.caps.length), filled.slice(terms.caps.length)]
  const { hindered, until } = hinderedBy(row, asked, now)
  return {
    uuid: row.uuid,
    product: { uuid: row.product_uuid, id: row.product_id, name: row.title },
    advertiser: { uuid: row.advertiser_uuid, id: row.advertiser_id, name: row.advertiser },
    integration: { uuid: row.integration_uuid, id: row.integration_id, name: row.integration },
    weight: row.weight,
    paused: row.paused,
    ...terms,
    affiliates: { mode: affiliates.mode, list: affiliates.ids.flatMap((id) => people.get(id) ?? []) },
    hindered,
    hindered_until: until === null ? null : new Date(until).toISOString(),
    used,
    own: {
      hours: row.product_hours,
      time_zone: row.product_zone,
      caps: row.product_caps.map((cap, at) => ({ ...cap, used: ownUsed[at] ?? 0 })),
      currency: row.product_currency,
      prices: row.product_prices,
    },
    needs: [...(asked.needs ?? [])],
  }
}

/** A product to choose. */
export function presentChoice(
  row: Awaited<ReturnType<typeof searchProducts>>[number],
  needs: readonly string[],
): z.input<typeof apiOfferApi.products.response>['list'][number] {
  const {
    title,
    version_id: _version,
    advertiser_uuid,
    advertiser_id,
    advertiser,
    integration_uuid,
    integration_id,
    integration,
    ...rest
  } = row
  return {
    ...rest,
    needs: [...needs],
    name: title,
    advertiser: { uuid: advertiser_uuid, id: advertiser_id, name: advertiser },
    integration: { uuid: integration_uuid, id: integration_id, name: integration },
  }
}

/** What an affiliate may know of whom an offer gives its leads to: from where they are taken now, and what differs by country. */
export function presentPartnerLeads(
  { type, repeatDays, consent, groups }: Cascade,
  goals: readonly Goal[],
  target: GeoTarget,
  affiliateId: number,
  now: number,
  offerUuid: string,
): PartnerLeads {
  const members = groups.flatMap((group) => group.members).filter((member) => letsAffiliate(member, affiliateId))
  const places = placesOf(members, target)
  const own = INTEGRATION_TYPES[type].required
  const needed = neededBy(members, affiliateId, places, type)
  const everywhere = common([...needed.values()])
  const countries = places.map((geo) => ({
    geo,
    required: [...own, ...(needed.get(geo) ?? [])],
    ...openness(members, geo, affiliateId, now),
  }))
  const open = countries.filter(({ state }) => state === 'open').map(({ geo }) => geo)
  const from = sampleCountry(open.length > 0 ? open : places, target)
  return {
    integration_type: type,
    required: [...own, ...everywhere],
    repeat_days: repeatDays,
    consent,
    countries,
    payouts: payoutsOf(members, goals, places),
    fields: leadDocs(type, everywhere, consent),
    sample: leadSample(offerUuid, type, from, { consent, needed: easiest(members, affiliateId, from, type, now), now }),
  }
}

/** What every way into an offer needs of an affiliate's leads, wherever they are from, beside what their kind asks for. */
export function neededEverywhere({ type, groups }: Cascade, affiliateId: number, target: GeoTarget): string[] {
  const members = groups.flatMap((group) => group.members).filter((member) => letsAffiliate(member, affiliateId))
  return common([...neededBy(members, affiliateId, placesOf(members, target), type).values()])
}

/** The same by country; where everybody is put aside nothing is known. */
function neededBy(members: readonly Member[], affiliateId: number, places: readonly string[], type: IntegrationType) {
  const known = places.filter((geo) => waysIn(members, affiliateId, geo).some(({ state }) => state !== 'untested'))
  return new Map(known.map((geo) => [geo, neededOf(members, affiliateId, geo, type)]))
}

/** Of all other countries one that everybody knows. */
function sampleCountry(places: readonly string[], target: GeoTarget): string {
  const known = ['GB', 'DE', 'BR', 'ZA', 'IN'].find((geo) => target === null || (target.mode === 'include') === target.values.includes(geo))
  return places.find((geo) => geo !== '') ?? known ?? 'GB'
}

/** What a lead needs for the way in that asks for least, of those that are open where some are. */
function easiest(members: readonly Member[], affiliateId: number, country: string, type: IntegrationType, at: number): string[] {
  const ways = waysIn(members, affiliateId, country)
  const lead = { ...NOBODY, at, country, affiliateId }
  const open = ways.filter((way) => blockOf(way, lead, new Set()) === null)
  const asked = (open.length > 0 ? open : ways.filter(({ state }) => state !== 'untested')).map((way) => sentOf(way, type))
  return asked.toSorted((one, other) => one.length - other.length)[0] ?? []
}

/** A lead that is only thought of. */
const NOBODY = { sub1: '', seenBy: new Map<number, number>(), consentTo: null, draw: 0 }

function openness(members: readonly CascadeMember[], country: string, affiliateId: number, at: number) {
  const lead = { ...NOBODY, at, country, affiliateId }
  const taking = members.filter(({ geos }) => geos.length === 0 || geos.includes(country))
  const found = taking
    // which subs one takes is no matter of the hour
    .map((member) => blockOf({ ...member, subs: { mode: 'all', values: new Set() } }, lead, new Set()))
  const openings = openingsOf(
    taking.filter(({ state }) => state === 'active'),
    at,
  )
  const open = taking.filter((_, index) => found[index] === null)
  if (open.length > 0) return { state: 'open' as const, opens_at: null, remaining: remainingOf(open), openings }
  const none = { remaining: 0, openings }
  const opens = found.flatMap((block) => (block?.check === 'hours' ? [String(block.detail['opens_at'] ?? '')] : [])).toSorted()
  if (opens.length > 0) return { state: 'closed' as const, opens_at: opens.find((text) => text !== '') ?? null, ...none }
  return { state: found.some((block) => block?.check === 'cap') ? ('full' as const) : ('paused' as const), opens_at: null, ...none }
}

/** What is left of the limits of those that take leads now, each by its fullest; null = one has none. */
function remainingOf(open: readonly CascadeMember[]): number | null {
  const left = open.map(({ caps }) => (caps.length === 0 ? null : Math.min(...caps.map(({ limit, used }) => limit - used))))
  return left.includes(null) ? null : left.reduce((sum: number, one) => sum + (one ?? 0), 0)
}

function openingsOf(members: readonly CascadeMember[], at: number) {
  if (members.some(({ hours }) => hours.length === 0)) return null
  return openSpans(
    members.map(({ hours }) => hours),
    at,
    at + 7 * DAY,
  ).map(({ from, until }) => ({
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
  }))
}

type Member = Cascade['groups'][number]['members'][number]
type GeoTarget = { mode: 'include' | 'exclude'; values: readonly string[] } | null

/** The countries something can be said of: those the offer is for, or those a product names, and '' for all others. */
function placesOf(members: readonly Member[], target: GeoTarget): string[] {
  const takes = (geo: string) => members.some(({ geos }) => geos.length === 0 || geos.includes(geo))
  if (target?.mode === 'include') return target.values.filter(takes).toSorted()
  const named = [
    ...new Set(members.flatMap(({ geos, prices }) => [...geos, ...prices.filter(paysApart(prices)).flatMap((row) => row.geos)])),
  ]
  const open = named.filter((geo) => takes(geo) && geo !== '-' && !target?.values.includes(geo)).toSorted()
  return members.some(({ geos }) => geos.length === 0) ? [...open, ''] : open
}

/** Whether affiliates are paid otherwise by a row than by the goal's terms, or than elsewhere; what advertisers pay where is not theirs to know. */
function paysApart(prices: Member['prices']) {
  return ({ goal, payout }: Member['prices'][number]) => payout !== null || (memberPriceFor(prices, goal, '')?.payout ?? null) !== null
}

type Goal = Pick<ShownGoal, 'code' | 'terms'>

/**
 * From and to where products pay for each goal, countries of the same terms together; a product that says nothing of its own pays the
 * terms of the goal, and what none says of its own is left out.
 */
function payoutsOf(members: readonly Member[], goals: readonly Goal[], places: readonly string[]): PartnerLeads['payouts'] {
  return goals.flatMap(({ code, terms }) => {
    const rows = places.flatMap((geo) => {
      const taking = members.filter(({ geos }) => geos.length === 0 || geos.includes(geo))
      const said = taking.map(({ prices }) => memberPriceFor(prices, code, geo)?.payout ?? null)
      if (said.every((payout) => payout === null)) return []
      const paid = said.flatMap((payout) => payout ?? usualFor(terms, geo) ?? [])
      const sorted = paid.toSorted((one, other) => (toUnits(one) < toUnits(other) ? -1 : 1))
      const [least, most] = [sorted[0], sorted.at(-1)]
      return least === undefined || most === undefined ? [] : [{ geo, least: amountText(least), most: amountText(most) }]
    })
    // all others stand alone, in a row without countries
    const alike = Map.groupBy(rows, ({ geo, least, most }) => (geo === '' ? '' : `${least} ${most}`))
    return [...alike.values()].map((same) => ({
      goal: code,
      geos: same.map(({ geo }) => geo).filter((geo) => geo !== ''),
      least: same[0]?.least ?? '',
      most: same[0]?.most ?? '',
    }))
  })
}

/** What the terms of a goal bring for a lead of a country, where that is an amount. */
function usualFor(terms: Goal['terms'], geo: string): string | undefined {
  const row = terms.find(
    ({ landings, geos, devices, oses }) =>
      landings.length + devices.length + oses.length === 0 && (geos.length === 0 || geos.includes(geo)),
  )
  return row === undefined || toUnits(row.payout_percent) !== 0n ? undefined : row.payout_fixed
}
