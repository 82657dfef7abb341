import type { Updateable } from 'kysely'
import type { Db, Tables } from '#server/platform/pg/database.ts'

/** Whose token: a step of a version, by the account of a product. */
export type TokenKey = { productId: number; versionId: number; step: string }

/** What is known of a log-in, as long as there was one. */
export function getToken(db: Db, { productId, versionId, step }: TokenKey) {
  return db
    .selectFrom('product_token')
    .select(['made_of', 'sealed', 'expires_at', 'number', 'failures', 'outcome', 'reason', 'retry_at'])
    .where('product_id', '=', productId)
    .where('version_id', '=', versionId)
    .where('step', '=', step)
    .executeTakeFirst()
}
export type TokenRow = NonNullable<Awaited<ReturnType<typeof getToken>>>

/** Takes the next log-in, until `until`, where nobody has it in hand and none was made since `number`; false else. */
export async function leaseLogIn(
  db: Db,
  { productId, versionId, step }: TokenKey,
  { number, now, until }: { number: number; now: Date; until: Date },
): Promise<boolean> {
  const taken = await db
    .insertInto('product_token')
    .values({ product_id: productId, version_id: versionId, step, leased_until: until })
    .onConflict((conflict) =>
      conflict
        .columns(['product_id', 'version_id', 'step'])
        .doUpdateSet({ leased_until: until })
        .where('product_token.number', '=', number)
        .where((where) => where.or([where('product_token.leased_until', 'is', null), where('product_token.leased_until', '<=', now)])),
    )
    .returning('number')
    .executeTakeFirst()
  return taken !== undefined
}

/** Writes what a log-in came to, where no later one was made meanwhile. */
export async function settleLogIn(
  db: Db,
  { productId, versionId, step }: TokenKey,
  number: number,
  values: Updateable<Tables['product_token']>,
): Promise<void> {
  await db
    .updateTable('product_token')
    .set({ ...values, number: number + 1, leased_until: null })
    .where('product_id', '=', productId)
    .where('version_id', '=', versionId)
    .where('step', '=', step)
    .where('number', '=', number)
    .execute()
}
