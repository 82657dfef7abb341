import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'

/** Rows to skip and to take of a list request. */
export function pageOf(filters: { count: number; page: number }): { limit: number; offset: number } {
  return { limit: filters.count, offset: (filters.page - 1) * filters.count }
}

/** How many rows a query without its columns, order and page would give. */
export async function countRows<Tables, Table extends keyof Tables>(query: SelectQueryBuilder<Tables, Table, object>): Promise<number> {
  const counting = query.select(sql<string>`count(*)`.as('rows')) as SelectQueryBuilder<Tables, Table, { rows: string }> // the one column there is
  const { rows } = await counting.executeTakeFirstOrThrow()
  return Number(rows)
}

/** Text to look for with `ilike`, its own wildcards taken literally. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}

/**
 * The condition of a list's search: rows one of whose `texts`, or one entry of whose `lists`, has it somewhere, the row of that
 * number, and the row of that uuid, by which the panel asks what one is called whose address names only that.
 */
export function isFoundBy(
  search: string,
  columns: { texts: readonly string[]; lists?: readonly string[]; id: string; uuid: string },
): RawBuilder<boolean> {
  const texts = columns.texts.map((column) => sql`${sql.ref(column)} ilike ${containing(search)}`)
  // an entry is one line
  const lists = (columns.lists ?? []).map((column) => sql`array_to_string(${sql.ref(column)}, chr(10)) ilike ${containing(search)}`)
  const keys = [columns.id, columns.uuid].map((column) => sql`${sql.ref(column)}::text = ${search}`)
  return sql`(${sql.join([...texts, ...lists, ...keys], sql` or `)})`
}

/** Whether a row is the one whose uuid a search is: such a search asks what something is called, also what nobody may choose any more. */
export function isUuidOf(search: string, column: string): RawBuilder<boolean> {
  return sql`${sql.ref(column)}::text = ${search}`
}
