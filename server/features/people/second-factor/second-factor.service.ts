import type { z } from 'zod'
import type { secondFactorState } from '#contract/people/second-factor.ts'
import { securitySetting } from '#contract/people/security.ts'
import type { Role } from '#contract/access.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { openSealer, type Sealer } from '#server/platform/seal.ts'
import { getAffiliate } from '../affiliate/affiliate.queries.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { checkPassword } from '../auth/check-password.service.ts'
import { deleteAllSessions } from '../auth/session.queries.ts'
import { endSessions } from '../auth/session.service.ts'
import { tellOfReset } from '../auth/tell-owner.service.ts'
import { forgiveAttempts } from '../auth/throttle.service.ts'
import { getManager, managedBy } from '../manager/manager.queries.ts'
import { stepOfFactor, takeCode, wrongCode } from './code.service.ts'
import { addressOf, hashCode, newRecoveryCodes, newSecret, plainCode } from './code.ts'
import {
  beginFactor,
  deleteFactor,
  deleteRecoveryCodes,
  findFactor,
  insertRecoveryCodes,
  lockFactor,
  takeStep,
} from './second-factor.queries.ts'

/** The password that was asked for at the beginning counts so long. */
const SET_UP_WITHIN = 15 * 60_000

/** What secrets of second factors are kept with. */
export function openSecrets(secretKey: string | null): Sealer {
  return openSealer(secretKey, 'second factor')
}

/** How somebody's second factor stands. */
export async function stateOf(db: DbOrTrx, who: { accountId: number; role: Role }): Promise<z.input<typeof secondFactorState>> {
  const [factor, { second_factor }] = await Promise.all([findFactor(db, who.accountId), getSetting(db, securitySetting)])
  return {
    on: factor !== undefined,
    since: factor?.confirmed_at?.toISOString() ?? null,
    recovery_codes_left: Number(factor?.codes_left ?? 0),
    compulsory: second_factor.includes(who.role),
  }
}

/** Begins to set up the own second factor. Throws `wrong_password`, and `conflict` where one is on already. */
export async function begin(db: Db, secrets: Sealer, now: number, actor: Actor, password: string) {
  await checkPassword(db, now, actor, password, 'password')
  const secret = newSecret()
  const { partner_title } = await getGeneralSettings(db)
  const address = addressOf(secret, partner_title, actor.email)
  // rare: no start waits for it
  const { toString: drawQr } = await import('qrcode')
  const qr = await drawQr(address, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
  await db.transaction().execute(async (trx) => {
    await forgiveAttempts(trx, { id: actor.accountId, email: actor.email }, actor.address, now)
    if (!(await beginFactor(trx, { account_id: actor.accountId, secret: secrets.seal(secret), begun_at: new Date(now) })))
      throw new AppError('conflict')
  })
  return { secret, address, qr }
}

/**
 * Turns the second factor on by a first code of the app, ends all other sessions and answers the recovery codes.
 * Throws `wrong_code`, and `step_expired` where nothing was begun, or too long ago.
 */
export async function confirm(db: Db, secrets: Sealer, now: number, actor: Actor, typed: string): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const factor = await lockFactor(trx, actor.accountId)
    if (factor === undefined || factor.confirmed_at !== null || now - factor.begun_at.getTime() > SET_UP_WITHIN)
      throw new AppError('step_expired')
    const step = stepOfFactor(secrets, factor, plainCode(typed), now)
    if (step === undefined) throw wrongCode()
    await takeStep(trx, actor.accountId, step, new Date(now))
    await endSessions(trx, { accountId: actor.accountId, except: actor.sessionId })
    await recordAudit(trx, actor, now, { action: 'second_factor_on', entity: 'account', entityId: actor.accountId })
    return giveCodes(trx, actor.accountId)
  })
}

/** Ten new recovery codes; the earlier ones are worth nothing any more. Throws `wrong_password`, `wrong_code`. */
export async function renewCodes(db: Db, secrets: Sealer, now: number, actor: Actor, shown: Shown): Promise<string[]> {
  return afterBoth(db, secrets, now, actor, shown, async (trx) => {
    await recordAudit(trx, actor, now, { action: 'recovery_codes_renewed', entity: 'account', entityId: actor.accountId })
    return giveCodes(trx, actor.accountId)
  })
}

/** Turns the own second factor off and ends all other sessions. Throws `wrong_password`, `wrong_code`, `forbidden` where the role must have one. */
export async function turnOff(db: Db, secrets: Sealer, now: number, actor: Actor, shown: Shown): Promise<void> {
  if ((await stateOf(db, actor)).compulsory) throw new AppError('forbidden')
  await afterBoth(db, secrets, now, actor, shown, async (trx) => {
    await deleteFactor(trx, actor.accountId)
    await endSessions(trx, { accountId: actor.accountId, except: actor.sessionId })
    await recordAudit(trx, actor, now, { action: 'second_factor_off', entity: 'account', entityId: actor.accountId })
  })
}

/**
 * Takes the second factor off somebody else who lost it: an affiliate in scope, or a manager one manages. Ends all their
 * sessions and tells them by mail. Throws `not_found` where they are not to be managed, or have none.
 */
export async function resetFactor(db: Db, secretKey: string | null, now: number, actor: Actor, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const person = await findPerson(trx, actor, uuid)
    if (person.accountId === actor.accountId) throw new AppError('own_account')
    if (!(await deleteFactor(trx, person.accountId))) throw new AppError('not_found')
    await deleteAllSessions(trx, [person.accountId])
    await recordAudit(trx, actor, now, { action: 'second_factor_reset', entity: person.entity, entityId: person.id })
    await tellOfReset(trx, now, person.accountId, openMailQueue(secretKey))
  })
}

/** Somebody whose sign-in one looks after: an affiliate in scope, or a manager one manages. Throws `not_found`. */
export async function findPerson(db: DbOrTrx, actor: Actor, uuid: string) {
  const affiliate = await getAffiliate(db, actor.scope, uuid)
  if (affiliate !== undefined) return { accountId: affiliate.account_id, role: 'affiliate', entity: 'affiliate', id: affiliate.id } as const
  const manager = await getManager(db, managedBy(actor), uuid)
  if (manager === undefined) throw new AppError('not_found')
  return { accountId: manager.account_id, role: manager.role, entity: 'manager', id: manager.id } as const
}

type Shown = { password: string; code: string }

/** Does something that takes the password, and where the account has a second factor a code of it too. Throws `wrong_password`, `wrong_code`. */
export async function afterProof<Result>(
  db: Db,
  secretKey: string | null,
  now: number,
  actor: Actor,
  shown: Shown,
  act: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  if ((await stateOf(db, actor)).on) return afterBoth(db, openSecrets(secretKey), now, actor, shown, act)
  await checkPassword(db, now, actor, shown.password, 'password')
  return db.transaction().execute(async (trx) => {
    await forgiveAttempts(trx, { id: actor.accountId, email: actor.email }, actor.address, now)
    return act(trx)
  })
}

/** Does something that takes both the password and a code, which is used up by it. */
async function afterBoth<Result>(
  db: Db,
  secrets: Sealer,
  now: number,
  actor: Actor,
  { password, code }: Shown,
  act: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  await checkPassword(db, now, actor, password, 'password')
  return db.transaction().execute(async (trx) => {
    await takeCode(trx, secrets, now, actor.accountId, code)
    await forgiveAttempts(trx, { id: actor.accountId, email: actor.email }, actor.address, now)
    return act(trx)
  })
}

async function giveCodes(trx: Trx, accountId: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  await deleteRecoveryCodes(trx, accountId)
  await insertRecoveryCodes(trx, accountId, codes.map(hashCode))
  return codes
}
