import type { z } from 'zod'
import type { Role } from '#contract/access.ts'
import { accountFields } from '#contract/people/account.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { createLink } from '../auth/link.service.ts'
import { findManagerId } from '../manager/manager.queries.ts'
import { insertAccount, updateAccount } from './account.queries.ts'

type Fields = { [Name in keyof typeof accountFields]: z.output<(typeof accountFields)[Name]> }

/**
 * Makes an account for whoever is made with it; `token` is that of its set-password link, null where the actor is not shown
 * one. Throws `email_taken`.
 */
export async function createAccount(
  trx: DbOrTrx,
  now: number,
  actor: Actor,
  role: Role,
  input: Fields,
): Promise<{ id: number; uuid: string; token: string | null }> {
  const values = { ...pickFields(input, accountFields), role, created_at: new Date(now) }
  const account = await refuseTakenEmail(() => insertAccount(trx, values))
  return { ...account, token: may(actor, 'account.password_link') ? await createLink(trx, now, 'set_password', account.id) : null }
}

/** Changes an account, and its role where one is given. Throws `email_taken`. */
export async function changeAccount(trx: DbOrTrx, id: number, input: Fields, role?: Role): Promise<void> {
  await refuseTakenEmail(() => updateAccount(trx, id, { ...pickFields(input, accountFields), ...(role && { role }) }))
}

/**
 * Makes a fresh set-password link for somebody, if they were found; the one before stops working. Who sees the link
 * can sign in as that person, so it is shown to few. Throws `not_found`, `link_for_admins`.
 */
export async function renewPasswordLink(
  trx: DbOrTrx,
  now: number,
  actor: Actor,
  entity: 'affiliate' | 'manager',
  found: { id: number; account_id: number } | undefined,
): Promise<string> {
  if (found === undefined) throw new AppError('not_found')
  if (!may(actor, 'account.password_link')) throw new AppError('link_for_admins')
  await recordAudit(trx, actor, now, { action: 'password_link', entity, entityId: found.id })
  return createLink(trx, now, 'set_password', found.account_id)
}

type Managed = { manager_id: number | null; manager: { uuid: string } | null }

/**
 * The manager chosen; none means oneself for those who see only their own, so that nobody loses sight of what they make.
 * Keeping the one there is `before` is always allowed, even one who has left. Throws `unknown_reference`.
 */
export async function managerFor(db: DbOrTrx, actor: Actor, uuid: string | null, before?: Managed): Promise<number | null> {
  if (before !== undefined && uuid === (before.manager?.uuid ?? null)) return before.manager_id
  if (uuid === null) return actor.scope.kind === 'managers' ? actor.managerId : null
  const managerId = await findManagerId(db, actor.scope, uuid)
  if (managerId === undefined) throw new AppError('unknown_reference', { fields: { manager_uuid: 'Choose a manager of yours' } })
  return managerId
}

/** What a write answers that may meet an address somebody has. Throws `email_taken`. */
export async function refuseTakenEmail<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (violates(error, 'account_email_key')) throw new AppError('email_taken', { fields: { email: 'This e-mail is already in use' } })
    throw error
  }
}

/** Whether PostgreSQL refused something because of this named constraint. */
function violates(error: unknown, constraint: string): boolean {
  return typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === constraint
}
