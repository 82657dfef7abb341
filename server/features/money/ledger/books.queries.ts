import { sql } from 'kysely'
import type { BooksDifference } from '#contract/money/ledger.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** The last comparison of the books. */
export function lastCheck(db: DbOrTrx) {
  return db
    .selectFrom('books_check')
    .select(['at', 'differences', 'fingerprint'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** When they agreed last, and since when they have not. */
export async function findSince(db: DbOrTrx): Promise<{ sound: Date | null; since: Date | null }> {
  const { rows } = await sql<{ sound: Date | null; since: Date | null }>`
    with sound as (select max(at) as at from books_check where fingerprint = '')
    select sound.at as sound, (select min(c.at) from books_check c where c.fingerprint <> '' and (sound.at is null or c.at > sound.at)) as since
      from sound`.execute(db)
  return rows[0] ?? { sound: null, since: null }
}

export async function insertCheck(
  trx: Trx,
  { at, differences, fingerprint }: { at: Date; differences: readonly BooksDifference[]; fingerprint: string },
): Promise<void> {
  await trx
    .insertInto('books_check')
    .values({ at, differences: JSON.stringify(differences), fingerprint })
    .execute()
}

/** What was noted about these very differences, the youngest first. */
export function listNotes(db: DbOrTrx, fingerprint: string) {
  return db
    .selectFrom('books_note as n')
    .innerJoin('account as a', 'a.id', 'n.account_id')
    .select(['n.at', 'a.name as actor', 'n.reason'])
    .where('n.fingerprint', '=', fingerprint)
    .orderBy('n.id', 'desc')
    .limit(20)
    .execute()
}

export async function insertNote(trx: Trx, values: { at: Date; account_id: number; fingerprint: string; reason: string }): Promise<void> {
  await trx.insertInto('books_note').values(values).execute()
}

/** The first transfer of an account that was booked after a moment: what differs may have begun with it. */
export async function firstTransferOf(
  db: DbOrTrx,
  account: { kind: string; owner: number; currency: string },
  after: Date | null,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select t.id::text as id from ledger_account a join ledger_entry e on e.account_id = a.id join ledger_transfer t on t.id = e.transfer_id
     where a.kind = ${account.kind} and a.owner_id = ${account.owner} and a.currency = ${account.currency}
       and (${after}::timestamptz is null or t.booked_at > ${after}) order by e.id limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** What transfers are, by their numbers. */
export function transfersOf(db: DbOrTrx, ids: readonly string[]) {
  return ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('ledger_transfer')
        .select(['id', 'booked_at', 'kind'])
        .where('id', 'in', [...ids])
        .execute()
}

/** Names of owners of accounts. */
export async function ownersOf(db: DbOrTrx, affiliates: readonly number[], advertisers: readonly number[]) {
  const { rows } = await sql<{ side: 'affiliate' | 'advertiser'; uuid: string; id: number; name: string }>`
    select 'affiliate' as side, a.uuid, f.id, a.name from affiliate f join account a on a.id = f.account_id where f.id = any(${[...affiliates]}::int[])
    union all select 'advertiser', uuid, id, name from advertiser where id = any(${[...advertisers]}::int[])`.execute(db)
  return rows
}
