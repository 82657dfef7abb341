import { AppError } from '#server/platform/errors.ts'
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
  const step = stepOf(secrets.open(factor.secret), code, now, Number(factor.last_step))
  if (step === undefined) throw wrongCode()
  await takeStep(trx, accountId, step)
}

/** What is answered whatever is wrong with a code. */
export function wrongCode(): AppError {
  return new AppError('wrong_code', { fields: { code: 'The code is wrong or was used already' } })
}
