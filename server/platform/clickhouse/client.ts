import { ClickHouseLogLevel, createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client'

export type Clickhouse = ClickHouseClient

/** Values that do not fit a JavaScript number arrive as text: 64-bit integers and decimals. */
const READING: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  // '1.50000000': an amount has all its decimals.
  output_format_decimal_trailing_zeros: 1,
  // NaN and infinity are no JSON: a division by zero arrives as null.
  output_format_json_quote_denormals: 0,
}

/**
 * Opens a client on one database of a ClickHouse, embedded or not (`http://user:password@host:port/database`).
 * Errors are thrown, never logged by the client. Close it when the process ends.
 */
export function openClickhouse(
  url: string,
  options: { database?: string; settings?: ClickHouseSettings; maxConnections?: number; requestTimeoutMs?: number } = {},
): Clickhouse {
  const { username, password, origin } = parse(url)
  return createClient({
    url: origin,
    username,
    password,
    database: options.database ?? databaseOf(url),
    application: 'ohma',
    log: { level: ClickHouseLogLevel.OFF },
    max_open_connections: options.maxConnections ?? 12,
    request_timeout: options.requestTimeoutMs ?? 60_000,
    keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
    clickhouse_settings: { ...READING, ...options.settings },
  })
}

/** The database of an ordinary instance; the demo network and the tests name their own. */
export const DEFAULT_DATABASE = 'ohma'

/** The database an address names by its path, as a PostgreSQL address does; without one `DEFAULT_DATABASE`. */
export function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1)) || DEFAULT_DATABASE
}

function parse(url: string): { username: string; password: string; origin: string } {
  const { username, password, origin } = new URL(url)
  return { username: decodeURIComponent(username) || 'default', password: decodeURIComponent(password), origin }
}
