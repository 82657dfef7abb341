import { sql } from 'kysely'
import { sectionOf } from '#contract/network/define-setting.ts'
import { z } from 'zod'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** Where the list that was imported last comes from. */
export const unsafeSection = sectionOf(
  'unsafe_hosts',
  { name: z.string(), imported_at: z.string().nullable(), imported_by: z.string().nullable() },
  { name: '', imported_at: null, imported_by: null },
)

/** Whether a host, or one it stands below, is on the imported list; null where none was imported. */
export async function isUnsafe(db: DbOrTrx, host: string): Promise<boolean | null> {
  const labels = host.split('.')
  const above = labels.slice(0, -1).map((_label, from) => labels.slice(from).join('.'))
  const { rows } = await sql<{ listed: boolean; any: boolean }>`
    select exists (select from unsafe_host where host = any(${above}::text[])) as listed, exists (select from unsafe_host) as any`.execute(
    db,
  )
  return rows[0]?.any ? rows[0].listed : null
}

export async function countUnsafe(db: DbOrTrx): Promise<number> {
  const { rows } = await db
    .selectFrom('unsafe_host')
    .select(sql<number>`count(*)::int`.as('rows'))
    .executeTakeFirstOrThrow()
  return rows
}

/** Replaces the list; hosts that stand in it twice count once. */
export async function replaceUnsafe(trx: Trx, hosts: readonly string[]): Promise<void> {
  await trx.deleteFrom('unsafe_host').execute()
  await sql`insert into unsafe_host (host) select distinct unnest(${[...hosts]}::text[])`.execute(trx)
}

/** Has every domain looked at soon: one of them may stand on the new list. */
export async function lookSoon(trx: Trx, now: number): Promise<void> {
  await trx
    .updateTable('domain')
    .set({ next_check_at: new Date(now) })
    .where('next_check_at', 'is not', null)
    .execute()
}
