import type { Insertable } from 'kysely'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'

export async function insertMail(trx: DbOrTrx, values: Insertable<Tables['mail']>): Promise<void> {
  await trx.insertInto('mail').values(values).execute()
}
