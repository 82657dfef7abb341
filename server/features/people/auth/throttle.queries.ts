import { sql } from 'kysely'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { AppError } from '#server/platform/errors.ts'

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
    await sql`select pg_advisory_xact_lock(hashtextextended(${`login ${email} ${address}`}, 0))`.execute(trx)
    const counts = await sql<{ pair: string; oldest: Date | null; address: string; account: string }>`
      select count(*) filter (where email = ${email} and address = ${address} and at > ${new Date(now - WINDOW)}) as pair,
             min(at) filter (where email = ${email} and address = ${address} and at > ${new Date(now - WINDOW)}) as oldest,
             count(*) filter (where address = ${address}) as address,
             count(*) filter (where email = ${email}) as account
        from login_attempt
       where (email = ${email} or address = ${address}) and at > ${new Date(now - HOUR)}`.execute(trx)
    const row = counts.rows[0]
    if (row !== undefined && Number(row.pair) >= PAIR_LIMIT) {
      const wait = (row.oldest?.getTime() ?? now) + WINDOW - now
      throw new AppError('too_many_attempts', { retryAfter: Math.max(1, Math.ceil(wait / 1000)) })
    }
    if (Number(row?.address ?? 0) >= ADDRESS_LIMIT) throw new AppError('too_many_attempts', { retryAfter: HOUR / 1000 })
    await trx
      .insertInto('login_attempt')
      .values({ email, address, at: new Date(now) })
      .execute()
    const surplus = Number(row?.account ?? 0) - SLOW_FROM
    return surplus < 0 ? 0 : Math.min(5_000, 250 * 2 ** surplus)
  })
}

/** A success wipes the slate of this account and address. */
export async function clearAttempts(db: DbOrTrx, email: string, address: string): Promise<void> {
  await db.deleteFrom('login_attempt').where('email', '=', email).where('address', '=', address).execute()
}
