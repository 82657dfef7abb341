import { sql, type Insertable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

/** The own terms of an affiliate; undefined where the network's hold. */
export function ownTerms(db: DbOrTrx, affiliateId: number) {
  return db.selectFrom('affiliate_terms').selectAll().where('affiliate_id', '=', affiliateId).executeTakeFirst()
}
export type TermsRow = NonNullable<Awaited<ReturnType<typeof ownTerms>>>

/** The issued invoices of an affiliate that are not paid, those due first first. */
export function listDue(db: DbOrTrx, affiliateId: number, most: number) {
  return (
    db
      .selectFrom('invoice')
      .select(['uuid', 'number', 'currency', 'sent', 'due_day'])
      // what stands in a file that is not released yet is open to whoever waits for it
      .select(sql<string>`open + planned`.as('open'))
      .where('affiliate_id', '=', affiliateId)
      .where('status', 'in', ['approved', 'partly_paid'])
      .where('due_day', 'is not', null)
      .orderBy('due_day')
      .orderBy('id')
      .limit(most)
      .execute()
  )
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
