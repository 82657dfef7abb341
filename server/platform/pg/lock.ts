import { sql } from 'kysely'
import { writeOnce } from './compile-once.ts'
import type { DbOrTrx } from './database.ts'

/** Makes whoever locks the same name wait until this transaction ends, for what has no row or constraint to lean on. */
export async function lockName(trx: DbOrTrx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}

/** The same of several names, in one order whoever asks: two that want the same ones never wait for each other in a circle. */
export async function lockNames(trx: DbOrTrx, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await lockEach(trx, { names: [...new Set(names)].toSorted() })
}
const lockEach = writeOnce(
  ({ names }: { names: string[] }) => sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) with ordinality as n (name, place) order by place`,
)
