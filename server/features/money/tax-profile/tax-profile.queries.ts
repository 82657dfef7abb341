import { sql, type Insertable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

/** How an affiliate is taxed; undefined before anybody said anything. */
export function getProfile(db: DbOrTrx, affiliateId: number) {
  return db.selectFrom('tax_profile').selectAll().where('affiliate_id', '=', affiliateId).executeTakeFirst()
}
export type ProfileRow = NonNullable<Awaited<ReturnType<typeof getProfile>>>

/** The same, made where there is none, and locked. */
export async function lockProfile(trx: Trx, affiliateId: number, at: Date): Promise<ProfileRow> {
  await trx
    .insertInto('tax_profile')
    .values({ affiliate_id: affiliateId, updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('tax_profile').selectAll().where('affiliate_id', '=', affiliateId).forUpdate().executeTakeFirstOrThrow()
}

/** Changes a profile and counts the change; answers what it is then. */
export function updateProfile(trx: Trx, affiliateId: number, at: Date, values: Partial<Insertable<Tables['tax_profile']>>) {
  return trx
    .updateTable('tax_profile')
    .set({ ...values, version: sql<number>`version + 1`, updated_at: at })
    .where('affiliate_id', '=', affiliateId)
    .returningAll()
    .executeTakeFirstOrThrow()
}
