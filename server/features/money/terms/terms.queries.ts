import type { Insertable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

/** The own terms of an affiliate; undefined where the network's hold. */
export function ownTerms(db: DbOrTrx, affiliateId: number) {
  return db.selectFrom('affiliate_terms').selectAll().where('affiliate_id', '=', affiliateId).executeTakeFirst()
}
export type TermsRow = NonNullable<Awaited<ReturnType<typeof ownTerms>>>

/** The first day on which an issued invoice of an affiliate that is not paid is due. */
export async function firstDue(db: DbOrTrx, affiliateId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('invoice')
    .select('due_day')
    .where('affiliate_id', '=', affiliateId)
    .where('status', 'in', ['approved', 'partly_paid'])
    .where('due_day', 'is not', null)
    .orderBy('due_day')
    .limit(1)
    .executeTakeFirst()
  return row?.due_day ?? undefined
}

/** Makes whoever changes the terms of one affiliate wait for each other. */
export async function lockAffiliate(trx: Trx, affiliateId: number): Promise<void> {
  await trx.selectFrom('affiliate').select('id').where('id', '=', affiliateId).forUpdate().executeTakeFirst()
}

export async function saveTerms(trx: Trx, row: Insertable<Tables['affiliate_terms']>): Promise<void> {
  await trx
    .insertInto('affiliate_terms')
    .values(row)
    .onConflict((conflict) => conflict.column('affiliate_id').doUpdateSet(row))
    .execute()
}

export async function removeTerms(trx: Trx, affiliateId: number): Promise<void> {
  await trx.deleteFrom('affiliate_terms').where('affiliate_id', '=', affiliateId).execute()
}
