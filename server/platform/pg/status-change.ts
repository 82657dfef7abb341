import { sql, type SelectQueryBuilder } from 'kysely'

/**
 * Of what a query selects, the rows named, where a status is told whose it would change, where one is expected only from that one, in the order of
 * their ids: whoever locks several in one order waits and never deadlocks. The last argument is as the contract's `statusChange` makes it.
 */
export function whoseStatusChanges<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  columns: { uuid: string; id: string; status: string },
  { uuids, status, expected }: { uuids: string[]; status?: string; expected?: string | undefined },
) {
  return query
    .where(sql<boolean>`${sql.ref(columns.uuid)} = any(${uuids}::uuid[])`)
    .$if(status !== undefined, (found) => found.where(sql<boolean>`${sql.ref(columns.status)} <> ${status}`))
    .$if(expected !== undefined, (found) => found.where(sql<boolean>`${sql.ref(columns.status)} = ${expected}`))
    .orderBy(sql.ref(columns.id))
}
