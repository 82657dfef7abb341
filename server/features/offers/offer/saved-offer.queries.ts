import { sql } from 'kysely'
import { amountText } from '#contract/money/amount.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { violates } from '#server/platform/pg/violates.ts'
import { AppError } from '#server/platform/errors.ts'
import { listOfferLandings, replaceOfferLandings } from '../landing/offer-landing.queries.ts'
import { listGoals, listPayoutRules, namesOfAffiliates } from './goal.queries.ts'
import type { OfferForm } from './offer-check.ts'

/** An offer in the words of its form, as it is now: what a change is compared with, undone to, and copied from. */
export async function readOfferForm(db: DbOrTrx, offerId: number): Promise<OfferForm> {
  const row = await db
    .selectFrom('offer as o')
    .innerJoin('advertiser as d', 'd.id', 'o.advertiser_id')
    .select([...FORM_COLUMNS, 'd.uuid as advertiser_uuid'])
    .where('o.id', '=', offerId)
    .executeTakeFirstOrThrow()
  const [goals, rules, landings] = [
    await listGoals(db, [offerId]),
    await listPayoutRules(db, [offerId]),
    await listOfferLandings(db, [offerId]),
  ]
  const affiliates = await namesOfAffiliates(db, { kind: 'all' }, [...new Set(rules.flatMap((rule) => rule.affiliate_ids))])
  const uuidOf = new Map(affiliates.map((affiliate) => [affiliate.id, affiliate.uuid]))
  const landingUuidOf = new Map(landings.map((landing) => [landing.id, landing.uuid]))
  const { targeting, start_at, stop_at, ...fields } = row
  return {
    ...fields,
    start_at: start_at?.toISOString() ?? null,
    stop_at: stop_at?.toISOString() ?? null,
    // stored by `offerColumns`, which writes what the contract let through
    targeting: { geo: null, device: null, os: null, browser: null, language: null, ...targeting } as OfferForm['targeting'],
    landings: landings.map(({ uuid, weight }) => ({ landing_uuid: uuid, weight })),
    goals: goals.map((goal) => ({
      uuid: goal.uuid, code: goal.code, title: goal.title, type: goal.type, is_default: goal.is_default, hidden: goal.hidden, repeatable: goal.repeatable,
      rules: rules
        .filter((rule) => rule.goal_id === goal.id)
        .map(({ affiliate_ids, landing_ids, geos, devices, oses, payout_fixed, payout_percent, revenue_fixed, revenue_percent }) => ({
          affiliate_uuids: affiliate_ids.flatMap((id) => uuidOf.get(id) ?? []),
          landing_uuids: landing_ids.flatMap((id) => landingUuidOf.get(id) ?? []),
          geos,
          devices: devices as OfferForm['goals'][number]['rules'][number]['devices'], // the contract let only these in
          oses, payout_fixed, payout_percent, revenue_fixed, revenue_percent,
        })),
    })),
  } // prettier-ignore
}

/** The columns an offer's form fills. */
export function offerColumns(form: OfferForm, advertiserId: number) {
  const { advertiser_uuid: _advertiser, goals: _goals, landings: _landings, targeting, start_at, stop_at, ...columns } = form
  return {
    ...columns,
    advertiser_id: advertiserId,
    targeting: JSON.stringify(targeting),
    start_at: start_at === null ? null : new Date(start_at),
    stop_at: stop_at === null ? null : new Date(stop_at),
  }
}

/** The numbers behind the uuids a form names. */
export type OfferIds = { affiliates: ReadonlyMap<string, number>; landings: ReadonlyMap<string, number> }

/**
 * Replaces the landings, goals and payout rows of an offer, which must be locked. A goal is the same by uuid, else by code; one left
 * out is retired, because conversions may refer to it, and comes back when its code does. Throws `invalid_input`, `unknown_reference`.
 */
export async function replaceParts(
  db: DbOrTrx,
  offerId: number,
  { goals, landings }: Pick<OfferForm, 'goals' | 'landings'>,
  ids: OfferIds,
): Promise<void> {
  await replaceOfferLandings(
    db,
    offerId,
    landings.flatMap(({ landing_uuid, weight }) => {
      const landing_id = ids.landings.get(landing_uuid)
      return landing_id === undefined ? [] : [{ landing_id, weight }]
    }),
  )
  const existing = await db
    .selectFrom('goal')
    .select(['id', 'uuid', 'code', 'retired'])
    .where('offer_id', '=', offerId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const matches = matchGoals(goals, existing)
  const staying = new Set(matches.map((match) => match?.id))
  // two unique rules (one default, one code each) hold after every statement: clear the way first
  await db.updateTable('goal').set({ is_default: false }).where('offer_id', '=', offerId).execute()
  const leaving = existing.filter((goal) => !staying.has(goal.id) && !goal.retired).map((goal) => goal.id)
  if (leaving.length > 0) await db.updateTable('goal').set({ retired: true }).where('id', 'in', leaving).execute()
  const renamed = matches.flatMap((match, index) => (match !== undefined && match.code !== goals[index]?.code ? [match.id] : []))
  if (renamed.length > 0)
    await db
      .updateTable('goal')
      .set({ code: sql<string>`'~' || id` })
      .where('id', 'in', renamed)
      .execute()

  const rows: (RuleColumns & { offer_id: number; goal_id: number; position: number })[] = []
  for (const [position, { uuid: _uuid, rules, ...goal }] of goals.entries()) {
    const id = await saveGoal(db, offerId, matches[position]?.id, { ...goal, position, retired: false }, position)
    rows.push(
      ...rules.map(({ affiliate_uuids, landing_uuids, ...rule }, index) => ({
        ...rule,
        // one amount has one text, so that histories show no change where there is none
        payout_fixed: amountText(rule.payout_fixed),
        revenue_fixed: amountText(rule.revenue_fixed),
        offer_id: offerId,
        goal_id: id,
        position: index,
        affiliate_ids: affiliate_uuids.flatMap((uuid) => ids.affiliates.get(uuid) ?? []),
        landing_ids: landing_uuids.flatMap((uuid) => ids.landings.get(uuid) ?? []),
      })),
    )
  }
  await db.deleteFrom('payout_rule').where('offer_id', '=', offerId).execute()
  for (let from = 0; from < rows.length; from += 1000)
    await db
      .insertInto('payout_rule')
      .values(rows.slice(from, from + 1000))
      .execute()
}

type RuleColumns = Omit<OfferForm['goals'][number]['rules'][number], 'affiliate_uuids' | 'landing_uuids'> & {
  affiliate_ids: number[]
  landing_ids: number[]
}
type ExistingGoal = { id: number; uuid: string; code: string; retired: boolean }

function matchGoals(goals: OfferForm['goals'], existing: ExistingGoal[]): (ExistingGoal | undefined)[] {
  const byUuid = goals.map((goal) => existing.find((one) => one.uuid === goal.uuid && !one.retired))
  const unknown = goals.findIndex(
    (goal, index) => goal.uuid !== undefined && byUuid[index] === undefined && !existing.some((one) => one.code === goal.code),
  )
  if (unknown >= 0) throw new AppError('unknown_reference', { fields: { [`goals.${unknown}.code`]: 'This goal is not the offer’s' } })
  const taken = new Set(byUuid.map((match) => match?.id))
  return goals.map((goal, index) => byUuid[index] ?? existing.find((one) => one.code === goal.code && !taken.has(one.id)))
}

type GoalColumns = Omit<OfferForm['goals'][number], 'uuid' | 'rules'> & { position: number; retired: boolean }

async function saveGoal(db: DbOrTrx, offerId: number, id: number | undefined, columns: GoalColumns, index: number): Promise<number> {
  try {
    if (id === undefined)
      return (
        await db
          .insertInto('goal')
          .values({ offer_id: offerId, ...columns })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    await db.updateTable('goal').set(columns).where('id', '=', id).execute()
    return id
  } catch (error) {
    if (violates(error, 'goal_code_key'))
      throw new AppError('invalid_input', { fields: { [`goals.${index}.code`]: 'A removed goal had this code' } })
    throw error
  }
}

const FORM_COLUMNS = [
  'o.title', 'o.privacy', 'o.vertical', 'o.currency', 'o.tracking_url', 'o.preview_url', 'o.trafficback_url', 'o.description', 'o.kpi', 'o.notes', 'o.traffic_sources',
  'o.tags', 'o.start_at', 'o.stop_at', 'o.time_zone', 'o.hold_days', 'o.click_lifetime_days', 'o.min_conversion_time', 'o.max_conversion_time', 'o.redirect_type',
  'o.deep_link_hosts', 'o.targeting', 'o.daily_cap', 'o.over_cap_action',
] as const // prettier-ignore
