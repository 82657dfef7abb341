import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/**
 * Counts one more call of somebody, at most `most` since `since`; answers when their present span began where it was one too many.
 * One statement over one row: of calls at the same moment each is counted.
 */
export async function countCall(
  db: DbOrTrx,
  { what, who, most, at, since }: { what: string; who: string; most: number; at: Date; since: Date },
): Promise<Date | undefined> {
  const counted = await sql<{ used: number }>`
    insert into call_count as c (what, who, since, used) values (${what}, ${who}, ${at}, 1)
    on conflict (what, who) do update
      set since = case when c.since <= ${since} then excluded.since else c.since end,
          used = case when c.since <= ${since} then 1 else c.used + 1 end
      where c.since <= ${since} or c.used < ${most}
    returning used`.execute(db)
  if (counted.rows.length > 0) return undefined
  const row = await db.selectFrom('call_count').select('since').where('what', '=', what).where('who', '=', who).executeTakeFirst()
  return row?.since ?? at
}

/** Removes counts that began earlier; answers how many. */
export async function deleteCountsBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number((await db.deleteFrom('call_count').where('since', '<', time).executeTakeFirst()).numDeletedRows)
}
