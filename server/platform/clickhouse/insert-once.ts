import { Readable } from 'node:stream'
import type { ClickHouseSettings } from '@clickhouse/client'
import type { Clickhouse } from './client.ts'

/**
 * One insert = one block, whose token ClickHouse remembers for the table and for every roll-up below it. The same rows
 * sent again with the same token and the same settings change nothing, however often. The sizes must never change for
 * a token that may be sent again: another cut into blocks would be another insert.
 */
const ONE_BLOCK: ClickHouseSettings = {
  async_insert: 0,
  input_format_parallel_parsing: 0,
  max_insert_threads: '1',
  max_insert_block_size: '1048449',
  min_insert_block_size_rows: '1048449',
  min_insert_block_size_bytes: '268402944',
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  // Never a part of the rows: a bad one refuses the insert.
  input_format_allow_errors_num: '0',
  input_format_allow_errors_ratio: 0,
  // An empty country stands for the column's default, 'ZZ'.
  input_format_tsv_empty_as_default: 1,
  date_time_input_format: 'best_effort',
}

/** Rows that ClickHouse's limits for one block allow: above, a second block would get past the token. */
export const LARGEST_BLOCK = { rows: 100_000, bytes: 64 * 1024 * 1024 } as const

export type TokenInsert = { table: string; columns: readonly string[]; token: string; signal?: AbortSignal }

/** Inserts TabSeparated rows, exactly once per token. Rejects with the engine's error; then nothing was inserted or, if the answer was lost, everything. */
export async function insertTextOnce(db: Clickhouse, insert: TokenInsert & { rows: Buffer }): Promise<void> {
  await db.insert({
    table: insert.table,
    columns: [...insert.columns] as [string, ...string[]], // a header names at least one column
    values: Readable.from([insert.rows], { objectMode: false }),
    format: 'TabSeparated',
    abort_signal: insert.signal,
    clickhouse_settings: { ...ONE_BLOCK, insert_deduplication_token: insert.token },
  })
}

/** The same for rows as objects: decimals and 64-bit integers as text, times as ISO text or 'YYYY-MM-DD hh:mm:ss.mmm' (UTC). */
export async function insertRowsOnce<Row extends Record<string, unknown>>(
  db: Clickhouse,
  insert: TokenInsert & { rows: readonly Row[] },
): Promise<void> {
  if (insert.rows.length === 0) return
  if (insert.rows.length > LARGEST_BLOCK.rows) throw new Error(`One insert takes ${LARGEST_BLOCK.rows} rows, not ${insert.rows.length}`)
  await db.insert({
    table: insert.table,
    columns: [...insert.columns] as [string, ...string[]], // callers name their columns
    values: insert.rows,
    format: 'JSONEachRow',
    abort_signal: insert.signal,
    clickhouse_settings: { ...ONE_BLOCK, insert_deduplication_token: insert.token },
  })
}
