import type { Trx } from '#server/platform/pg/database.ts'

/** Keeps a statement; one that is there already stays, and undefined is answered. */
export async function insertStatement(
  trx: Trx,
  values: { affiliate_id: number; month: string; content: string; sha256: string; made_at: Date },
): Promise<number | undefined> {
  const made = await trx
    .insertInto('account_statement')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}
