import { sql } from 'kysely'
import type { DbOrTrx } from './database.ts'

/** Whether the database answers a question; throws where it is away. */
export async function isThere(db: DbOrTrx): Promise<boolean> {
  await sql`select 1`.execute(db)
  return true
}
