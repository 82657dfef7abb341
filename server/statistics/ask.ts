import { ClickHouseError } from '@clickhouse/client'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { AppError } from '#server/platform/errors.ts'
import { log } from '#server/platform/log.ts'

export type Answered = {
  data: unknown[][]
  totals?: unknown[]
  rows_before_limit_at_least?: number
  statistics: { elapsed: number; rows_read: number }
}

/** No report of the panel may hold the engine for longer, read more rows, or build more groups. */
const LIMITS = {
  max_execution_time: 20,
  max_rows_to_read: '2000000000',
  max_rows_to_group_by: '20000000',
  group_by_overflow_mode: 'throw',
} as const

// TOO_MANY_ROWS, TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED, TOO_MANY_BYTES, QUERY_WAS_CANCELLED, TOO_MANY_ROWS_OR_BYTES
const TOO_HEAVY = new Set(['158', '159', '160', '241', '307', '394', '396'])

/**
 * Reads from ClickHouse; rows arrive as arrays in the order of the columns. Throws `report_too_heavy` where a limit was
 * hit and `statistics_away` where the engine cannot be asked; `signal` ends the query with its caller. `wholeCount` makes `rows_before_limit_at_least`
 * exact; without it the engine may stop at the limit.
 */
export async function askClickhouse(
  clickhouse: Clickhouse,
  query: string,
  values: Record<string, unknown>,
  { signal, wholeCount = false }: { signal?: AbortSignal | undefined; wholeCount?: boolean } = {},
): Promise<Answered> {
  try {
    const result = await clickhouse.query({
      query,
      query_params: values,
      format: 'JSONCompact',
      // long lists of ids go into the body: a URL has no room for them
      use_multipart_params_auto: true,
      clickhouse_settings: { ...LIMITS, ...(wholeCount ? { exact_rows_before_limit: 1 } : {}) },
      ...(signal === undefined ? {} : { abort_signal: signal }),
    })
    return read(await result.text())
  } catch (error) {
    // Who has left hears nothing, and it is nobody's mistake.
    if (signal?.aborted) throw new AppError('statistics_away', { cause: error })
    throw translate(error, query)
  }
}

/** Where no row is left, chDB 3.4 forgets to close the list of rows and leaves out the totals: only the numbers are read. */
function read(text: string): Answered {
  if (!/^\t"rows": 0,$/m.test(text)) return JSON.parse(text) as Answered // the shape of JSONCompact
  const number = (name: string) => Number(new RegExp(`"${name}": ([\\d.e-]+)`).exec(text)?.[1] ?? 0)
  return {
    data: [],
    rows_before_limit_at_least: number('rows_before_limit_at_least'),
    statistics: { elapsed: number('elapsed'), rows_read: number('rows_read') },
  }
}

function translate(error: unknown, query: string): AppError {
  if (error instanceof ClickHouseError && TOO_HEAVY.has(error.code)) return new AppError('report_too_heavy', { cause: error })
  // Whatever else the engine says about a statement of ours is our mistake, or it is being restarted: told apart in the log.
  log.error({ err: error, query: query.slice(0, 2000) }, 'a report could not be read')
  return new AppError('statistics_away', { cause: error, retryAfter: 5 })
}
