import { sql } from 'kysely'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { countRows } from '#server/platform/pg/paging.ts'
import { lockName } from '#server/platform/pg/lock.ts'

type Caller = { accountId: number; seesShared: boolean }

/** The own views of a screen by name, then the shared ones of others. */
export function listViews(db: DbOrTrx, { accountId, seesShared }: Caller, screen: string) {
  return db
    .selectFrom('saved_view as w')
    .innerJoin('account as a', 'a.id', 'w.account_id')
    .select(['w.uuid', 'w.name', 'w.address', 'w.shared', 'a.name as owner', sql<boolean>`w.account_id = ${accountId}`.as('own')])
    .where('w.screen', '=', screen)
    .where((eb) =>
      seesShared ? eb.or([eb('w.account_id', '=', accountId), eb('w.shared', '=', true)]) : eb('w.account_id', '=', accountId),
    )
    .orderBy('own', 'desc')
    .orderBy('w.name')
    .orderBy('w.id')
    .limit(500)
    .execute()
}

/** Lets an account keep one view or layout at a time: two at once would both find room for one more. */
export async function lockViews(trx: Trx, accountId: number): Promise<void> {
  await lockName(trx, `saved_view ${accountId}`)
}

/** How many views of a screen an account has under other names than this one. */
export function countOtherViews(db: DbOrTrx, accountId: number, screen: string, name: string): Promise<number> {
  return countRows(db.selectFrom('saved_view').where('account_id', '=', accountId).where('screen', '=', screen).where('name', '<>', name))
}

/** Stores a view under its name, replacing the one that had it. */
export function saveView(
  db: DbOrTrx,
  now: number,
  accountId: number,
  { screen, name, address, shared }: { screen: string; name: string; address: string; shared: boolean },
) {
  const at = new Date(now)
  return db
    .insertInto('saved_view')
    .values({ account_id: accountId, screen, name, address, shared, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.constraint('saved_view_name').doUpdateSet({ address, shared, updated_at: at }))
    .returning(['uuid', 'name', 'address', 'shared'])
    .executeTakeFirstOrThrow()
}

/** Deletes an own view; undefined where there is none of that key. */
export function removeView(db: DbOrTrx, accountId: number, uuid: string) {
  return db
    .deleteFrom('saved_view')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returning(['screen', 'name', 'shared'])
    .executeTakeFirst()
}

type Layout = { list: string; columns?: string[] | null | undefined; widths?: Record<string, number> | undefined }

/** How an account has arranged its tables. */
export function listLayouts(db: DbOrTrx, accountId: number) {
  return db.selectFrom('table_layout').select(['list', 'columns', 'widths']).where('account_id', '=', accountId).orderBy('list').execute()
}

/** How many tables other than this one an account has arranged. */
export function countOtherLayouts(db: DbOrTrx, accountId: number, list: string): Promise<number> {
  return countRows(db.selectFrom('table_layout').where('account_id', '=', accountId).where('list', '<>', list))
}

/** Stores how a table is arranged; what is undefined stays as it was. */
export async function saveLayout(db: DbOrTrx, now: number, accountId: number, { list, columns, widths }: Layout): Promise<void> {
  const given = { ...(columns !== undefined && { columns }), ...(widths !== undefined && { widths }), updated_at: new Date(now) }
  await db
    .insertInto('table_layout')
    .values({ account_id: accountId, list, ...given })
    .onConflict((conflict) => conflict.columns(['account_id', 'list']).doUpdateSet(given))
    .execute()
}
