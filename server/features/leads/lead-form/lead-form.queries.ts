import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Whether leads of an affiliate's forms are taken: no key of it is asked for, as its programs have. */
export async function isActiveAffiliate(db: DbOrTrx, affiliateId: number): Promise<boolean> {
  const found = await db
    .selectFrom('affiliate')
    .select('id')
    .where('id', '=', affiliateId)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return found !== undefined
}

/** One more program that filled in what nobody sees. */
export async function addCaught(db: DbOrTrx, affiliateId: number, offerId: number, day: string): Promise<void> {
  await db
    .insertInto('lead_form_trap')
    .values({ affiliate_id: affiliateId, offer_id: offerId, day, caught: 1 })
    .onConflict((row) => row.columns(['affiliate_id', 'offer_id', 'day']).doUpdateSet({ caught: sql`lead_form_trap.caught + 1` }))
    .execute()
}

/** How many of them since a day. */
export async function countCaught(db: DbOrTrx, affiliateId: number, offerId: number, since: string): Promise<number> {
  const { caught } = await db
    .selectFrom('lead_form_trap')
    .select(sql<number>`coalesce(sum(caught), 0)::int`.as('caught'))
    .where('affiliate_id', '=', affiliateId)
    .where('offer_id', '=', offerId)
    .where(sql<boolean>`day >= ${since}::date`)
    .executeTakeFirstOrThrow()
  return caught
}

/** Whether somebody went on by an entry of a session already. */
export async function isEntryUsed(db: DbOrTrx, sessionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('lead_entry as e')
    .innerJoin('lead_send as n', 'n.id', 'e.send_id')
    .select('e.send_id')
    .where('n.session_id', '=', sessionId)
    .where('e.used_at', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}
