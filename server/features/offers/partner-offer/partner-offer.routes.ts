import type { z } from 'zod'
import { partnerOfferApi, type partnerOffer, type partnerOfferDetail, type shortLink } from '#contract/offers/partner-offer.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { resultingTerms } from '#server/rules/offer/payout.ts'
import { listLinks, type LinkRow } from '../link/link.queries.ts'
import { buildLink, createShortLink, trackingBase } from '../link/link.service.ts'
import { presentPartnerLanding } from '../landing/landing.present.ts'
import { listPartnerLandings, type PartnerLandingRow } from '../landing/offer-landing.queries.ts'
import { listGoals, listPayoutRules, type GoalRow, type PayoutRuleRow } from '../offer/goal.queries.ts'
import { getPartnerOffer, listPartnerOffers, type PartnerListRow, type PartnerOfferRow } from './partner-offer.queries.ts'
import { affiliateOf, requestAccess } from './partner-offer.service.ts'

/** Offers and links as an affiliate sees them. */
export function routes(app: HttpApp, { db, config: { trackingUrl } }: RouteParts): void {
  const { clock } = app
  implement(app, partnerOfferApi, {
    list: async ({ body, actor }) => {
      const affiliateId = affiliateOf(actor)
      const { rows, list } = await listPartnerOffers(db, affiliateId, body)
      const goals = await goalsOf(
        db,
        list.map((row) => row.id),
        affiliateId,
      )
      return { list: list.map((row) => present(row, goals.get(row.id) ?? [])), summary: { rows } }
    },

    get: async ({ params, actor }) => {
      const affiliateId = affiliateOf(actor)
      const row = await getPartnerOffer(db, affiliateId, params.uuid)
      if (row === undefined) throw new AppError('not_found')
      // those who may not send visitors have nothing to ask a link for
      const landings = await listPartnerLandings(db, affiliateId, row.id)
      return presentDetail(row, (await goalsOf(db, [row.id], affiliateId, landings)).get(row.id) ?? [], landings)
    },

    requestAccess: async ({ params, body, actor }) => ({ access: await requestAccess(db, clock.now(), actor, params.uuid, body.message) }),

    link: async ({ params, body, actor }) => ({ url: await buildLink(db, affiliateOf(actor), params.uuid, body, trackingUrl) }),

    createShortLink: async ({ params, body, actor }) => {
      const link = await createShortLink(db, clock.now(), actor, affiliateOf(actor), params.uuid, body, trackingUrl)
      return presentLink(link, trackingBase(trackingUrl, body.domain))
    },

    shortLinks: async ({ body, actor }) => {
      const { rows, list } = await listLinks(db, affiliateOf(actor), body)
      return { list: list.map((link) => presentLink(link, trackingUrl)), summary: { rows } }
    },
  })
}

type ShownGoal = z.input<typeof partnerOfferDetail>['goals'][number]

/** The goals an affiliate may know of with the terms that result for it, by offer: two statements for a whole page. */
async function goalsOf(
  db: Db,
  offerIds: number[],
  affiliateId: number,
  landings: PartnerLandingRow[] = [],
): Promise<Map<number, ShownGoal[]>> {
  const [goals, rules] = await Promise.all([listGoals(db, offerIds), listPayoutRules(db, offerIds)])
  const rulesByGoal = Map.groupBy(rules, (rule) => rule.goal_id)
  const shown = goals.filter((goal) => !goal.hidden)
  return new Map(
    Map.groupBy(shown, (goal) => goal.offer_id)
      .entries()
      .map(([offerId, own]) => [offerId, own.map((goal) => presentGoal(goal, rulesByGoal.get(goal.id) ?? [], affiliateId, landings))]),
  )
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

function present({ targeting, ...row }: PartnerListRow, goals: ShownGoal[]): z.input<typeof partnerOffer> {
  const main = goals.find((goal) => goal.is_default) ?? goals[0]
  const general = main?.terms.find((terms) => terms.landings.length + terms.geos.length + terms.devices.length + terms.oses.length === 0)
  return {
    ...row,
    geo: targeting.geo ?? null,
    payout: general === undefined ? null : { fixed: general.payout_fixed, percent: general.payout_percent },
    payout_varies: goals.flatMap((goal) => goal.terms).length > 1,
    created_at: row.created_at.toISOString(),
  }
}

function presentDetail(row: PartnerOfferRow, goals: ShownGoal[], landings: PartnerLandingRow[]): z.input<typeof partnerOfferDetail> {
  return {
    ...row,
    ...present(row, goals),
    start_at: row.start_at?.toISOString() ?? null,
    stop_at: row.stop_at?.toISOString() ?? null,
    // the contract let only these shapes in; what an early row lacks is open to everybody
    targeting: { geo: null, device: null, os: null, browser: null, language: null, ...row.targeting } as z.input<
      typeof partnerOfferDetail
    >['targeting'],
    landings: landings.map(presentPartnerLanding),
    goals,
    access_message: row.access_message ?? '',
    access_reason: row.access_reason ?? '',
  }
}

function presentLink(link: LinkRow, base: string): z.input<typeof shortLink> {
  return {
    code: link.code,
    url: `${base}/c/${link.code}`,
    offer: { uuid: link.offer_uuid, id: link.offer_number, name: link.offer_name },
    params: link.params,
    created_at: link.created_at.toISOString(),
  }
}
