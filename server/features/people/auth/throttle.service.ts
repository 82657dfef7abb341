import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { lineOf } from '#server/platform/address.ts'
import { AppError } from '#server/platform/errors.ts'
import { clearAttempts, countAttempts, insertAttempt, isPlaceOf, keepPlace, lockAttempts } from './throttle.queries.ts'

const WINDOW = 15 * 60_000
const HOUR = 3_600_000
/** Failures of one account from one address within 15 minutes. */
const PAIR_LIMIT = 10
/** Failures from one address within an hour, whatever the account. */
const ADDRESS_LIMIT = 100
/**
 * From here on, failures of one account within an hour slow its further tries down: each is answered so long after the one
 * before it, whatever addresses they come from. Where the account has signed in from before there is no such wait, so that a
 * stranger cannot lock the owner out.
 */
const SLOW_FROM = 20
const LONGEST_STEP = 5_000
/** Who would wait longer is refused, and told to come back. */
const LONGEST_WAIT = 20_000

/**
 * Books a try before the password is looked at, so that guesses sent in parallel count like guesses in a row.
 * Throws `too_many_attempts` with `Retry-After`. Answers how long (ms) this try has to wait for its turn.
 */
export async function bookAttempt(db: Db, email: string, from: string, now: number): Promise<number> {
  const address = lineOf(from)
  return db.transaction().execute(async (trx) => {
    await lockAttempts(trx, email, address)
    const tries = await countAttempts(trx, email, address, new Date(now - WINDOW), new Date(now - HOUR))
    if (tries.pair >= PAIR_LIMIT) throw tooMany((tries.oldest?.getTime() ?? now) + WINDOW - now)
    if (tries.address >= ADDRESS_LIMIT) throw tooMany(HOUR)
    const waits = tries.account >= SLOW_FROM && !(await isPlaceOf(trx, email, address))
    const step = Math.min(LONGEST_STEP, 250 * 2 ** (tries.account - SLOW_FROM))
    const turn = waits ? Math.max(now, tries.lastTurn?.getTime() ?? now) + step : now
    if (turn - now > LONGEST_WAIT) throw tooMany(turn - now)
    await insertAttempt(trx, { email, address, at: new Date(now), turn_at: waits ? new Date(turn) : null })
    return turn - now
  })
}

/** Wipes the slate of an account and address whose password was right, and remembers the address as the account’s. */
export async function forgiveAttempts(db: DbOrTrx, account: { id: number; email: string }, from: string, now: number): Promise<void> {
  const address = lineOf(from)
  await clearAttempts(db, account.email, address)
  await keepPlace(db, { account_id: account.id, address, seen_at: new Date(now) })
}

function tooMany(wait: number): AppError {
  return new AppError('too_many_attempts', { retryAfter: Math.max(1, Math.ceil(wait / 1000)) })
}
