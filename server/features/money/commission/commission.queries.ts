import { sql } from 'kysely'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import type { Terms } from './compute.ts'

/** Managers by their numbers, whatever became of them. */
export async function listManagers(db: DbOrTrx, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['m.id', 'a.uuid', 'a.name'])
    .where(sql<boolean>`m.id = any(${[...ids]}::int[])`)
    .orderBy('a.name')
    .orderBy('m.id')
    .execute()
}

/** A manager by the uuid of the account; `lock` keeps two who change its terms from running at once. */
export function findManager(db: DbOrTrx, uuid: string, lock = false) {
  return db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['m.id', 'a.uuid', 'a.name'])
    .where('a.uuid', '=', uuid)
    .$if(lock, (query) => query.forUpdate('m'))
    .executeTakeFirst()
}

/** Terms of their own, by the number of the manager. */
export async function ownTerms(db: DbOrTrx): Promise<Map<number, Terms>> {
  const rows = await db.selectFrom('commission_terms').select(['manager_id', 'basis', 'percent']).execute()
  return new Map(rows.map(({ manager_id, ...terms }) => [manager_id, terms]))
}

export async function storeTerms(trx: Trx, managerId: number, terms: (Terms & { updated_at: Date }) | null): Promise<void> {
  await trx.deleteFrom('commission_terms').where('manager_id', '=', managerId).execute()
  if (terms !== null)
    await trx
      .insertInto('commission_terms')
      .values({ manager_id: managerId, ...terms })
      .execute()
}

/** The last month that was frozen; undefined before the first. */
export async function lastFrozen(db: DbOrTrx): Promise<string | undefined> {
  const row = await db.selectFrom('commission_month').select('month').orderBy('month', 'desc').limit(1).executeTakeFirst()
  return row?.month
}

/** When a month was frozen; undefined where it was not. */
export function findMonth(db: DbOrTrx, month: string) {
  return db.selectFrom('commission_month').select('made_at').where('month', '=', month).executeTakeFirst()
}

/** Notes that a month is frozen; false where it is already. */
export async function insertMonth(trx: Trx, month: string, made_at: Date): Promise<boolean> {
  const row = await trx
    .insertInto('commission_month')
    .values({ month, made_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('month')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertStatement(
  trx: Trx,
  values: { month: string; manager_id: number; content: string; sha256: string },
): Promise<number> {
  return (await trx.insertInto('commission_statement').values(values).returning('id').executeTakeFirstOrThrow()).id
}

/** The statements of a month, by the names they had then. */
export function listFrozen(db: DbOrTrx, month: string, most: number) {
  return db
    .selectFrom('commission_statement')
    .select(['id', 'uuid', 'content', 'sha256'])
    .where('month', '=', month)
    .orderBy('id')
    .limit(most)
    .execute()
}

/** One statement by its uuid. */
export function findStatement(db: DbOrTrx, uuid: string) {
  return db.selectFrom('commission_statement').select(['id', 'month', 'content', 'sha256']).where('uuid', '=', uuid).executeTakeFirst()
}
