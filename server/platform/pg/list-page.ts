import { sql, type SelectQueryBuilder } from 'kysely'

/** A list request as the contract's `paging` and `sorting` make it. */
type PageRequest<Sort extends string> = { count: number; page: number; sort: Sort; direction: 'asc' | 'desc' }

/**
 * One page of what a query selects, and how many rows it has in all. `columns` is the table of names one may sort by;
 * empty values come last either way, and rows that are alike keep the order of their `id`.
 */
export async function listPage<Tables, Table extends keyof Tables, Row, Sort extends string>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  columns: Record<Sort | 'id', string>,
  request: PageRequest<Sort>,
) {
  const counting = query.clearSelect().select(sql<number>`count(*)::int`.as('rows')) as SelectQueryBuilder<Tables, Table, { rows: number }> // the one column there is
  const [{ rows }, list] = await Promise.all([
    counting.executeTakeFirstOrThrow(),
    query
      .orderBy(sql.ref(columns[request.sort]), (order) => (request.direction === 'asc' ? order.asc() : order.desc()).nullsLast())
      .orderBy(sql.ref(columns.id), request.direction)
      .limit(request.count)
      .offset((request.page - 1) * request.count)
      .execute(),
  ])
  return { rows, list }
}
