import type { Insertable } from 'kysely'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'

/** Keeps a new unused link in the place of the one its account has for the same purpose: there is never a second. */
export async function replaceLink(db: DbOrTrx, values: Insertable<Tables['one_time_link']>): Promise<void> {
  const { token_hash, email, created_at, expires_at } = values
  await db
    .insertInto('one_time_link')
    .values(values)
    .onConflict((taken) =>
      taken.columns(['purpose', 'account_id']).where('used_at', 'is', null).doUpdateSet({ token_hash, email, created_at, expires_at }),
    )
    .execute()
}

/** What a link is for: a first password, the first admin, another password in place of a forgotten one, to confirm an address, or to change it. */
export type LinkPurpose = Tables['one_time_link']['purpose']
/** Those that set a password. */
export const PASSWORD_LINKS = ['set_password', 'setup', 'recovery'] as const satisfies readonly LinkPurpose[]

/** Takes back the links that would set the password of an account and that nobody has used. */
export async function deletePasswordLinks(db: DbOrTrx, accountId: number): Promise<void> {
  await db
    .deleteFrom('one_time_link')
    .where('purpose', 'in', PASSWORD_LINKS)
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute()
}

/** The unused, unexpired link of a token for one of these purposes, with the e-mail of its account; `lock` keeps two uses of it from running at once. */
export function findLink(db: DbOrTrx, tokenHash: Buffer, now: number, purposes: readonly LinkPurpose[], lock = false) {
  return db
    .selectFrom('one_time_link as l')
    .leftJoin('account as a', 'a.id', 'l.account_id')
    .select(['l.token_hash', 'l.account_id', 'l.purpose', 'l.email as new_email', 'a.email'])
    .where('l.token_hash', '=', tokenHash)
    .where('l.purpose', 'in', purposes)
    .where('l.used_at', 'is', null)
    .where('l.expires_at', '>', new Date(now))
    .$if(lock, (query) => query.forUpdate('l'))
    .executeTakeFirst()
}

/** The address an account is to be changed to, while its link is good; null where there is none. */
export async function findWaitingEmail(db: DbOrTrx, accountId: number, now: number): Promise<string | null> {
  const row = await db
    .selectFrom('one_time_link')
    .select('email')
    .where('purpose', '=', 'change_email')
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst()
  return row?.email ?? null
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
