import { href } from '#contract/screens.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import { replaceLink, type LinkPurpose } from './link.queries.ts'

const HOUR = 3_600_000
/** Set-password links last a week, setup links and those that confirm an address, a first or another one, a day, those for a forgotten password an hour. */
export const LINK_LIFE: Readonly<Record<LinkPurpose, number>> = {
  set_password: 168 * HOUR,
  setup: 24 * HOUR,
  confirm_email: 24 * HOUR,
  recovery: HOUR,
  change_email: 24 * HOUR,
}

/** Makes a one-time link's token; the unused one the account had before stops working. `email` is the address another one is to be changed to. */
export async function createLink(
  db: DbOrTrx,
  now: number,
  purpose: LinkPurpose,
  accountId: number | null,
  email: string | null = null,
): Promise<string> {
  const token = newToken()
  await replaceLink(db, {
    token_hash: hashToken(token),
    purpose,
    account_id: accountId,
    email,
    created_at: new Date(now),
    expires_at: new Date(now + LINK_LIFE[purpose]),
    used_at: null,
  })
  return token
}

/** The address of a link that sets a password, below the address people reach the panel at. */
export function linkAddress(publicUrl: string, token: string): string {
  return `${publicUrl}${href('passwordRecovery')}?token=${token}`
}

/** The address of a link that confirms an e-mail address, or of an invitation. */
export function signupAddress(publicUrl: string, token: string): string {
  return `${publicUrl}${href('signup')}?token=${token}`
}
