import { AppError } from '#server/platform/errors.ts'
import { log } from '#server/platform/log.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import type { Sealer } from '#server/platform/seal.ts'
import { hashCode, isAppCode, plainCode, stepOf } from './code.ts'
import { lockFactor, takeStep, spendRecoveryCode } from './second-factor.queries.ts'

/**
 * Takes a code of an account's app, or one of its recovery codes: each once, also when it is sent twice at the same moment.
 * Answers which it was. Throws `wrong_code`.
 */
export async function takeCode(
  trx: Trx,
  secrets: Sealer,
  now: number,
  accountId: number,
  typed: string,
): Promise<'code' | 'recovery_code'> {
  const factor = await lockFactor(trx, accountId)
  if (factor === undefined || factor.confirmed_at === null) throw wrongCode()
  const code = plainCode(typed)
  if (!isAppCode(code)) {
    if (!(await spendRecoveryCode(trx, accountId, hashCode(code), new Date(now)))) throw wrongCode()
    return 'recovery_code'
  }
  const step = stepOfFactor(secrets, factor, code, now)
  if (step === undefined) throw wrongCode()
  await takeStep(trx, accountId, step)
  return 'code'
}

type Factor = { account_id: number; secret: Buffer; last_step: string }

/**
 * The time step of a code of somebody's app, later than the one used last; undefined for a wrong code, and where the secret was sealed
 * with another key: then only a recovery code, or a reset, lets in.
 */
export function stepOfFactor(secrets: Sealer, { account_id, secret, last_step }: Factor, code: string, now: number): number | undefined {
  let opened: string
  try {
    opened = secrets.open(secret)
  } catch (error) {
    log.error({ err: error, account: account_id }, 'a second factor cannot be read with this SECRET_KEY: it was set up with another one')
    return undefined
  }
  return stepOf(opened, code, now, Number(last_step))
}

/** What is answered whatever is wrong with a code. */
export function wrongCode(): AppError {
  return new AppError('wrong_code', { fields: { code: 'The code is wrong or was used already' } })
}
