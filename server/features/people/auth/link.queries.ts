import { href } from '#contract/screens.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'

/** Set-password links last a week, setup links a day. */
const LINK_LIFE = { set_password: 7 * 86_400_000, setup: 86_400_000 }

/** Makes a one-time link's token; earlier unused links of the same account stop working. */
export async function createLink(db: DbOrTrx, now: number, purpose: 'set_password' | 'setup', accountId: number | null): Promise<string> {
  const token = newToken()
  await db
    .deleteFrom('one_time_link')
    .where('purpose', '=', purpose)
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .where('used_at', 'is', null)
    .execute()
  await db
    .insertInto('one_time_link')
    .values({
      token_hash: hashToken(token),
      purpose,
      account_id: accountId,
      created_at: new Date(now),
      expires_at: new Date(now + LINK_LIFE[purpose]),
      used_at: null,
    })
    .execute()
  return token
}

/** The unused, unexpired link behind a token; `lock` keeps two uses of it from running at once. */
export async function findLink(db: DbOrTrx, token: string, now: number, lock = false) {
  let query = db
    .selectFrom('one_time_link')
    .select(['token_hash', 'purpose', 'account_id'])
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(now))
  if (lock) query = query.forUpdate()
  return query.executeTakeFirst()
}

export async function useLink(db: DbOrTrx, tokenHash: Buffer, now: number): Promise<void> {
  await db
    .updateTable('one_time_link')
    .set({ used_at: new Date(now) })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** The address of a one-time link, below the address people reach the panel at. */
export function linkAddress(publicUrl: string, token: string): string {
  return `${publicUrl}${href('setPassword', { token })}`
}
