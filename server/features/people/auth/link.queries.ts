import type { Insertable } from 'kysely'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'

/** Keeps a new unused link in the place of the one its account has for the same purpose: there is never a second. */
export async function replaceLink(db: DbOrTrx, values: Insertable<Tables['one_time_link']>): Promise<void> {
  const { token_hash, created_at, expires_at } = values
  await db
    .insertInto('one_time_link')
    .values(values)
    .onConflict((taken) =>
      taken.columns(['purpose', 'account_id']).where('used_at', 'is', null).doUpdateSet({ token_hash, created_at, expires_at }),
    )
    .execute()
}

/** Takes back the set-password link of an account that nobody has used. */
export async function deletePasswordLink(db: DbOrTrx, accountId: number): Promise<void> {
  await db
    .deleteFrom('one_time_link')
    .where('purpose', '=', 'set_password')
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute()
}

/** The unused, unexpired link of a token, with the e-mail of its account; `lock` keeps two uses of it from running at once. */
export function findLink(db: DbOrTrx, tokenHash: Buffer, now: number, lock = false) {
  return db
    .selectFrom('one_time_link as l')
    .leftJoin('account as a', 'a.id', 'l.account_id')
    .select(['l.token_hash', 'l.account_id', 'a.email'])
    .where('l.token_hash', '=', tokenHash)
    .where('l.used_at', 'is', null)
    .where('l.expires_at', '>', new Date(now))
    .$if(lock, (query) => query.forUpdate('l'))
    .executeTakeFirst()
}

export async function useLink(db: DbOrTrx, tokenHash: Buffer, now: number): Promise<void> {
  await db
    .updateTable('one_time_link')
    .set({ used_at: new Date(now) })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Removes what ended earlier; answers how many. */
export async function deleteLinksBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number((await db.deleteFrom('one_time_link').where('expires_at', '<', time).executeTakeFirst()).numDeletedRows)
}
