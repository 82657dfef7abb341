import { sql } from 'kysely'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** What the business data take, indexes included. */
export async function businessBytes(db: DbOrTrx): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database())::text as bytes`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** What the statistics take, compressed, as they lie. */
export async function statisticsBytes(clickhouse: Clickhouse): Promise<number> {
  const answer = await clickhouse.query({
    query: `SELECT toString(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = currentDatabase()`,
    format: 'JSONEachRow',
  })
  return Number((await answer.json<{ bytes: string }>())[0]?.bytes ?? 0)
}

/** Keeps what was measured. */
export async function insertSizes(db: DbOrTrx, at: Date, sizes: readonly { part: string; bytes: number }[]): Promise<void> {
  await db
    .insertInto('system_size')
    .values(sizes.map(({ part, bytes }) => ({ part, at, bytes: String(bytes) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Of each part what was measured last, and first within the last days. */
export async function sizesSince(db: DbOrTrx, since: Date) {
  const { rows } = await sql<{ part: string; at: Date; bytes: string; first_at: Date; first_bytes: string }>`
    select last.part, last.at, last.bytes::text, first.at as first_at, first.bytes::text as first_bytes
      from (select distinct on (part) part, at, bytes from system_size order by part, at desc) as last
      cross join lateral (select at, bytes from system_size s where s.part = last.part and s.at >= ${since} order by at limit 1) as first`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes), first_bytes: Number(row.first_bytes) }))
}

/** Forgets what was measured before. */
export async function deleteSizesBefore(db: DbOrTrx, before: Date): Promise<void> {
  await db.deleteFrom('system_size').where('at', '<', before).execute()
}
