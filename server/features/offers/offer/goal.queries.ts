import { sql, type Insertable, type RawBuilder } from 'kysely'
import { INTEGRATION_TYPES } from '#contract/leads/integration-type.ts'
import { goalFields, ruleFields } from '#contract/offers/offer-fields.ts'
import { insertRows, insertRowsReturning, recordsOf } from '#server/platform/pg/bulk.ts'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'
import { columnsOf } from '#server/platform/pg/fields.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

/** What affiliates read of the goal `g` of a conversion; '' where it is hidden from them. */
export function shownGoal(column: 'code' | 'title'): RawBuilder<string> {
  return sql<string>`case when g.hidden then '' else ${sql.ref(`g.${column}`)} end`
}

/** Whether an affiliate hears of the conversion `c` of the goal `g` at all: of a hidden goal's where it earned something. */
export function isTold(scope: Pick<Scope, 'kind'>): RawBuilder<boolean> {
  return scope.kind === 'affiliate' ? sql<boolean>`not (g.hidden and c.payout = 0)` : sql<boolean>`true`
}

/** The numbers of all hidden goals, retired ones too: their conversions stay. */
export async function listHiddenGoals(db: DbOrTrx): Promise<number[]> {
  return (await db.selectFrom('goal').select('id').where('hidden', '=', true).execute()).map((row) => row.id)
}

/** Goals a lead can reach once, by its kind, the last of them first: money before what is only counted. */
const LEAD_RESULTS = Object.entries(INTEGRATION_TYPES).flatMap(([type, { goals }]) =>
  goals
    .filter(({ again }) => again !== true)
    .toReversed()
    .map(({ code }, place) => ({ type, code, place })),
)

/**
 * The numbers of the goals that are the result of a lead, one code for each offer of leads, retired goals too: what it comes to money by,
 * where the offer has such a goal and whoever asks may hear of it. Ones that are reached again and again are none.
 */
export async function listLeadGoals(db: DbOrTrx, scope: Pick<Scope, 'kind'>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with result as (select * from jsonb_to_recordset(${JSON.stringify(LEAD_RESULTS)}::jsonb) as r (type text, code text, place int))
    select id from (
      select g.id, r.place, min(r.place) over (partition by g.offer_id) as first
        from goal g join api_offer a on a.offer_id = g.offer_id join result r on r.type = a.integration_type and r.code = g.code
       where not g.repeatable and ${scope.kind === 'affiliate' ? sql<boolean>`not g.hidden` : sql<boolean>`true`}) ranked
     where place = first order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Goals of offers in their order, without retired ones. */
export function listGoals(db: DbOrTrx, offerIds: number[]) {
  return db
    .selectFrom('goal')
    .select(['id', 'uuid', 'offer_id', ...columnsOf(goalFields, 'goal')])
    .where(sql<boolean>`offer_id = any(${offerIds}::int[])`)
    .where('retired', '=', false)
    .orderBy('offer_id')
    .orderBy('position')
    .orderBy('id')
    .execute()
}
export type GoalRow = Awaited<ReturnType<typeof listGoals>>[number]

/** Payout rows of offers, by goal and in their order: what `choosePayoutRule` takes. */
export function listPayoutRules(db: DbOrTrx, offerIds: number[]) {
  return db
    .selectFrom('payout_rule')
    .select(['id', 'offer_id', 'goal_id', 'position', 'affiliate_ids', 'landing_ids', ...columnsOf(ruleFields, 'payout_rule')])
    .where(sql<boolean>`offer_id = any(${offerIds}::int[])`)
    .orderBy('goal_id')
    .orderBy('position')
    .orderBy('id')
    .execute()
}
export type PayoutRuleRow = Awaited<ReturnType<typeof listPayoutRules>>[number]

/** All goals an offer has or had, locked. */
export function lockGoals(db: DbOrTrx, offerId: number) {
  return db
    .selectFrom('goal')
    .select(['id', 'uuid', 'code', 'retired'])
    .where('offer_id', '=', offerId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
export type ExistingGoal = Awaited<ReturnType<typeof lockGoals>>[number]

/**
 * Prepares the locked goals of an offer for others: `leaving` are retired, `renamed` wait under codes nobody can have. Two
 * unique rules (one default, one code each) hold after every row, so the way has to be clear first.
 */
export async function clearGoals(db: DbOrTrx, offerId: number, { leaving, renamed }: { leaving: number[]; renamed: number[] }) {
  await db
    .updateTable('goal')
    .set({
      is_default: false,
      retired: sql<boolean>`retired or id = any(${leaving}::int[])`,
      code: sql<string>`case when id = any(${renamed}::int[]) then '~' || id else code end`,
    })
    .where('offer_id', '=', offerId)
    .execute()
}

type GoalColumns = Pick<Insertable<Tables['goal']>, keyof typeof goalFields> & { position: number; retired: boolean }

/** Saves goals of an offer, the new ones without `id`; answers the number of each by its code. */
export async function saveGoals(db: DbOrTrx, offerId: number, goals: (GoalColumns & { id?: number })[]): Promise<Map<string, number>> {
  const known = goals.filter((goal) => goal.id !== undefined)
  if (known.length > 0)
    await sql`
      update goal as g
         set code = n.code, title = n.title, type = n.type, is_default = n.is_default, hidden = n.hidden, repeatable = n.repeatable,
             position = n.position, retired = n.retired
        from ${recordsOf('goal', known)} as n where g.id = n.id`.execute(db)
  const fresh = goals.filter((goal) => goal.id === undefined).map(({ id: _id, ...goal }) => ({ ...goal, offer_id: offerId }))
  const made = await insertRowsReturning(db, 'goal', fresh, ['id', 'code'])
  return new Map([...known, ...made].flatMap(({ code, id }) => (id === undefined ? [] : [[code, id]])))
}

type RuleColumns = Omit<Insertable<Tables['payout_rule']>, 'id'>

/** Replaces the payout rows of an offer, which must be locked. */
export async function replacePayoutRules(db: DbOrTrx, offerId: number, rules: RuleColumns[]): Promise<void> {
  await db.deleteFrom('payout_rule').where('offer_id', '=', offerId).execute()
  await insertRows(db, 'payout_rule', rules)
}

/** Affiliates by number, with whether they are in scope. */
export async function namesOfAffiliates(db: DbOrTrx, scope: Scope, ids: number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['f.id', 'a.uuid', 'a.name', isInScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }).as('own')])
    .where(sql<boolean>`f.id = any(${ids}::int[])`)
    .execute()
}

/** The numbers of affiliates that are in scope or among `known`, by uuid. */
export async function affiliateIdsOf(db: DbOrTrx, scope: Scope, uuids: string[], known: number[]): Promise<Map<string, number>> {
  if (uuids.length === 0) return new Map()
  const rows = await db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['f.id', 'a.uuid'])
    .where(sql<boolean>`a.uuid = any(${uuids}::uuid[])`)
    .where((where) =>
      where.or([inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }), sql<boolean>`f.id = any(${known}::int[])`]),
    )
    .execute()
  return new Map(rows.map((row) => [row.uuid, row.id]))
}
