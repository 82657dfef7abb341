import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import type { authApi, login } from '#contract/people/auth.ts'
import { securitySetting } from '#contract/people/security.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import type { Sealer } from '#server/platform/seal.ts'
import { hashPassword, hashToken, verifyPassword } from '#server/platform/secret.ts'
import { findByEmail, findPasswordHash, findSigningIn, insertAccount, updateAccount } from '../account/account.queries.ts'
import { endKeys } from '../api-key/end.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { hasManagers, insertManager } from '../manager/manager.queries.ts'
import { takeCode } from '../second-factor/code.service.ts'
import type { Steps } from '../second-factor/step.service.ts'
import { checkPassword } from './check-password.service.ts'
import { deletePasswordLinks, findLink, PASSWORD_LINKS, useLink } from './link.queries.ts'
import { createLink } from './link.service.ts'
import { deleteAllSessions } from './session.queries.ts'
import { endSessions, isOutside, openSession } from './session.service.ts'
import type { SignIns, Way } from '../sign-in/sign-in.service.ts'
import { tellOwner, type ToldFrom } from './tell-owner.service.ts'
import { bookAttempt, forgiveAttempts } from './throttle.service.ts'

type Device = { address: string; device: string }
type SigningIn = NonNullable<Awaited<ReturnType<typeof findSigningIn>>>

/**
 * Signs in, or answers what the second step takes where a second factor is on. Throws `wrong_credentials` whether the address is
 * unknown or the password wrong, after the same work: both are written down.
 */
export async function signIn(
  db: Db,
  { steps, signIns }: { steps: Steps; signIns: SignIns },
  now: number,
  email: string,
  password: string,
  from: Device,
): Promise<z.input<typeof authApi.login.response>> {
  const delay = await bookAttempt(db, email, from.address, now)
  if (delay > 0) await wait(delay)
  const account = await findByEmail(db, email)
  const right = await verifyPassword(account?.password_hash ?? null, password)
  if (account === undefined || !right) {
    await signIns.failed(db, now, account?.id ?? null, { outcome: 'wrong_password', way: 'password' }, from)
    throw new AppError('wrong_credentials')
  }
  await refuseKept(db, signIns, now, account, 'password', from)
  // the slate stays as it is until the code was right too, or a right password would wipe away wrong codes
  if (account.second_factor_since !== null) return { second_factor: steps.begin(now, account) }
  return db.transaction().execute((trx) => enter(trx, signIns, now, account, 'password', from))
}

/** The second step of a sign-in: a code of the app or a recovery code. Throws `step_expired`, `wrong_code`; tries count like those of a password. */
export async function signInByCode(
  db: Db,
  { steps, secrets, signIns }: { steps: Steps; secrets: Sealer; signIns: SignIns },
  now: number,
  { token, code }: { token: string; code: string },
  from: Device,
): Promise<z.input<typeof login>> {
  const step = steps.read(now, token)
  const known = await findSigningIn(db, step.accountId)
  if (known === undefined) throw new AppError('step_expired')
  const delay = await bookAttempt(db, known.email, from.address, now)
  if (delay > 0) await wait(delay)
  const holds = ({ second_factor_since, password_hash }: SigningIn) => second_factor_since !== null && step.isPassword(password_hash)
  if (!holds(known)) throw new AppError('step_expired')
  // on connections of its own: within the transaction as many at once as the pool has would wait for each other
  await refuseKept(db, signIns, now, known, 'code', from)
  try {
    return await db.transaction().execute(async (trx) => {
      const account = await findSigningIn(trx, step.accountId)
      // who has changed the password or the factor since begins anew
      if (account === undefined || !holds(account)) throw new AppError('step_expired')
      return enter(trx, signIns, now, account, await takeCode(trx, secrets, now, account.id, code), from)
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'wrong_code')
      await signIns.failed(db, now, known.id, { outcome: 'wrong_code', way: 'code' }, from)
    throw error
  }
}

/**
 * Only somebody who knows the password learns that the account is not active, or cannot be used from their address; that somebody
 * elsewhere knows it is for the log too. Throws `account_blocked`, or what an applicant is to know; `address_not_allowed`.
 */
async function refuseKept(db: Db, signIns: SignIns, now: number, account: SigningIn, way: Way, from: Device): Promise<void> {
  if (account.affiliate_status !== 'active' && account.manager_status !== 'active') {
    await signIns.failed(db, now, account.id, { outcome: 'not_active', way }, from)
    throw new AppError(NOT_ACTIVE[account.affiliate_status ?? ''] ?? 'account_blocked')
  }
  if (!isOutside(from.address, account, (await getSetting(db, securitySetting)).allowed_ips)) return
  await db.transaction().execute(async (trx) => {
    await signIns.failed(trx, now, account.id, { outcome: 'address', way }, from)
    const after = { address: from.address }
    await recordAudit(trx, null, now, { action: 'sign_in_refused', entity: 'account', entityId: account.id, after })
  })
  throw new AppError('address_not_allowed')
}

/** What applicants are told who cannot sign in yet, or will not. */
const NOT_ACTIVE: Readonly<Partial<Record<string, ErrorCode>>> = {
  unverified: 'account_unverified',
  moderation: 'account_moderation',
  rejected: 'account_rejected',
}

/** Opens a session for who has shown all that is asked for. */
async function enter(trx: Trx, signIns: SignIns, now: number, account: SigningIn, way: Way, from: Device): Promise<z.input<typeof login>> {
  await forgiveAttempts(trx, account, from.address, now)
  await signIns.came(trx, now, account.id, way, from)
  await updateAccount(trx, account.id, { last_login_at: new Date(now) })
  const { token } = await openSession(trx, now, { accountId: account.id, ...from })
  return {
    token,
    user_role: account.role,
    uuid: account.uuid,
    type: account.role === 'affiliate' ? 'affiliate' : 'manager',
    email: account.email,
  }
}

/** Opens a session in an affiliate's name for a member of staff who may see that affiliate. */
export async function actAs(db: Db, now: number, actor: Actor, affiliate: { id: number; account_id: number }, from: Device) {
  return db.transaction().execute(async (trx) => {
    const session = await openSession(trx, now, { accountId: affiliate.account_id, actingFrom: actor.sessionId, ...from })
    await recordAudit(trx, actor, now, { action: 'act_as', entity: 'affiliate', entityId: affiliate.id })
    return session
  })
}

/**
 * Changes the own password, and ends every other session of the account and whatever one acts by; a link that would set it ends too, and the API keys where that is wanted. Throws `wrong_password`; guesses count like those
 * of a sign-in, so that who finds an open session does not find out the password too.
 */
export async function changePassword(
  db: Db,
  now: number,
  actor: Actor,
  { current, password, end_keys }: z.output<typeof authApi.changePassword.body>,
  from: ToldFrom,
): Promise<void> {
  await checkPassword(db, now, actor, current, 'current')
  const hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    // where a code is asked for too, a right password alone must not wipe away wrong codes
    const { second_factor_since: factor = null } = (await findSigningIn(trx, actor.accountId)) ?? {}
    if (factor === null) await forgiveAttempts(trx, { id: actor.accountId, email: actor.email }, actor.address, now)
    await updateAccount(trx, actor.accountId, { password_hash: hash })
    await endSessions(trx, { accountId: actor.accountId, except: actor.sessionId })
    await deletePasswordLinks(trx, actor.accountId)
    await recordAudit(trx, actor, now, { action: 'change_password', entity: 'account', entityId: actor.accountId })
    const keys = end_keys ? await endKeys(trx, now, actor, actor.accountId) : 0
    await tellOwner(trx, now, actor.accountId, from, { event: 'password_changed', values: { keys: String(keys) } })
  })
}

/**
 * Sets the password behind a one-time link and ends all sessions and API keys of the account: whoever else knew the old one is out. A setup link makes the first admin,
 * who needs an e-mail and a name. Throws `link_expired`; a link works once, even when it is sent twice at the same moment.
 */
export async function setPassword(
  db: Db,
  now: number,
  input: { token: string; password: string; email?: string | undefined; name?: string | undefined },
  from: ToldFrom,
): Promise<{ email: string }> {
  // a hash takes much CPU and memory: only who holds a link may ask for one
  if ((await findLink(db, hashToken(input.token), now, PASSWORD_LINKS)) === undefined) throw new AppError('link_expired')
  const hash = await hashPassword(input.password)
  return db.transaction().execute(async (trx) => {
    const link = await findLink(trx, hashToken(input.token), now, PASSWORD_LINKS, true)
    if (link === undefined) throw new AppError('link_expired')
    await useLink(trx, link.token_hash, now)
    if (link.account_id !== null) {
      const isFirst = (await findPasswordHash(trx, link.account_id)).password_hash === null
      await updateAccount(trx, link.account_id, { password_hash: hash })
      await deleteAllSessions(trx, [link.account_id])
      // a link of the other kind would set it once more
      await deletePasswordLinks(trx, link.account_id)
      await recordAudit(trx, null, now, { action: 'set_password', entity: 'account', entityId: link.account_id })
      const keys = await endKeys(trx, now, null, link.account_id)
      if (!isFirst) await tellOwner(trx, now, link.account_id, from, { event: 'password_changed', values: { keys: String(keys) } })
      return { email: link.email ?? '' }
    }
    const { email, name } = input
    if (email === undefined || name === undefined)
      throw new AppError('bad_request', { fields: { ...(email ? {} : { email: 'Required' }), ...(name ? {} : { name: 'Required' }) } })
    const account = await insertAccount(trx, { role: 'admin', email, name, password_hash: hash, created_at: new Date(now) })
    await insertManager(trx, { account_id: account.id, type: 'head' })
    await recordAudit(trx, null, now, { action: 'setup', entity: 'account', entityId: account.id })
    return { email }
  })
}

/** The link that makes the first admin, or undefined when there already is somebody who can sign in. */
export async function createSetupLink(db: Db, now: number): Promise<string | undefined> {
  return (await hasManagers(db)) ? undefined : createLink(db, now, 'setup', null)
}
