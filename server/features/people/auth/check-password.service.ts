import { setTimeout as wait } from 'node:timers/promises'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { verifyPassword } from '#server/platform/secret.ts'
import { findPasswordHash } from '../account/account.queries.ts'
import { bookAttempt } from './throttle.service.ts'

/**
 * Asks who is signed in for their password once more. Throws `wrong_password` at `field`; guesses count like those of a sign-in,
 * so that who finds an open session does not find out the password too. Where it was right, the caller forgives the tries.
 */
export async function checkPassword(db: Db, now: number, actor: Actor, password: string, field: string): Promise<void> {
  const delay = await bookAttempt(db, actor.email, actor.address, now)
  if (delay > 0) await wait(delay)
  const account = await findPasswordHash(db, actor.accountId)
  if (!(await verifyPassword(account.password_hash, password)))
    throw new AppError('wrong_password', { fields: { [field]: 'This is not your current password' } })
}
