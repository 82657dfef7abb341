import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

/** Goals of offers in their order, without retired ones. */
export function listGoals(db: DbOrTrx, offerIds: number[]) {
  return db
    .selectFrom('goal')
    .select(['id', 'uuid', 'offer_id', 'code', 'title', 'type', 'is_default', 'hidden', 'repeatable'])
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
    .select([
      'id',
      'offer_id',
      'goal_id',
      'position',
      'affiliate_ids',
      'landing_ids',
      'geos',
      'devices',
      'oses',
      'payout_fixed',
      'payout_percent',
      'revenue_fixed',
      'revenue_percent',
    ]) // prettier-ignore
    .where(sql<boolean>`offer_id = any(${offerIds}::int[])`)
    .orderBy('goal_id')
    .orderBy('position')
    .orderBy('id')
    .execute()
}
export type PayoutRuleRow = Awaited<ReturnType<typeof listPayoutRules>>[number]

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
