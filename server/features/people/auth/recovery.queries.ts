import { sql, type Insertable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

export async function insertMailRequest(db: DbOrTrx, values: Insertable<Tables['mail_request']>): Promise<void> {
  await db.insertInto('mail_request').values(values).execute()
}

/** Takes the oldest requests out of their queue for as long as the transaction lasts: what fails is there again, and no other worker sees them meanwhile. */
export async function takeMailRequests(trx: Trx, most: number) {
  const { rows } = await sql<{ kind: 'recovery' | 'confirmation'; email: string }>`
    delete from mail_request
     where id in (select id from mail_request order by id limit ${most} for update skip locked)
    returning kind, email`.execute(trx)
  return rows
}

/** Whom mail about signing in goes to, by the address. */
export function findRecipient(db: DbOrTrx, email: string) {
  return db
    .selectFrom('account as a')
    .leftJoin('affiliate as f', 'f.account_id', 'a.id')
    .leftJoin('manager as m', 'm.account_id', 'a.id')
    .select(['a.id', 'a.email', 'a.name', 'a.language'])
    .select(sql<string>`coalesce(f.status, m.status)`.as('status'))
    .where('a.email', '=', email)
    .executeTakeFirst()
}
