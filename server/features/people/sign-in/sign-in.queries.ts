import { sql, type Insertable } from 'kysely'
import type { Db, DbOrTrx, Tables } from '#server/platform/pg/database.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'

/** Appends to the history; without an account where the address is nobody's, which is as much work. */
export async function insertSignIn(db: DbOrTrx, values: Insertable<Tables['sign_in']>): Promise<void> {
  await db.insertInto('sign_in').values(values).execute()
}

/** One page of an account's history, newest first, and how long it is. */
export async function listSignIns(db: Db, accountId: number, since: Date, page: { count: number; page: number }) {
  const found = db.selectFrom('sign_in').where('account_id', '=', accountId).where('at', '>', since)
  const { limit, offset } = pageOf(page)
  const [rows, list] = await Promise.all([
    countRows(found),
    found.select(['at', 'outcome', 'way', 'device', 'address', 'new_device']).orderBy('id', 'desc').limit(limit).offset(offset).execute(),
  ])
  return { rows, list }
}

/** Whether an account has come in by any device yet. */
export async function hasDevices(db: DbOrTrx, accountId: number): Promise<boolean> {
  return (
    (await db.selectFrom('seen_device').select('seen_at').where('account_id', '=', accountId).limit(1).executeTakeFirst()) !== undefined
  )
}

/** Remembers a device; answers whether it is a new one. Of two sign-ins at the same moment one is told so. */
export async function keepDevice(db: DbOrTrx, values: Insertable<Tables['seen_device']>): Promise<boolean> {
  const { seen_at } = values
  const kept = await db
    .insertInto('seen_device')
    .values(values)
    .onConflict((known) => known.columns(['account_id', 'mark']).doUpdateSet({ seen_at }))
    .returning(sql<boolean>`xmax = 0`.as('fresh'))
    .executeTakeFirstOrThrow()
  return kept.fresh
}

/** Removes history before `time`, tries for nobody before `hour`, and what is more than `most` of an account, failed tries apart; answers how many. */
export async function deleteSignIns(db: DbOrTrx, time: Date, hour: Date, most: { in: number; failed: number }): Promise<number> {
  const old = await db
    .deleteFrom('sign_in')
    .where((of) => of.or([of('at', '<', time), of.and([of('account_id', 'is', null), of('at', '<', hour)])]))
    .executeTakeFirst()
  const surplus = await sql`
    delete from sign_in s
     using (select id, outcome = 'in' as came, row_number() over (partition by account_id, outcome = 'in' order by id desc) as number
              from sign_in where account_id is not null) as r
     where r.id = s.id and r.number > case when r.came then ${most.in}::int else ${most.failed}::int end`.execute(db)
  return Number(old.numDeletedRows) + Number(surplus.numAffectedRows ?? 0)
}

/** Removes devices nobody has come in by since; answers how many. */
export async function deleteDevicesBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number((await db.deleteFrom('seen_device').where('seen_at', '<', time).executeTakeFirst()).numDeletedRows)
}
