import pg from 'pg'
import { copyIn, copyOut } from '#server/platform/pg/copy.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import type { Archive } from '#server/platform/files/archive.ts'
import type { BackupHeader, TableTotal } from './manifest.ts'

/** Facts on their way to the statistics; a restore makes all facts anew from the conversions. */
const NOT_KEPT = ['migration', 'outbox']

/**
 * Opens one frozen view of the business data: everything read through it is of the same moment, however long it takes.
 * `end()` closes it.
 */
export async function freezeBusiness(
  databaseUrl: string,
): Promise<{ client: pg.Client; describe(): Promise<Pick<BackupHeader, 'migrations' | 'business' | 'sequences'>>; end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'ohma-backup' })
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  return {
    client,
    async describe() {
      const migrations = await client.query<{ name: string }>('select name from migration order by name')
      return {
        migrations: migrations.rows.map((row) => row.name),
        business: await listTables(client),
        sequences: await listSequences(client),
      }
    },
    end: () => client.end(),
  }
}

/** Writes every table into the archive and answers its totals. */
export async function dumpBusiness(
  client: pg.Client,
  tables: BackupHeader['business'],
  archive: Archive,
): Promise<Record<string, TableTotal>> {
  for (const { table, columns } of tables) {
    await archive.addStream(`business/${table}`, copyOut(client, `copy ${quote(table)} (${columns.map(quote).join(', ')}) to stdout`))
  }
  return totalsOf(client, tables)
}

/**
 * Makes the tables as they were when the backup was written, hands each to `fill`, checks them, and then brings them to
 * this version (not `asItWas`, for tests of upgrades). Triggers and references rest meanwhile: the rows have passed them before.
 */
export async function loadBusiness(
  databaseUrl: string,
  header: BackupHeader,
  fill: (load: (table: string, rows: AsyncIterable<Buffer>) => Promise<void>) => Promise<void>,
  { asItWas = false } = {},
): Promise<Record<string, TableTotal>> {
  await migrate(databaseUrl, header.migrations.at(-1))
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'ohma-restore' })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    // Migrations put first rows into some tables; the backup has them too.
    await client.query(`truncate ${header.business.map(({ table }) => quote(table)).join(', ')}, outbox`)
    await fill(async (table, rows) => {
      const columns = header.business.find((entry) => entry.table === table)?.columns
      if (columns === undefined) throw new Error(`the backup names no table ${table}`)
      await copyIn(client, `copy ${quote(table)} (${columns.map(quote).join(', ')}) from stdin`, rows)
    })
    for (const { name, last_value } of header.sequences) {
      if (last_value !== null) await client.query('select setval($1::regclass, $2::bigint)', [quote(name), last_value])
    }
    const totals = await totalsOf(client, header.business)
    await client.query('commit')
    if (!asItWas) await migrate(databaseUrl)
    return totals
  } finally {
    await client.end()
  }
}

async function listTables(client: pg.Client): Promise<BackupHeader['business']> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select c.table_name as table, array_agg(c.column_name::text order by c.ordinal_position) as columns
       from information_schema.columns c
       join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      where c.table_schema = 'public' and c.is_generated = 'NEVER' and c.table_name <> all($1)
      group by c.table_name order by c.table_name`,
    [NOT_KEPT],
  )
  return rows
}

async function listSequences(client: pg.Client): Promise<BackupHeader['sequences']> {
  const { rows } = await client.query<BackupHeader['sequences'][number]>(
    `select sequencename as name, last_value::text as last_value from pg_sequences where schemaname = 'public' order by sequencename`,
  )
  return rows
}

/** Rows, and the sum of a hash over each row's text: equal tables have equal sums in whatever order they lie. */
async function totalsOf(client: pg.Client, tables: BackupHeader['business']): Promise<Record<string, TableTotal>> {
  const totals: Record<string, TableTotal> = {}
  for (const { table, columns } of tables) {
    const row = `row(${columns.map(quote).join(', ')})::text`
    const { rows } = await client.query<TableTotal>(
      `select count(*)::text as rows, coalesce(sum(hashtextextended(${row}, 0)::numeric), 0)::text as content from ${quote(table)}`,
    )
    if (rows[0]) totals[table] = rows[0]
  }
  return totals
}

const quote = (name: string) => pg.escapeIdentifier(name)
