import { sql, type RawBuilder } from 'kysely'

/** Where the next page begins: after the row of this time and number, newest first. */
export type Cursor = { at: string; id: string }

/** A cursor as text for the request of the next page. */
export function writeCursor({ at, id }: { at: Date; id: string }): string {
  return `${at.toISOString()} ${id}`
}

/** The cursor in a request; null when there is none or when it is not one of ours. */
export function readCursor(text: string | null): Cursor | null {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,18})$/.exec(text ?? '')
  return match === null ? null : { at: match[1] ?? '', id: match[2] ?? '' }
}

/** The condition that keeps rows (newest first by time, then number) behind a cursor. Times are stored to the millisecond. */
export function isAfter(cursor: Cursor, columns: { at: string; id: string }): RawBuilder<boolean> {
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
