import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'
import { IMPORTS, SHAPES } from '#server/tables/shapes.ts'

/** How `openDatabase` lets a type of PostgreSQL arrive. */
const ARRIVES_AS: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'string',
  numeric: 'string',
  text: 'string',
  float8: 'number',
  timestamptz: 'Date',
  uuid: 'string',
  _int4: 'number[]',
  _int8: 'string[]',
  _text: 'string[]',
}

type Column = { table: string; name: string; type: string; nullable: boolean; always: boolean; has_default: boolean }
type Check = { table: string; column: string; definition: string }

/** The text of `server/tables/tables.ts` for a migrated database. Throws on a type or a jsonb column nobody has described. */
export async function rowTypes(db: Db): Promise<string> {
  const columns = await readColumns(db)
  const unions = unionsOf(await readChecks(db))
  const tables = Map.groupBy(columns, (column) => column.table)
  for (const name of Object.keys(SHAPES))
    if (!columns.some((column) => `${column.table}.${column.name}` === name)) throw new Error(`shapes.ts describes ${name}, which is gone`)
  const body = [...tables].map(([table, own]) => `  ${table}: {\n${own.map((column) => `    ${field(column, unions)}\n`).join('')}  }\n`)
  return `// Made from the migrations by \`npm run tables:generate\`; what cannot be read from them stands in shapes.ts.
/* oxlint-disable max-lines */
${IMPORTS}

/** Every table: the rows as they are read, inserted and changed. */
export interface Tables {\n${body.join('')}}\n`
}

function field(column: Column, unions: Map<string, string>): string {
  const name = `${column.table}.${column.name}`
  const value = SHAPES[name] ?? unions.get(name) ?? ARRIVES_AS[column.type]
  if (value === undefined) throw new Error(`${name} is ${column.type}: describe it in server/tables/shapes.ts`)
  const orNull = column.nullable ? ' | null' : ''
  if (column.always) return `${column.name}: GeneratedAlways<${value}>`
  if (column.type === 'jsonb') return `${column.name}: ${column.has_default ? 'GeneratedJson' : 'Json'}<${value}>${orNull}`
  return `${column.name}: ${column.has_default ? `Generated<${value}${orNull}>` : `${value}${orNull}`}`
}

/** `check (status in ('a', 'b'))`, as PostgreSQL writes it back, becomes `'a' | 'b'`. */
function unionsOf(checks: Check[]): Map<string, string> {
  const lists = checks.flatMap(({ table, column, definition }) => {
    const list = /^CHECK \(\("?\w+"? = (?:ANY \(ARRAY\[(.+)\]\)|('[^']*'::text))\)\)$/.exec(definition)
    return list ? [[`${table}.${column}`, [...(list[1] ?? list[2] ?? '').matchAll(/'[^']*'/g)].join(' | ')] as const] : []
  })
  return new Map(lists)
}

async function readColumns(db: Db): Promise<Column[]> {
  const found = await sql<Column>`select table_name as table, column_name as name, udt_name as type, is_nullable = 'YES' as nullable,
      coalesce(identity_generation = 'ALWAYS', false) or is_generated = 'ALWAYS' as always, column_default is not null or is_identity = 'YES' as has_default
    from information_schema.columns where table_schema = 'public' and table_name <> 'migration'
    order by table_name collate "C", ordinal_position`.execute(db)
  return found.rows
}

async function readChecks(db: Db): Promise<Check[]> {
  const found = await sql<Check>`select c.conrelid::regclass::text as table, a.attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'c' and cardinality(c.conkey) = 1 and c.connamespace = 'public'::regnamespace order by c.conname`.execute(db)
  return found.rows
}
