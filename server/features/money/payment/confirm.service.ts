import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { MethodChange, paymentMethodApi } from '#contract/money/payment.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { checkPassword } from '#server/features/people/auth/check-password.service.ts'
import { tellOwner, type Reader, type ToldFrom } from '#server/features/people/auth/tell-owner.service.ts'
import { stateOf } from '#server/features/people/second-factor/second-factor.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { hashToken } from '#server/platform/secret.ts'
import { deleteCodesBefore, spendCode, storeCode, tryCode } from './confirm.queries.ts'
import { hadMethods } from './payment.queries.ts'

const LIFE_MS = 15 * 60_000
/** A code has eight digits: so many tries find one in twenty million times. */
const MOST_TRIES = 5

type ConfirmedBy = z.input<typeof paymentMethodApi.list.response>['confirmed_by']

/** By what a change of where somebody is paid is confirmed beside the password: the first method ever is free. */
export async function confirmedBy(db: DbOrTrx, actor: Actor): Promise<ConfirmedBy> {
  if ((await stateOf(db, actor)).on) return 'factor'
  if (!(await hadMethods(db, affiliateOf(actor)))) return 'password'
  return (await isMailSetUp(db)) ? 'mail' : 'nothing'
}

/**
 * Mails the owner a code for one change, which says what is to change. `shown` is the change in words. Throws
 * `method_unconfirmed` where there is no mail, `status_not_allowed` where no code is needed.
 */
export async function mailCode(
  { db, now, from }: { db: Db; now: number; from: ToldFrom },
  actor: Actor,
  change: MethodChange,
  shown: (reader: Reader) => string,
): Promise<void> {
  const by = await confirmedBy(db, actor)
  if (by === 'nothing') throw new AppError('method_unconfirmed')
  if (by !== 'mail') throw new AppError('status_not_allowed', { fields: { change: 'No code of a mail is needed' } })
  const code = String(randomInt(100_000_000)).padStart(8, '0')
  await db.transaction().execute(async (trx) => {
    await deleteCodesBefore(trx, new Date(now))
    await storeCode(trx, {
      account_id: actor.accountId,
      code_hash: hashOf(actor, code),
      change: digestOf(change),
      expires_at: new Date(now + LIFE_MS),
    })
    const values = (reader: Reader) => ({ method: shown(reader), code: `${code.slice(0, 4)} ${code.slice(4)}` })
    await tellOwner(trx, now, actor.accountId, from, { event: 'payment_method_code', values })
  })
}

/**
 * Whether a change may be made: answers what has to be called within its transaction, after the methods are locked. There the very
 * first method is free, and a code is used up, once. Throws `wrong_password`, `wrong_code` where it is wrong, over, or another change's;
 * `method_unconfirmed` where there is neither a second factor nor mail.
 */
export async function confirmChange(
  { db, now }: { db: Db; now: number },
  actor: Actor,
  { password, code, change }: { password: string; code: string; change: MethodChange },
): Promise<(trx: Trx) => Promise<void>> {
  const by = await confirmedBy(db, actor)
  if (by === 'factor') return async () => undefined
  if (by === 'nothing') throw new AppError('method_unconfirmed')
  const hash = hashOf(actor, code.replace(/\s/g, ''))
  if (by === 'mail') {
    // without the password nobody uses up the tries
    await checkPassword(db, now, actor, password, 'password')
    if (code === '') throw new AppError('wrong_code', { fields: { code: 'Ask for a code first: it is mailed to you' } })
    const kept = await tryCode(db, actor.accountId, new Date(now), MOST_TRIES)
    if (kept === undefined) throw new AppError('wrong_code', { fields: { code: 'There is no code that is still good: ask for another' } })
    if (!kept.code_hash.equals(hash)) throw new AppError('wrong_code', { fields: { code: 'This is not the code of the last mail' } })
    if (!kept.change.equals(digestOf(change)))
      throw new AppError('wrong_code', { fields: { code: 'This code is for another change: ask for one for this' } })
  }
  return async (trx) => {
    if (by === 'password' && !(await hadMethods(trx, affiliateOf(actor)))) return
    // of two that come at once one uses it
    if (!(await spendCode(trx, actor.accountId, hash)))
      throw new AppError('wrong_code', { fields: { code: 'There is no code that is still good: ask for another' } })
  }
}

function hashOf(actor: Actor, code: string): Buffer {
  return hashToken(`${actor.accountId} ${code}`)
}

/** The same change is the same whatever order its fields came in. */
function digestOf(change: MethodChange): Buffer {
  const values = change.kind === 'save' ? Object.entries(change.values).toSorted(([a], [b]) => (a < b ? -1 : 1)) : []
  const of = change.kind === 'save' ? [change.uuid, change.system, values] : change.kind === 'order' ? change.uuids : [change.uuid]
  return hashToken(JSON.stringify([change.kind, of]))
}
