import type { Db } from '#server/platform/pg/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { countAttempts, insertAttempt, lockAttempts } from './throttle.queries.ts'

const WINDOW = 15 * 60_000
const HOUR = 3_600_000
/** Failures of one account from one address within 15 minutes. */
const PAIR_LIMIT = 10
/** Failures from one address within an hour, whatever the account. */
const ADDRESS_LIMIT = 100
/** From here on, failures of one account within an hour slow every further try down: a stranger cannot lock the owner out. */
const SLOW_FROM = 20

/**
 * Books a try before the password is looked at, so that guesses sent in parallel count like guesses in a row.
 * Throws `too_many_attempts` with `Retry-After`. Answers the delay (ms) this try has to wait.
 */
export async function bookAttempt(db: Db, email: string, address: string, now: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockAttempts(trx, email, address)
    const tries = await countAttempts(trx, email, address, new Date(now - WINDOW), new Date(now - HOUR))
    if (tries.pair >= PAIR_LIMIT) {
      const wait = (tries.oldest?.getTime() ?? now) + WINDOW - now
      throw new AppError('too_many_attempts', { retryAfter: Math.max(1, Math.ceil(wait / 1000)) })
    }
    if (tries.address >= ADDRESS_LIMIT) throw new AppError('too_many_attempts', { retryAfter: HOUR / 1000 })
    await insertAttempt(trx, email, address, new Date(now))
    const surplus = tries.account - SLOW_FROM
    return surplus < 0 ? 0 : Math.min(5_000, 250 * 2 ** surplus)
  })
}
