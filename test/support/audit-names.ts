import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'

const FILE = join(import.meta.dirname, '../../web/features/people/audit/audit.late.en.json')
let texts: Record<string, string> | undefined

/** Currencies, countries, roles, columns of files and the like, which are data and no fields. */
const DATA = /^[A-Z]{2,10}$|[. ]/
const ROLES = new Set(['admin', 'head', 'manager', 'affiliate'])

/**
 * Refuses a log in which a field stands that the log's screen has no words for: people would read what it is called in the program,
 * in whatever language.
 */
export async function expectAuditNames(db: Db): Promise<void> {
  texts ??= JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string> // a file of texts
  const known = texts
  const { rows } = await sql<{ entity: string; name: string }>`
    select distinct a.entity, name
      from audit a cross join lateral (values (a.before), (a.after)) as s (side)
     cross join lateral jsonb_path_query(s.side, '$.** ? (@.type() == "object")') as o
     cross join lateral jsonb_object_keys(o) as name`.execute(db)
  const nameless = rows.filter(({ name }) => !(`field.${name}` in known) && !DATA.test(name) && !ROLES.has(name))
  if (nameless.length > 0)
    throw new Error(`audit.late.*.json has no words for ${nameless.map(({ entity, name }) => `${name} (${entity})`).join(', ')}`)
}
