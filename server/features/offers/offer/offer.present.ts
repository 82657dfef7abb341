import { warningsOf } from './offer-check.ts'
import type { z } from 'zod'
import type { offerAccess, offerChange } from '#contract/offers/offer.ts'
import { OPEN_TARGETING, type offer, type offerDetail } from '#contract/offers/offer-fields.ts'
import type { listAccess } from '../access/access.queries.ts'
import { presentOfferLanding } from '../landing/landing.present.ts'
import type { OfferLandingRow } from '../landing/offer-landing.queries.ts'
import type { GoalRow, namesOfAffiliates, PayoutRuleRow } from './goal.queries.ts'
import type { listOfferChanges } from './offer-history.service.ts'
import type { countAccess, OfferListRow, OfferRow } from './offer.queries.ts'

type Shown = z.input<typeof offer>
type ShownDetail = z.input<typeof offerDetail>

/** An offer in a list; whose it is stays hidden from those whom it is none of the business of. */
export function presentOffer(row: OfferListRow): Shown {
  const {
    advertiser_uuid: uuid,
    advertiser_number: id,
    advertiser_name: name,
    payout_fixed,
    payout_percent,
    revenue_fixed,
    revenue_percent,
    targeting,
    ...rest
  } = row
  return {
    ...rest,
    advertiser: !row.editable || uuid === null || id === null || name === null ? null : { uuid, id, name },
    geo: targeting.geo ?? null,
    payout: payout_fixed === null || payout_percent === null ? null : { fixed: payout_fixed, percent: payout_percent },
    revenue: revenue_fixed === null || revenue_percent === null ? null : { fixed: revenue_fixed, percent: revenue_percent },
    pending: row.editable ? Number(row.pending) : 0,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

type Within = {
  goals: GoalRow[]
  rules: PayoutRuleRow[]
  landings: OfferLandingRow[]
  counts: Awaited<ReturnType<typeof countAccess>>
  levels: ShownDetail['cap_levels']
  /** Those the rules name. */
  affiliates: Awaited<ReturnType<typeof namesOfAffiliates>>
  networkNames: ShownDetail['network_names']
}

/**
 * An offer with everything the caller may know. Of an offer that is not their own, staff see the terms, but neither its
 * advertiser nor what gives it away (addresses, notes, token), nor what other people's affiliates get.
 */
export function presentOfferDetail(
  row: OfferRow,
  { goals, rules, landings, counts, levels, affiliates, networkNames }: Within,
): ShownDetail {
  const people = new Map(affiliates.map(({ own, ...affiliate }) => [affiliate.id, { ...affiliate, name: own ? affiliate.name : '', own }]))
  const mayKnow = (rule: PayoutRuleRow) =>
    row.editable || rule.affiliate_ids.length === 0 || rule.affiliate_ids.some((id) => people.get(id)?.own)
  return {
    ...row,
    ...presentOffer(row),
    start_at: row.start_at?.toISOString() ?? null,
    stop_at: row.stop_at?.toISOString() ?? null,
    // the contract let only these shapes in; what an early row lacks is open to everybody
    targeting: { ...OPEN_TARGETING, ...row.targeting } as ShownDetail['targeting'],
    ...(row.editable ? {} : { tracking_url: '', trafficback_url: '', external_id: '', notes: '', postback_token: null }),
    landings: landings.map((landing) => presentOfferLanding(landing, row.editable)),
    goals: goals.map(({ id, offer_id: _offer, ...goal }) => ({
      ...goal,
      rules: rules
        .filter((rule) => rule.goal_id === id && mayKnow(rule))
        .map((rule) => ({
          ...rule,
          devices: rule.devices as ShownDetail['goals'][number]['rules'][number]['devices'], // the contract let only these in
          landings: landings.filter((landing) => rule.landing_ids.includes(landing.id)),
          affiliates: rule.affiliate_ids.flatMap((affiliateId) => {
            const person = people.get(affiliateId)
            return person === undefined || (!row.editable && !person.own) ? [] : [{ uuid: person.uuid, id: person.id, name: person.name }]
          }),
        })),
    })),
    access_counts: row.editable ? counts : { pending: 0, approved: 0, rejected: 0, blocked: 0 },
    cap_levels: levels,
    advertiser_active: row.advertiser_status === null || row.advertiser_status === 'active',
    doubts: row.editable
      ? warningsOf({
          ...row,
          landings,
          goals: goals.map(({ id }) => ({
            rules: rules.filter((rule) => rule.goal_id === id).map((rule) => ({ ...rule, affiliate_uuids: rule.affiliate_ids })),
          })),
        })
      : [],
    network_names: networkNames,
  }
}

type AccessRow = Awaited<ReturnType<typeof listAccess>>['list'][number]

/** What an affiliate may at an offer; the name of another's affiliate stays hidden. */
export function presentAccess(row: AccessRow): z.input<typeof offerAccess> {
  return {
    ...row,
    offer: { uuid: row.offer_uuid, id: row.offer_number, name: row.offer_name },
    affiliate: { uuid: row.affiliate_uuid, id: row.affiliate_number, name: row.own_affiliate ? row.affiliate_name : '' },
    requested_at: row.requested_at?.toISOString() ?? null,
    decided_at: row.decided_at?.toISOString() ?? null,
  }
}

type ChangeRow = Awaited<ReturnType<typeof listOfferChanges>>['list'][number]

/** One change of an offer. */
export function presentChange(change: ChangeRow, networkNames: Record<string, string>): z.input<typeof offerChange> {
  return {
    ...change,
    network_names: networkNames,
    at: change.at.toISOString(),
    before: asRecord(change.before),
    after: asRecord(change.after),
  }
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : null
}
