import type { z } from 'zod'
import { OPEN_TARGETING } from '#contract/offers/offer-fields.ts'
import type { shortLink } from '#contract/offers/link.ts'
import type { partnerOffer, partnerOfferDetail, partnerOfferState } from '#contract/offers/partner-offer.ts'
import { resultingTerms } from '#server/rules/offer/payout.ts'
import { presentPartnerLanding } from '../landing/landing.present.ts'
import type { PartnerLandingRow } from '../landing/offer-landing.queries.ts'
import type { LinkRow } from '../link/link.queries.ts'
import type { GoalRow, PayoutRuleRow } from '../offer/goal.queries.ts'
import type { PartnerListRow, PartnerOfferRow } from './partner-offer.queries.ts'

export type ShownGoal = z.input<typeof partnerOfferDetail>['goals'][number]

/** The goals an affiliate may know of with the terms that result for it, by offer. */
export function presentGoals(
  goals: GoalRow[],
  rules: PayoutRuleRow[],
  affiliateId: number,
  landings: PartnerLandingRow[],
): Map<number, ShownGoal[]> {
  const rulesByGoal = Map.groupBy(rules, (rule) => rule.goal_id)
  const shown = goals.filter((goal) => !goal.hidden)
  return new Map(
    Map.groupBy(shown, (goal) => goal.offer_id)
      .entries()
      .map(([offerId, own]) => [offerId, own.map((goal) => presentGoal(goal, rulesByGoal.get(goal.id) ?? [], affiliateId, landings))]),
  )
}

/** An offer in the list, at the terms that hold where nothing more specific does. */
export function presentPartnerOffer({ targeting, ...row }: PartnerListRow, goals: ShownGoal[], now: number): z.input<typeof partnerOffer> {
  const main = goals.find((goal) => goal.is_default) ?? goals[0]
  const general = main?.terms.find((terms) => terms.landings.length + terms.geos.length + terms.devices.length + terms.oses.length === 0)
  return {
    ...row,
    state: stateOf(row, now),
    geo: targeting.geo ?? null,
    payout: general === undefined ? null : { fixed: general.payout_fixed, percent: general.payout_percent },
    payout_varies: goals.flatMap((goal) => goal.terms).length > 1,
    created_at: row.created_at.toISOString(),
  }
}

/** An offer on its own page. */
export function presentPartnerOfferDetail(
  row: PartnerOfferRow,
  goals: ShownGoal[],
  landings: PartnerLandingRow[],
  caps: z.input<typeof partnerOfferDetail>['caps'],
  networkNames: Record<string, string>,
  now: number,
): Omit<z.input<typeof partnerOfferDetail>, 'track_domains'> {
  return {
    ...row,
    ...presentPartnerOffer(row, goals, now),
    start_at: row.start_at?.toISOString() ?? null,
    stop_at: row.stop_at?.toISOString() ?? null,
    // the contract let only these shapes in; what an early row lacks is open to everybody
    targeting: { ...OPEN_TARGETING, ...row.targeting } as z.input<typeof partnerOfferDetail>['targeting'],
    network_names: networkNames,
    landings: landings.map(presentPartnerLanding),
    goals,
    caps,
    access_message: row.access_message ?? '',
    access_reason: row.access_reason ?? '',
  }
}

/** What an offer is to affiliates at a moment. */
export function stateOf(
  { status, start_at, stop_at }: Pick<PartnerListRow, 'status' | 'start_at' | 'stop_at'>,
  now: number,
): z.output<typeof partnerOfferState> {
  if (status === 'stopped' || status === 'paused') return status
  if (stop_at !== null && stop_at.getTime() <= now) return 'over'
  return start_at !== null && start_at.getTime() > now ? 'upcoming' : 'live'
}

/** A short link below an address of the network. */
export function presentShortLink(link: LinkRow, base: string): z.input<typeof shortLink> {
  return {
    code: link.code,
    url: `${base}/c/${link.code}`,
    offer: { uuid: link.offer_uuid, id: link.offer_number, name: link.offer_name },
    params: link.params,
    created_at: link.created_at.toISOString(),
  }
}

function presentGoal(goal: GoalRow, rules: PayoutRuleRow[], affiliateId: number, landings: PartnerLandingRow[]): ShownGoal {
  const { code, title, type, is_default, repeatable } = goal
  // devices were let in by the contract, which knows only these
  return {
    code,
    title,
    type,
    is_default,
    repeatable,
    terms: resultingTerms(
      rules,
      affiliateId,
      landings.map((landing) => landing.id),
    ) as ShownGoal['terms'],
  }
}
