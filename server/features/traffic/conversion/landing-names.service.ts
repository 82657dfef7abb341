import type { Scope } from '#server/access/scope.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { keysOf, type Key } from '../report/keys.service.ts'

type Way = { landing: number; prelanding: number }
/** What the landing and pre-landing of a click or conversion are called; those the caller may not name by their numbers. */
export type Landings = (of: Way) => { landing: Key; prelanding: Key }

/** The names of all landings of some rows, in two queries however many rows there are. */
export async function nameLandings(db: Db, scope: Scope, rows: readonly Way[]): Promise<Landings> {
  const named = (column: 'landing' | 'prelanding') =>
    keysOf(
      db,
      scope,
      column,
      rows.map((row) => String(row[column])),
    )
  const known = { landing: await named('landing'), prelanding: await named('prelanding') }
  const key = (column: 'landing' | 'prelanding', id: number): Key =>
    known[column].get(String(id)) ?? { id: String(id), label: String(id), uuid: null }
  return ({ landing, prelanding }) => ({ landing: key('landing', landing), prelanding: key('prelanding', prelanding) })
}
