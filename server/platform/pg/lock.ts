import { sql } from 'kysely'
import type { DbOrTrx } from './database.ts'

/** Makes whoever locks the same name wait until this transaction ends, for what has no row or constraint to lean on. */
export async function lockName(trx: DbOrTrx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}
