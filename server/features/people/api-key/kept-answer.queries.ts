import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

type Call = { accountId: number; key: string; hash: Buffer }

/**
 * Takes a key for a call, also one that was taken before `since`; false where it is taken. Who asks while another call of the same
 * key is under way waits for how that ends.
 */
export async function takeKey(trx: Trx, { accountId, key, hash }: Call, at: Date, since: Date): Promise<boolean> {
  const taken = await trx
    .insertInto('kept_answer')
    .values({ account_id: accountId, key, hash, created_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'key'])
        .doUpdateSet({ hash, sealed: null, created_at: at })
        .where('kept_answer.created_at', '<=', since),
    )
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}

/** What was kept under a key. */
export function findAnswer(db: DbOrTrx, { accountId, key }: Call) {
  return db
    .selectFrom('kept_answer')
    .select(['hash', 'sealed'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Keeps the answer of the call that took a key. */
export async function storeAnswer(trx: Trx, { accountId, key }: Call, sealed: Buffer): Promise<void> {
  await trx.updateTable('kept_answer').set({ sealed }).where('account_id', '=', accountId).where('key', '=', key).execute()
}

/** Removes answers kept before a moment; answers how many. */
export async function deleteAnswersBefore(db: DbOrTrx, time: Date): Promise<number> {
  const gone = await db.deleteFrom('kept_answer').where('created_at', '<=', time).executeTakeFirst()
  return Number(gone.numDeletedRows)
}
