import { sql } from 'kysely'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import type { StrayCounts } from '#server/rules/conversion/postback-hand-over.ts'

/** Notes the hand-over at a day and keeps every other from counting at it meanwhile; false when it was counted already. */
export async function claimDay(trx: Trx, day: string, batch: string, at: Date): Promise<boolean> {
  const row = await trx
    .insertInto('stray_path')
    .values({ day, path: '', calls: '0', last_at: at, batch })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'path'])
        .doUpdateSet({ batch })
        .where(sql<boolean>`stray_path.batch is distinct from ${batch}`),
    )
    .returning('day')
    .executeTakeFirst()
  return row !== undefined
}

/** Adds counts to those of their days; no path of a day twice. */
export async function addStrays(trx: Trx, paths: StrayCounts['paths']): Promise<void> {
  await trx
    .insertInto('stray_path')
    .values(paths.map(({ day, path, calls, last_at }) => ({ day, path, calls: String(calls), last_at: new Date(last_at) })))
    .onConflict((conflict) =>
      conflict.columns(['day', 'path']).doUpdateSet({
        calls: sql<string>`stray_path.calls + excluded.calls`,
        last_at: sql<Date>`greatest(stray_path.last_at, excluded.last_at)`,
      }),
    )
    .execute()
}

/** Puts all but the most frequent paths of a day under ''. */
export async function foldStrays(trx: Trx, day: string, most: number): Promise<void> {
  await sql`
    with gone as (
      delete from stray_path where day = ${day} and path in (
        select path from stray_path where day = ${day} and path <> '' order by calls desc, last_at desc, path offset ${most}::int)
      returning calls, last_at)
    update stray_path s set calls = s.calls + g.calls, last_at = greatest(s.last_at, g.last_at)
      from (select sum(calls) as calls, max(last_at) as last_at from gone) g
     where s.day = ${day} and s.path = '' and g.calls is not null`.execute(trx)
}

/** The most frequent paths of all days that are kept, and '' at their end; `sampled` = at least one call on it is in the log. */
export async function listStrays(db: Db, most: number) {
  const { rows } = await sql<{ path: string; calls: string; last_at: Date; sampled: boolean }>`
    with summed as (
      select path, sum(calls) as calls, max(last_at) as last_at,
             row_number() over (order by path = '', sum(calls) desc, max(last_at) desc, path) as place
        from stray_path group by path),
    shown as (
      select case when place > ${most} then '' else path end as path, sum(calls) as calls, max(last_at) as last_at
        from summed group by 1)
    select path, calls::text as calls, last_at,
           path <> '' and exists (select from postback_in p where p.reason = 'path_unknown' and left(p.path, 200) = shown.path) as sampled
      from shown where calls > 0
     order by path = '', shown.calls desc, last_at desc, path`.execute(db)
  return rows
}

/** Deletes the counts of days before one. */
export async function deleteStraysBefore(db: DbOrTrx, day: string): Promise<void> {
  await db.deleteFrom('stray_path').where('day', '<', day).execute()
}
