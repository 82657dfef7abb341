import type { Session } from 'chdb'
import { quote, quoteName } from './statement.ts'

/** What a request wants from the connection it runs on. */
export type Wishes = { database: string; settings: Record<string, string>; params: Record<string, string> }

/**
 * A chDB connection and what it remembers of earlier requests. Settings and parameters stay on a connection, even when
 * the statement after them fails: without this record one request's limits would govern the next one.
 */
export type Connection = { session: Session; database: string; settings: Set<string>; params: Set<string>; spoiled: boolean }

/** Opens an empty connection. About half a millisecond, on the calling thread. */
export function openConnection(open: () => Session): Connection {
  const session = open()
  // Parameters are statements here, so a list of all affiliates has to fit into one.
  session.query(`SET max_query_size = ${64 * 1024 * 1024}`)
  return { session, database: 'default', settings: new Set(), params: new Set(), spoiled: false }
}

/** True when the statement mentions a parameter that an earlier request left behind and this one does not give. */
export function holdsStaleParameter(connection: Connection, sql: string, wishes: Wishes): boolean {
  return [...connection.params].some((name) => !(name in wishes.params) && new RegExp(`\\{\\s*${name}\\s*:`).test(sql))
}

/**
 * The statements that bring a connection from what it remembers to what the request wants, or '' when nothing differs.
 * Values are literals, so a parameter can hold anything; names were checked when the request was read.
 */
export function tuneConnection(connection: Connection, wishes: Wishes): string {
  const assignments = [
    ...[...connection.settings].filter((name) => !(name in wishes.settings)).map((name) => `${name} = DEFAULT`),
    ...Object.entries(wishes.settings).map(([name, value]) => `${name} = ${quote(value)}`),
    ...Object.entries(wishes.params).map(([name, value]) => `param_${name} = ${quote(value)}`),
  ]
  const statements = connection.database === wishes.database ? [] : [`USE ${quoteName(wishes.database)}`]
  if (assignments.length > 0) statements.push(`SET ${assignments.join(', ')}`)
  connection.database = wishes.database
  connection.settings = new Set(Object.keys(wishes.settings))
  for (const name of Object.keys(wishes.params)) connection.params.add(name)
  return statements.join('; ')
}
