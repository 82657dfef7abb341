import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'

/** Drops calls and redirects of the next old sends behind one; `last` = the last one looked at, null = there are no more. */
export async function dropCalls(db: Db, before: Date, after: string, most: number): Promise<{ last: string | null; count: number }> {
  const { rows } = await sql<{ last: string | null; count: number }>`
    with next as (select id, call, redirect from lead_send where id > ${after}::bigint and asked_at < ${before} order by id limit ${most}),
         cleared as (update lead_send s set call = null, redirect = null from next n
                      where s.id = n.id and (n.call is not null or n.redirect is not null) returning s.id)
    select (select max(id)::text from next) as last, (select count(*)::int from cleared) as count`.execute(db)
  return rows[0] ?? { last: null, count: 0 }
}
