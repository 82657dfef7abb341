import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Keeps a secret that waits for its first code, in the place of another that waits. Answers whether it was kept: one that is on stays. */
export async function beginFactor(db: DbOrTrx, values: { account_id: number; secret: Buffer; begun_at: Date }): Promise<boolean> {
  const { secret, begun_at } = values
  const kept = await db
    .insertInto('second_factor')
    .values(values)
    .onConflict((known) => known.column('account_id').doUpdateSet({ secret, begun_at }).where('second_factor.confirmed_at', 'is', null))
    .executeTakeFirst()
  return Number(kept.numInsertedOrUpdatedRows ?? 0) > 0
}

/** An account's second factor, kept from changing until the transaction ends: of codes at the same moment one counts after the other. */
export function lockFactor(trx: DbOrTrx, accountId: number) {
  return trx
    .selectFrom('second_factor')
    .select(['account_id', 'secret', 'last_step', 'begun_at', 'confirmed_at'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
}

/** Remembers the time step of the code that was taken, and that the factor is on since then where it waited. */
export async function takeStep(db: DbOrTrx, accountId: number, step: number, confirmed?: Date): Promise<void> {
  await db
    .updateTable('second_factor')
    .set({ last_step: String(step), ...(confirmed === undefined ? {} : { confirmed_at: confirmed }) })
    .where('account_id', '=', accountId)
    .execute()
}

/** Uses a recovery code; answers whether there was such an unused one. */
export async function spendRecoveryCode(db: DbOrTrx, accountId: number, codeHash: Buffer, now: Date): Promise<boolean> {
  const used = await db
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

export async function deleteRecoveryCodes(db: DbOrTrx, accountId: number): Promise<void> {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
}

export async function insertRecoveryCodes(db: DbOrTrx, accountId: number, hashes: readonly Buffer[]): Promise<void> {
  await db
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute()
}

/** Removes a second factor with its recovery codes; answers whether one was on. */
export async function deleteFactor(db: DbOrTrx, accountId: number): Promise<boolean> {
  const gone = await db.deleteFrom('second_factor').where('account_id', '=', accountId).returning('confirmed_at').executeTakeFirst()
  return gone !== undefined && gone.confirmed_at !== null
}

/** Since when an account has its second factor and how many recovery codes are left; undefined without one. */
export function findFactor(db: DbOrTrx, accountId: number) {
  return db
    .selectFrom('second_factor as s')
    .select((select) => [
      's.confirmed_at',
      select
        .selectFrom('recovery_code as r')
        .select((count) => count.fn.countAll<number>().as('left'))
        .whereRef('r.account_id', '=', 's.account_id')
        .where('r.used_at', 'is', null)
        .as('codes_left'),
    ])
    .where('s.account_id', '=', accountId)
    .where('s.confirmed_at', 'is not', null)
    .executeTakeFirst()
}
