import { href } from '#contract/screens.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import { replaceLink } from './link.queries.ts'

/** Set-password links last a week, setup links a day. */
const LINK_LIFE = { set_password: 7 * 86_400_000, setup: 86_400_000 }

/** Makes a one-time link's token; the unused one the account had before stops working. */
export async function createLink(db: DbOrTrx, now: number, purpose: 'set_password' | 'setup', accountId: number | null): Promise<string> {
  const token = newToken()
  await replaceLink(db, {
    token_hash: hashToken(token),
    purpose,
    account_id: accountId,
    created_at: new Date(now),
    expires_at: new Date(now + LINK_LIFE[purpose]),
    used_at: null,
  })
  return token
}

/** The address of a one-time link, below the address people reach the panel at. */
export function linkAddress(publicUrl: string, token: string): string {
  return `${publicUrl}${href('setPassword', { token })}`
}
