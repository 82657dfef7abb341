import { sql, type Selectable } from 'kysely'
import type { DbOrTrx, Tables } from './database.ts'

/** Rows of a table by column; jsonb columns hold plain values, bytea columns Buffers. */
type Rows<Table extends keyof Tables> = readonly { [Column in keyof Tables[Table]]?: unknown }[]

/**
 * Inserts any number of rows in their order with one statement and one parameter: ten thousand rows of forty columns
 * would exceed PostgreSQL's 65,535 parameters. Every row has the columns of the first.
 */
export async function insertRows<Table extends keyof Tables & string>(db: DbOrTrx, table: Table, rows: Rows<Table>): Promise<void> {
  if (rows.length > 0) await insertion(table, rows).execute(db)
}

/** The same; answers the named columns of what was inserted, in no order one may rely on. */
export async function insertRowsReturning<Table extends keyof Tables & string, Column extends keyof Selectable<Tables[Table]> & string>(
  db: DbOrTrx,
  table: Table,
  rows: Rows<Table>,
  columns: readonly Column[],
): Promise<Pick<Selectable<Tables[Table]>, Column>[]> {
  if (rows.length === 0) return []
  const returned = sql.join(columns.map((column) => sql.ref(column)))
  return (await sql<Pick<Selectable<Tables[Table]>, Column>>`${insertion(table, rows)} returning ${returned}`.execute(db)).rows
}

function insertion<Table extends keyof Tables & string>(table: Table, rows: Rows<Table>) {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))
  return sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${recordsOf(table, rows)}`
}

/** Rows as a set with the table's own column types, for `select … from`, to insert or update by. */
export function recordsOf<Table extends keyof Tables & string>(table: Table, rows: Rows<Table>) {
  return sql`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows.map(plain))}::jsonb)`
}

function plain(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [
      column,
      Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value,
    ]),
  )
}
