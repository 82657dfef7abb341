import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { keyOf, type SortKey } from './list-page.ts'

/** The condition that keeps rows of the time asked for, and none that came after `until`, when the first page was taken. */
export function isWithin(asked: { from: string | null; to: string | null }, until: Date, at: string): RawBuilder<boolean> {
  const column = sql.ref(at)
  const limits = [sql`${column} <= ${until}`]
  if (asked.from !== null) limits.push(sql`${column} >= ${new Date(asked.from)}`)
  if (asked.to !== null) limits.push(sql`${column} < ${new Date(asked.to)}`)
  return sql`(${sql.join(limits, sql` and `)})`
}

type RawRequest<Sort extends string> = { count: number; page: number; after: string | null; sort: Sort; direction: 'asc' | 'desc' }

/**
 * One page of raw rows in the order asked for. Newest first `after` is where the next page begins, null on the last one; in any other
 * order it is null, and pages are counted. `keys` is the table of what one may sort by, `of` the column of time among them and the number.
 * `parts`: what the query holds, divided into what indexes find (`inParts`).
 */
export async function rawPage<Tables, Table extends keyof Tables, Row extends { id: string }, Sort extends string>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  asked: RawRequest<Sort>,
  keys: { readonly [Column in Sort]?: SortKey },
  of: { at: string; id: string; atOf: (row: Row) => Date },
  parts: readonly SelectQueryBuilder<Tables, Table, object>[] = [],
): Promise<{ list: Row[]; after: string | null }> {
  const key = keys[asked.sort] ?? of.at
  const newestFirst = key === of.at && asked.direction === 'desc'
  const after = newestFirst ? asked.after : null
  const offset = readCursor(after) === null ? (asked.page - 1) * asked.count : 0
  const { count, direction } = asked
  const divided = key === of.at && parts.length > 0 && offset < MOST_DIVIDED
  // one more row is taken, to know whether there is a next page; behind a cursor the page number says nothing
  const rows = await query
    .where(isAfter(after, of))
    .where(divided ? await inParts(parts, of, { most: offset + count + 1, direction, after }) : sql<boolean>`true`)
    .orderBy(keyOf(key), (order) => {
      const directed = asked.direction === 'asc' ? order.asc() : order.desc()
      // a time is never empty, and with nulls at the wrong end no index of it serves: a million rows would be sorted for a page
      return key === of.at ? directed : directed.nullsLast()
    })
    .orderBy(sql.ref(of.id), asked.direction)
    .limit(asked.count + 1)
    .offset(offset)
    .execute()
  const list = rows.slice(0, asked.count)
  const last = list.at(-1)
  const more = newestFirst && rows.length > asked.count && last !== undefined
  return { list, after: more ? writeCursor({ at: of.atOf(last), id: last.id }) : null }
}

/** Pages behind so many rows are asked for as one: all before them would be held in memory. Whoever goes on by `after` does not come there. */
const MOST_DIVIDED = 20_000

/**
 * Keeps the first rows, by time and number, of those several queries hold between them. Where a row is in a list for one of two reasons no
 * index gives the list in its order: asked for as one, all rows there are would be looked through for a page.
 */
export async function inParts<Tables, Table extends keyof Tables>(
  parts: readonly SelectQueryBuilder<Tables, Table, object>[],
  of: { at: string; id: string },
  { most, direction, after = null }: { most: number; direction: 'asc' | 'desc'; after?: string | null },
): Promise<RawBuilder<boolean>> {
  const [at, id] = [sql.ref<Date>(of.at), sql.ref<string>(of.id)]
  const found = await Promise.all(
    parts.map((part) =>
      part
        .select([at.as('at'), id.as('id')])
        .where(isAfter(after, of))
        .orderBy(at, direction)
        .orderBy(id, direction)
        .limit(most)
        .execute(),
    ),
  )
  const rows = found.flat() as unknown as { at: Date; id: string }[] // as they were selected: the types of the queries hide it
  const times = new Map(rows.map((row) => [row.id, row.at.getTime()]))
  const newestFirst = [...times].toSorted(([a, before], [b, then]) => then - before || (BigInt(a) < BigInt(b) ? 1 : -1))
  const first = direction === 'desc' ? newestFirst.slice(0, most) : newestFirst.slice(-most)
  return sql`${id} = any(${first.map(([one]) => one)}::bigint[])`
}

/** The condition that keeps rows (newest first by time, then number) behind the cursor of a request, if it has one. Times are stored to the millisecond. */
function isAfter(after: string | null, columns: { at: string; id: string }): RawBuilder<boolean> {
  const cursor = readCursor(after)
  if (cursor === null) return sql`true`
  return sql`(${sql.ref(columns.at)}, ${sql.ref(columns.id)}) < (${cursor.at}::timestamptz, ${cursor.id}::bigint)`
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
