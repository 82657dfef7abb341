import { sql } from 'kysely'
import type { Trx } from '#server/platform/pg/database.ts'
import { PERSONAL_COLUMNS } from '#server/rules/click/click-row.ts'

/** Locks conversions made before `before` that still know their visitor, oldest first. */
export function lockKnownVisitors(trx: Trx, before: Date, count: number) {
  return trx
    .selectFrom('conversion')
    .select(['id', 'ip', 'ua', 'carried'])
    .where('created_at', '<', before)
    .where((where) => where.or([where('ip', '<>', ''), where('ua', '<>', ''), sql<boolean>`carried ?| ${PERSONAL_COLUMNS}::text[]`]))
    .orderBy('id')
    .limit(count)
    .forUpdate()
    .execute()
}

/** The addresses that were or will be called because of some conversions. */
export function deliveredUrls(trx: Trx, conversionIds: readonly string[]) {
  return trx
    .selectFrom('postback_delivery')
    .select(['id', 'conversion_id', 'url'])
    .where('conversion_id', 'in', [...conversionIds])
    .execute()
}

export async function replaceDeliveredUrls(trx: Trx, rows: readonly { id: string; url: string }[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update postback_delivery as d set url = n.url
      from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.url)}::text[]) as n(id, url) where d.id = n.id`.execute(
    trx,
  )
}

/** Clears addresses, User-Agents and the ad networks' ids of conversions; everything else stays. */
export async function clearVisitors(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable('conversion')
    .set({ ip: '', ua: '', carried: sql`carried - ${PERSONAL_COLUMNS}::text[]` })
    .where('id', 'in', [...ids])
    .execute()
}
