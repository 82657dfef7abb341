import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** One more visit by the link of an affiliate on a day. */
export async function addVisit(db: DbOrTrx, affiliateId: number, day: string): Promise<void> {
  await db
    .insertInto('referral_visit')
    .values({ affiliate_id: affiliateId, day, visits: 1 })
    .onConflict((row) => row.columns(['affiliate_id', 'day']).doUpdateSet({ visits: sql`referral_visit.visits + 1` }))
    .execute()
}

/** Visits by the link of an affiliate since a day, in order of days; those without any are left out. */
export function listVisits(db: DbOrTrx, affiliateId: number, since: string) {
  return db
    .selectFrom('referral_visit')
    .select(['visits', sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day')])
    .where('affiliate_id', '=', affiliateId)
    .where(sql<boolean>`day >= ${since}::date`)
    .orderBy('day')
    .execute()
}

/** Forgets visits before a day. */
export async function deleteVisitsBefore(db: DbOrTrx, day: string): Promise<void> {
  await db
    .deleteFrom('referral_visit')
    .where(sql<boolean>`day < ${day}::date`)
    .execute()
}
