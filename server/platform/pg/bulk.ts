import { CompiledQuery, sql, type Selectable } from 'kysely'
import type { DbOrTrx, Tables } from './database.ts'

/** Rows of a table by column; jsonb columns hold plain values, bytea columns Buffers. */
type Rows<Table extends keyof Tables> = readonly { [Column in keyof Tables[Table]]?: unknown }[]

/**
 * Inserts any number of rows in their order with one statement and one parameter: ten thousand rows of forty columns
 * would exceed PostgreSQL's 65,535 parameters. Every row has the columns of the first.
 */
export async function insertRows<Table extends keyof Tables & string>(db: DbOrTrx, table: Table, rows: Rows<Table>): Promise<void> {
  if (rows.length > 0) await db.executeQuery(insertion(table, rows, []))
}

/** The same; answers the named columns of what was inserted, in no order one may rely on. */
export async function insertRowsReturning<Table extends keyof Tables & string, Column extends keyof Selectable<Tables[Table]> & string>(
  db: DbOrTrx,
  table: Table,
  rows: Rows<Table>,
  columns: readonly Column[],
): Promise<Pick<Selectable<Tables[Table]>, Column>[]> {
  if (rows.length === 0) return []
  return (await db.executeQuery<Pick<Selectable<Tables[Table]>, Column>>(insertion(table, rows, columns))).rows
}

/** Written out as a text: put together name by name it took longer than a single row took to be sent. */
function insertion<Row>(table: string, rows: readonly object[], returned: readonly string[]): CompiledQuery<Row> {
  const columns = Object.keys(rows[0] ?? {})
    .map(quoted)
    .join(', ')
  const from = `jsonb_populate_recordset(null::${quoted(table)}, $1::jsonb)`
  const returning = returned.length === 0 ? '' : ` returning ${returned.map(quoted).join(', ')}`
  return CompiledQuery.raw(`insert into ${quoted(table)} (${columns}) select ${columns} from ${from}${returning}`, [recordsAsText(rows)])
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Rows as a set with the table's own column types, for `select … from`, to insert or update by. */
export function recordsOf<Table extends keyof Tables & string>(table: Table, rows: Rows<Table>) {
  return recordsFrom(table, recordsAsText(rows))
}

/** The same for a statement that is written once: `text` stands for what `recordsAsText` makes of the rows. */
export function recordsFrom(table: keyof Tables & string, text: string) {
  return sql`jsonb_populate_recordset(null::${sql.table(table)}, ${text}::jsonb)`
}

/** Rows as the text `recordsFrom` reads. */
export function recordsAsText(rows: readonly object[]): string {
  return JSON.stringify(rows.some(holdsBytes) ? rows.map(bytesAsText) : rows)
}

function holdsBytes(row: object): boolean {
  return Object.values(row).some((value) => Buffer.isBuffer(value))
}

/** A row with its bytes as PostgreSQL writes them; all else is what JSON makes of it. */
function bytesAsText(row: object): object {
  const text: Record<string, unknown> = { ...row }
  for (const [column, value] of Object.entries(row)) if (Buffer.isBuffer(value)) text[column] = `\\x${value.toString('hex')}`
  return text
}
