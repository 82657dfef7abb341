import { Readable } from 'node:stream'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Archive } from '#server/platform/files/archive.ts'
import { LEAD_ROLL_UPS } from '#server/statistics/lead-source.ts'
import type { BackupHeader, TableTotal } from './manifest.ts'

/** Made anew from the conversions and sessions by a restore, or by the migrations. */
const MADE_ANEW = ['conversion_fact', 'session_fact', ...LEAD_ROLL_UPS]
const NOT_KEPT = ['migration', ...MADE_ANEW, ...MADE_ANEW.map((name) => `${name}_next`)]
const LONG: { max_execution_time: number } = { max_execution_time: 600 }
const NEWLINE = 0x0a

/** The tables with rows of their own, the raw ones before their roll-ups. */
export async function listStatistics(clickhouse: Clickhouse): Promise<BackupHeader['statistics']> {
  return rowsOf<BackupHeader['statistics'][number]>(
    clickhouse,
    `SELECT c.table AS table, groupArray(c.name) AS columns
       FROM (SELECT table, name, position FROM system.columns WHERE database = currentDatabase() ORDER BY table, position) AS c
       JOIN system.tables AS t ON t.name = c.table AND t.database = currentDatabase()
      WHERE t.engine LIKE '%MergeTree' AND c.table NOT IN ({skip:Array(String)})
      GROUP BY c.table ORDER BY any(t.engine) LIKE 'Aggregating%', c.table`,
    { skip: NOT_KEPT },
  )
}

/** Writes every table into the archive as TabSeparated rows, which any line can be cut at, and answers its totals. */
export async function dumpStatistics(
  clickhouse: Clickhouse,
  tables: BackupHeader['statistics'],
  archive: Archive,
): Promise<Record<string, TableTotal>> {
  for (const { table, columns } of tables) {
    const { stream } = await clickhouse.exec({
      query: `SELECT ${columns.join(', ')} FROM ${table} FORMAT TabSeparated`,
      clickhouse_settings: LONG,
    })
    await archive.addStream(`statistics/${table}`, stream)
  }
  return statisticsTotals(clickhouse, tables)
}

/**
 * Fills one table. Rows of a raw table also run into its roll-ups; those come later in the archive, and are emptied
 * before their own rows arrive, which reach further back than the raw ones.
 */
export async function loadStatistics(
  clickhouse: Clickhouse,
  { table, columns }: BackupHeader['statistics'][number],
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  await clickhouse.command({ query: `TRUNCATE TABLE ${table}` })
  for await (const rows of wholeRows(chunks)) {
    await clickhouse.insert({
      table,
      columns: columns as [string, ...string[]], // a table has at least one column
      values: Readable.from([rows], { objectMode: false }),
      format: 'TabSeparated',
      // Equal blocks of a backup are equal rows, not repeats.
      clickhouse_settings: { async_insert: 0, insert_deduplicate: 0, deduplicate_blocks_in_dependent_materialized_views: 0 },
    })
  }
}

/** Totals that do not change when the engine merges rows: raw rows by count and hash, roll-ups by the sums of their counters. */
export async function statisticsTotals(clickhouse: Clickhouse, tables: BackupHeader['statistics']): Promise<Record<string, TableTotal>> {
  const totals: Record<string, TableTotal> = {}
  for (const { table } of tables) {
    const counters = await rowsOf<{ name: string }>(
      clickhouse,
      `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String} AND type LIKE 'SimpleAggregateFunction(sum%'`,
      { table },
    )
    const figures =
      counters.length === 0
        ? `toString(count()) AS rows, toString(groupBitXor(cityHash64(*))) AS content`
        : `'merged' AS rows, concat(${counters.map(({ name }) => `toString(sum(${name})), ' '`).join(', ')}) AS content`
    const [total] = await rowsOf<TableTotal>(clickhouse, `SELECT ${figures} FROM ${table}`, {})
    if (total) totals[table] = total
  }
  return totals
}

/** Cuts a stream of text at the last line end of each piece, so that every insert gets whole rows. */
async function* wholeRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end > 0) yield bytes.subarray(0, end)
    rest = bytes.subarray(end)
  }
  if (rest.length > 0) throw new Error('a table of the backup ends within a row')
}

async function rowsOf<Row>(clickhouse: Clickhouse, query: string, params: Record<string, unknown>): Promise<Row[]> {
  const answer = await clickhouse.query({ query, query_params: params, format: 'JSONEachRow', clickhouse_settings: LONG })
  return answer.json<Row>()
}
