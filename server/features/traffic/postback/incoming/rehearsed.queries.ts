import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** What some conversions are worth, by status and currency. */
export function sumConversions(db: DbOrTrx, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('conversion')
    .select(['status', 'currency'])
    .select(sql<number>`count(*)::int`.as('conversions'))
    .select(sql<string>`sum(payout)::text`.as('payout'))
    .select(sql<string>`sum(revenue)::text`.as('revenue'))
    .where('id', 'in', [...ids])
    .groupBy(['status', 'currency'])
    .orderBy('currency')
    .orderBy('status')
    .execute()
}

/** Offers whose full cap declined some of these conversions, and how many of them. */
export async function countCapped(db: DbOrTrx, ids: readonly string[]) {
  if (ids.length === 0) return []
  const { rows } = await sql<{ offer: { uuid: string; id: number; name: string }; conversions: number }>`
    select json_build_object('uuid', o.uuid, 'id', o.id, 'name', o.title) as offer, count(*)::int as conversions
      from conversion c join offer o on o.id = c.offer_id
     where c.id = any(${[...ids]}::bigint[]) and c.status = 'declined' and c.reason = 'cap_reached' group by o.id order by 2 desc, o.id`.execute(
    db,
  )
  return rows
}
