import type { Insertable, Updateable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

/** The payment methods of an affiliate, in the order they are used. */
export function listMethods(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('payment_method')
    .select(['id', 'uuid', 'system', 'masked', 'locked_until', 'created_at', 'place'])
    .where('affiliate_id', '=', affiliateId)
    .where('removed_at', 'is', null)
    .orderBy('place')
    .orderBy('id')
    .execute()
}

/** The first of an affiliate's methods of a system, with what it holds. */
export function methodOf(db: DbOrTrx, affiliateId: number, system: string) {
  return db
    .selectFrom('payment_method')
    .select(['system', 'sealed', 'locked_until'])
    .where('affiliate_id', '=', affiliateId)
    .where('system', '=', system)
    .where('removed_at', 'is', null)
    .orderBy('place')
    .limit(1)
    .executeTakeFirst()
}

/** Whether an affiliate has, or ever had, a method: only the very first one needs no time to be noticed. */
export async function hadMethods(db: DbOrTrx, affiliateId: number): Promise<boolean> {
  return (await db.selectFrom('payment_method').select('id').where('affiliate_id', '=', affiliateId).limit(1).execute()).length > 0
}

/** Makes those who change the methods of one affiliate wait for each other. */
export async function lockMethods(trx: Trx, affiliateId: number): Promise<void> {
  await trx.selectFrom('affiliate').select('id').where('id', '=', affiliateId).forUpdate().executeTakeFirst()
}

export function insertMethod(trx: Trx, values: Insertable<Tables['payment_method']>) {
  return trx.insertInto('payment_method').values(values).returning('uuid').executeTakeFirstOrThrow()
}

export async function updateMethod(trx: Trx, id: number, values: Updateable<Tables['payment_method']>): Promise<void> {
  await trx.updateTable('payment_method').set(values).where('id', '=', id).execute()
}

/** Methods without a mark, by number; at most so many. */
export function listUnmarked(db: DbOrTrx, most: number) {
  return db.selectFrom('payment_method').select(['id', 'system', 'sealed']).where('mark', 'is', null).orderBy('id').limit(most).execute()
}

/** Keeps the mark of a method, unless what it holds was changed meanwhile. */
export async function storeMark(db: DbOrTrx, id: number, sealed: Buffer, mark: Buffer): Promise<void> {
  await db.updateTable('payment_method').set({ mark }).where('id', '=', id).where('sealed', '=', sealed).execute()
}
