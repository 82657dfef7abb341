import { sql, type RawBuilder } from 'kysely'

/** The condition that keeps rows of the time asked for, and none that came after `until`, when the first page was taken. */
export function isWithin(asked: { from: string | null; to: string | null }, until: Date, at: string): RawBuilder<boolean> {
  const column = sql.ref(at)
  const limits = [sql`${column} <= ${until}`]
  if (asked.from !== null) limits.push(sql`${column} >= ${new Date(asked.from)}`)
  if (asked.to !== null) limits.push(sql`${column} < ${new Date(asked.to)}`)
  return sql`(${sql.join(limits, sql` and `)})`
}

/** The condition that keeps rows (newest first by time, then number) behind the cursor of a request, if it has one. Times are stored to the millisecond. */
export function isAfter(after: string | null, columns: { at: string; id: string }): RawBuilder<boolean> {
  const cursor = readCursor(after)
  if (cursor === null) return sql`true`
  return sql`(${sql.ref(columns.at)}, ${sql.ref(columns.id)}) < (${cursor.at}::timestamptz, ${cursor.id}::bigint)`
}

/** Rows to skip and take: behind a cursor the page number says nothing. One more row is taken, to know whether there is a next page. */
export function rawPageOf(filters: { count: number; page: number; after: string | null }): { limit: number; offset: number } {
  return { limit: filters.count + 1, offset: readCursor(filters.after) === null ? (filters.page - 1) * filters.count : 0 }
}

/** Takes the row too many off again; `after` is where the next page begins, null on the last one. */
export function cutPage<Row>(
  rows: readonly Row[],
  count: number,
  cursorOf: (row: Row) => { at: Date; id: string },
): { list: Row[]; after: string | null } {
  const list = rows.slice(0, count)
  const last = list.at(-1)
  return { list, after: rows.length > count && last !== undefined ? writeCursor(cursorOf(last)) : null }
}

/** A cursor as text for the request of the next page: it begins after the row of this time and number. */
function writeCursor({ at, id }: { at: Date; id: string }): string {
  return `${at.toISOString()} ${id}`
}

/** The cursor in a request; null when there is none or when it is not one of ours. */
function readCursor(text: string | null): { at: string; id: string } | null {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,18})$/.exec(text ?? '')
  return match === null ? null : { at: match[1] ?? '', id: match[2] ?? '' }
}
