import { sql, type Insertable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'

type Tries = { pair: number; oldest: Date | null; address: number; account: number; lastTurn: Date | null }

/** Makes the tries from one address, and then those of one account, wait for each other until the transaction ends. */
export async function lockAttempts(trx: Trx, email: string, address: string): Promise<void> {
  for (const key of [`login from ${address}`, `login of ${email}`]) await lockName(trx, key)
}

/**
 * How many tries there were of this account from this address since `since` (and when the first), and since `earlier` from
 * the address and of the account; `lastTurn` = when the last of the account that had to wait is answered.
 */
export async function countAttempts(db: DbOrTrx, email: string, address: string, since: Date, earlier: Date): Promise<Tries> {
  const counts = await sql<Tries>`
    select count(*) filter (where email = ${email} and address = ${address} and at > ${since})::int as pair,
           min(at) filter (where email = ${email} and address = ${address} and at > ${since}) as oldest,
           count(*) filter (where address = ${address})::int as address,
           count(*) filter (where email = ${email})::int as account,
           max(turn_at) filter (where email = ${email}) as "lastTurn"
      from login_attempt
     where (email = ${email} or address = ${address}) and at > ${earlier}`.execute(db)
  return counts.rows[0] ?? { pair: 0, oldest: null, address: 0, account: 0, lastTurn: null }
}

export async function insertAttempt(db: DbOrTrx, values: Insertable<Tables['login_attempt']>): Promise<void> {
  await db.insertInto('login_attempt').values(values).execute()
}

/** Whether an account has signed in from an address before. */
export async function isPlaceOf(db: DbOrTrx, email: string, address: string): Promise<boolean> {
  const place = await db
    .selectFrom('login_place as p')
    .innerJoin('account as a', 'a.id', 'p.account_id')
    .select('p.seen_at')
    .where('a.email', '=', email)
    .where('p.address', '=', address)
    .executeTakeFirst()
  return place !== undefined
}

export async function keepPlace(db: DbOrTrx, values: Insertable<Tables['login_place']>): Promise<void> {
  const { seen_at } = values
  await db
    .insertInto('login_place')
    .values(values)
    .onConflict((known) => known.columns(['account_id', 'address']).doUpdateSet({ seen_at }))
    .execute()
}

/** A success wipes the slate of this account and address. */
export async function clearAttempts(db: DbOrTrx, email: string, address: string): Promise<void> {
  await db.deleteFrom('login_attempt').where('email', '=', email).where('address', '=', address).execute()
}

/** Removes what is older; answers how many. */
export async function deleteAttemptsBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number((await db.deleteFrom('login_attempt').where('at', '<', time).executeTakeFirst()).numDeletedRows)
}

/** Removes the places nobody has signed in from since; answers how many. */
export async function deletePlacesBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number((await db.deleteFrom('login_place').where('seen_at', '<', time).executeTakeFirst()).numDeletedRows)
}
