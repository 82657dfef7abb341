import { sql } from 'kysely'
import type { SentHeader } from '#contract/traffic/postback-message.ts'
import { recordsOf } from '#server/platform/pg/bulk.ts'
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

/** What was or will be called because of some conversions: addresses, bodies and headers. */
export function delivered(trx: Trx, conversionIds: readonly string[]) {
  return trx
    .selectFrom('postback_delivery')
    .select(['id', 'conversion_id', 'url', 'body', 'headers'])
    .where('conversion_id', 'in', [...conversionIds])
    .execute()
}

type Called = { id: string; url: string; body: string; headers: SentHeader[] }

export async function replaceDelivered(trx: Trx, rows: readonly Called[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update postback_delivery as d set url = n.url, body = n.body, headers = n.headers
      from ${recordsOf('postback_delivery', rows)} n where d.id = n.id`.execute(trx)
}

/** Clears addresses, User-Agents and the ad networks' ids of conversions; everything else stays. */
export async function clearVisitors(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable('conversion')
    .set({ ip: '', ua: '', carried: sql`carried - ${PERSONAL_COLUMNS}::text[]` })
    .where('id', 'in', [...ids])
    .execute()
}
