import { sql } from 'kysely'
import type { z } from 'zod'
import type { contacts } from '#contract/fields.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** What staff see of their own account and record; `lock` keeps both from changing meanwhile. */
export function findStaffProfile(db: DbOrTrx, accountId: number, lock = false) {
  return db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['a.uuid', 'a.email', 'a.role', 'a.name', 'a.language', 'a.time_zone', 'm.contacts'])
    .select(sql<number>`m.version + a.version`.as('version'))
    .where('a.id', '=', accountId)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
}

/** Where somebody of the staff is reached. */
export async function updateContacts(db: DbOrTrx, accountId: number, values: z.output<typeof contacts>): Promise<void> {
  await db
    .updateTable('manager')
    .set({ contacts: JSON.stringify(values) })
    .where('account_id', '=', accountId)
    .execute()
}
