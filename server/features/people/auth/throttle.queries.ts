import { sql } from 'kysely'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

type Tries = { pair: number; oldest: Date | null; address: number; account: number }

/** Makes the tries of one account from one address wait for each other until the transaction ends. */
export async function lockAttempts(trx: Trx, email: string, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`login ${email} ${address}`}, 0))`.execute(trx)
}

/** How many tries there were of this account from this address since `since` (and when the first), and since `earlier` from the address and of the account. */
export async function countAttempts(db: DbOrTrx, email: string, address: string, since: Date, earlier: Date): Promise<Tries> {
  const counts = await sql<Tries>`
    select count(*) filter (where email = ${email} and address = ${address} and at > ${since})::int as pair,
           min(at) filter (where email = ${email} and address = ${address} and at > ${since}) as oldest,
           count(*) filter (where address = ${address})::int as address,
           count(*) filter (where email = ${email})::int as account
      from login_attempt
     where (email = ${email} or address = ${address}) and at > ${earlier}`.execute(db)
  return counts.rows[0] ?? { pair: 0, oldest: null, address: 0, account: 0 }
}

export async function insertAttempt(db: DbOrTrx, email: string, address: string, at: Date): Promise<void> {
  await db.insertInto('login_attempt').values({ email, address, at }).execute()
}

/** A success wipes the slate of this account and address. */
export async function clearAttempts(db: DbOrTrx, email: string, address: string): Promise<void> {
  await db.deleteFrom('login_attempt').where('email', '=', email).where('address', '=', address).execute()
}

/** Removes what is older; answers how many. */
export async function deleteAttemptsBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number((await db.deleteFrom('login_attempt').where('at', '<', time).executeTakeFirst()).numDeletedRows)
}
