import { AppError } from '#server/platform/errors.ts'
import { log } from '#server/platform/log.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import type { Sealer } from '#server/platform/seal.ts'
import { hashCode, isAppCode, plainCode, stepOf } from './code.ts'
import { lockFactor, takeStep, spendRecoveryCode } from './second-factor.queries.ts'

/**
 * Takes a code of an account's app, or one of its recovery codes: each once, also when it is sent twice at the same moment.
 * Throws `wrong_code`.
 */
export async function takeCode(trx: Trx, secrets: Sealer, now: number, accountId: number, typed: string): Promise<void> {
  const factor = await lockFactor(trx, accountId)
  if (factor === undefined || factor.confirmed_at === null) throw wrongCode()
  const code = plainCode(typed)
  if (!isAppCode(code)) {
    if (!(await spendRecoveryCode(trx, accountId, hashCode(code), new Date(now)))) throw wrongCode()
    return
  }
  const secret = secretOf(secrets, factor)
  const step = secret === undefined ? undefined : stepOf(secret, code, now, Number(factor.last_step))
  if (step === undefined) throw wrongCode()
  await takeStep(trx, accountId, step)
}

/** The secret of somebody's app; undefined where it was sealed with another key: then only a recovery code, or a reset, lets in. */
export function secretOf(secrets: Sealer, { account_id, secret }: { account_id: number; secret: Buffer }): string | undefined {
  try {
    return secrets.open(secret)
  } catch (error) {
    log.error({ err: error, account: account_id }, 'a second factor cannot be read with this SECRET_KEY: it was set up with another one')
    return undefined
  }
}

/** What is answered whatever is wrong with a code. */
export function wrongCode(): AppError {
  return new AppError('wrong_code', { fields: { code: 'The code is wrong or was used already' } })
}
