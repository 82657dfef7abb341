import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'

/** A list request as the contract's `paging` and `sorting` make it. */
type PageRequest<Sort extends string> = { count: number; page: number; sort: Sort; direction: 'asc' | 'desc' }

/** What rows are ordered by: a column of the query, or of it what the caller is shown. */
export type SortKey = string | RawBuilder<unknown>

/** A key as it stands behind "order by". */
export function keyOf(key: SortKey): RawBuilder<unknown> {
  return typeof key === 'string' ? sql.ref(key) : key
}

/** Puts the ids of a whole result, which come in the order of the request by id, into an order the database does not know. */
export type Rank = (ids: number[]) => number[]

/**
 * One page of what a query selects, and how many rows it has in all. `columns` is the table of names one may sort by;
 * empty values come last either way, and rows that are alike keep the order of their `id`. With `rank` the ids of the whole
 * result come too, and what is no column is sorted by it.
 */
export async function listPage<Tables, Table extends keyof Tables, Row extends { id: number }, Sort extends string>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  columns: { readonly [Column in Sort]?: SortKey } & { readonly id: string },
  request: PageRequest<Sort>,
  rank?: Rank,
): Promise<{ rows: number; list: Row[]; ids: number[] }> {
  const counting = query.clearSelect().select(sql<number>`count(*)::int`.as('rows')) as SelectQueryBuilder<Tables, Table, { rows: number }> // the one column there is
  const column = columns[request.sort]
  const from = (request.page - 1) * request.count
  if (rank === undefined) {
    const [{ rows }, list] = await Promise.all([counting.executeTakeFirstOrThrow(), page(query, column ?? columns.id)])
    return { rows, list, ids: [] }
  }
  const finding = query.clearSelect().select(sql<number>`${sql.ref(columns.id)}`.as('id')) as SelectQueryBuilder<
    Tables,
    Table,
    { id: number }
  > // the one column there is
  const [found, list] = await Promise.all([
    finding.orderBy(sql.ref(columns.id), request.direction).execute(),
    column === undefined ? undefined : page(query, column),
  ])
  const ids = found.map(({ id }) => id)
  return { rows: ids.length, list: list ?? (await rowsOf(query, columns.id, rank(ids).slice(from, from + request.count))), ids }

  function page(of: typeof query, by: SortKey): Promise<Row[]> {
    return of
      .orderBy(keyOf(by), (order) => (request.direction === 'asc' ? order.asc() : order.desc()).nullsLast())
      .orderBy(sql.ref(columns.id), request.direction)
      .limit(request.count)
      .offset(from)
      .execute()
  }
}

/** The rows with these ids, in this order. */
async function rowsOf<Tables, Table extends keyof Tables, Row extends { id: number }>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  column: string,
  ids: number[],
): Promise<Row[]> {
  const rows = await query.where(sql<boolean>`${sql.ref(column)} = any(${ids}::int[])`).execute()
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}
