import { amountText } from '#contract/money/amount.ts'
import { goalFields, OPEN_TARGETING, ruleFields } from '#contract/offers/offer-fields.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { readLeadParts, replaceLeadParts } from '#server/features/leads/api-offer/lead-parts.service.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { AppError } from '#server/platform/errors.ts'
import { listOfferLandings, replaceOfferLandings } from '../landing/offer-landing.queries.ts'
import {
  clearGoals,
  listGoals,
  listPayoutRules,
  lockGoals,
  namesOfAffiliates,
  replacePayoutRules,
  saveGoals,
  type ExistingGoal,
} from './goal.queries.ts'
import type { OfferForm } from './offer-check.ts'
import { getOfferForm } from './offer.queries.ts'

type Rule = OfferForm['goals'][number]['rules'][number]

/** An offer in the words of its form, as it is now: what a change is compared with, undone to, and copied from. */
export async function readOfferForm(db: DbOrTrx, offerId: number): Promise<OfferForm> {
  const { targeting, start_at, stop_at, type, ...fields } = await getOfferForm(db, offerId)
  const [goals, rules, landings] = [
    await listGoals(db, [offerId]),
    await listPayoutRules(db, [offerId]),
    await listOfferLandings(db, [offerId]),
  ]
  const affiliates = await namesOfAffiliates(db, { kind: 'all' }, [...new Set(rules.flatMap((rule) => rule.affiliate_ids))])
  const uuidOf = new Map(affiliates.map((affiliate) => [affiliate.id, affiliate.uuid]))
  const landingUuidOf = new Map(landings.map((landing) => [landing.id, landing.uuid]))
  return {
    ...fields,
    start_at: start_at?.toISOString() ?? null,
    stop_at: stop_at?.toISOString() ?? null,
    // the contract let only these shapes in
    targeting: { ...OPEN_TARGETING, ...targeting } as OfferForm['targeting'],
    landings: landings.map(({ uuid, weight }) => ({ landing_uuid: uuid, weight })),
    goals: goals.map((goal) => ({
      uuid: goal.uuid,
      ...pickFields(goal, goalFields),
      rules: rules
        .filter((rule) => rule.goal_id === goal.id)
        .map((rule) => ({
          ...pickFields(rule, ruleFields),
          devices: rule.devices as Rule['devices'], // the contract let only these in
          affiliate_uuids: rule.affiliate_ids.flatMap((id) => uuidOf.get(id) ?? []),
          landing_uuids: rule.landing_ids.flatMap((id) => landingUuidOf.get(id) ?? []),
        })),
    })),
    ...(type === 'api' && { leads: await readLeadParts(db, offerId) }),
  }
}

/** The numbers behind the uuids a form names. */
export type OfferIds = {
  affiliates: ReadonlyMap<string, number>
  landings: ReadonlyMap<string, { id: number }>
  products: ReadonlyMap<string, number>
}

/**
 * Replaces the landings, goals and payout rows of an offer, of one of leads its groups too,, which must be locked. A goal is the same by uuid, else by code; one left
 * out is retired, because conversions may refer to it, and comes back when its code does. Throws `invalid_input`, `unknown_reference`.
 */
export async function replaceParts(
  db: DbOrTrx,
  offerId: number,
  { goals, landings, leads }: Pick<OfferForm, 'goals' | 'landings' | 'leads'>,
  ids: OfferIds,
  now: number,
): Promise<void> {
  await replaceOfferLandings(
    db,
    offerId,
    landings.flatMap(({ landing_uuid, weight }) => {
      const landing_id = ids.landings.get(landing_uuid)?.id
      return landing_id === undefined ? [] : [{ landing_id, weight }]
    }),
  )
  const existing = await lockGoals(db, offerId)
  const matches = matchGoals(goals, existing)
  const staying = new Set(matches.map((match) => match?.id))
  await clearGoals(db, offerId, {
    leaving: existing.filter((goal) => !staying.has(goal.id)).map((goal) => goal.id),
    renamed: matches.flatMap((match, index) => (match !== undefined && match.code !== goals[index]?.code ? [match.id] : [])),
  })
  const goalIds = await saveGoals(
    db,
    offerId,
    goals.map((goal, position) => ({ ...pickFields(goal, goalFields), position, retired: false, id: matches[position]?.id })),
  )
  const rules = goals.flatMap(({ code, rules }) =>
    rules.map((rule, position) => ({
      ...pickFields(rule, ruleFields),
      // one amount has one text, so that histories show no change where there is none
      payout_fixed: amountText(rule.payout_fixed),
      revenue_fixed: amountText(rule.revenue_fixed),
      offer_id: offerId,
      goal_id: goalIds.get(code) ?? 0,
      position,
      affiliate_ids: rule.affiliate_uuids.flatMap((uuid) => ids.affiliates.get(uuid) ?? []),
      landing_ids: rule.landing_uuids.flatMap((uuid) => ids.landings.get(uuid)?.id ?? []),
    })),
  )
  await replacePayoutRules(db, offerId, rules)
  if (leads !== undefined) await replaceLeadParts(db, offerId, leads, ids, now)
}

/** The goal each of the form's is already, if any. */
function matchGoals(goals: OfferForm['goals'], existing: ExistingGoal[]): (ExistingGoal | undefined)[] {
  const byUuid = goals.map((goal) => existing.find((one) => one.uuid === goal.uuid && !one.retired))
  const unknown = goals.findIndex(
    (goal, index) => goal.uuid !== undefined && byUuid[index] === undefined && !existing.some((one) => one.code === goal.code),
  )
  if (unknown >= 0) throw new AppError('unknown_reference', { fields: { [`goals.${unknown}.code`]: 'This goal is not the offer’s' } })
  const taken = new Set(byUuid.map((match) => match?.id))
  const matches = goals.map((goal, index) => byUuid[index] ?? existing.find((one) => one.code === goal.code && !taken.has(one.id)))
  const staying = new Set(matches.map((match) => match?.id))
  const removed = new Set(existing.filter((one) => !staying.has(one.id)).map((one) => one.code))
  const clash = goals.findIndex((goal) => removed.has(goal.code))
  if (clash >= 0) throw new AppError('invalid_input', { fields: { [`goals.${clash}.code`]: 'A removed goal had this code' } })
  return matches
}
