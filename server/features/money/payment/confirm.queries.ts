import { sql } from 'kysely'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** Keeps the code of an account's change in the place of the one before: there is never a second. */
export async function storeCode(
  trx: Trx,
  code: { account_id: number; code_hash: Buffer; change: Buffer; expires_at: Date },
): Promise<void> {
  const { account_id: _account, ...rest } = code
  await trx
    .insertInto('payment_code')
    .values(code)
    .onConflict((known) => known.column('account_id').doUpdateSet({ ...rest, tries: 0 }))
    .execute()
}

/** Counts one more try at an account's code, at most so many; what it says then, undefined where there is none to try. */
export function tryCode(db: Db, accountId: number, now: Date, most: number) {
  return db
    .updateTable('payment_code')
    .set({ tries: sql<number>`tries + 1` })
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .where('tries', '<', most)
    .returning(['code_hash', 'change'])
    .executeTakeFirst()
}

/** Uses a code up; answers whether it was still there. */
export async function spendCode(trx: Trx, accountId: number, codeHash: Buffer): Promise<boolean> {
  const gone = await trx.deleteFrom('payment_code').where('account_id', '=', accountId).where('code_hash', '=', codeHash).executeTakeFirst()
  return gone.numDeletedRows > 0n
}

/** Removes codes that ended earlier. */
export async function deleteCodesBefore(db: DbOrTrx, time: Date): Promise<void> {
  await db.deleteFrom('payment_code').where('expires_at', '<', time).execute()
}
