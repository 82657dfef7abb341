import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import { migrateClickhouse } from '#server/platform/clickhouse/migrate.ts'

export type TestClickhouse = {
  /** Address of the shared events process, without a database. */
  url: string
  database: string
  clickhouse: Clickhouse
  /** Closes `clickhouse` and drops the database. */
  drop(): Promise<void>
}

/** A migrated ClickHouse database of its own for a test file, in the events process all files share. */
export async function createClickhouseDatabase(): Promise<TestClickhouse> {
  const { clickhouse: part } = inject('parts')
  if ('missing' in part) throw new Error(`no ClickHouse for this test: ${part.missing}`)
  const database = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await migrateClickhouse(part.url, database)
  const clickhouse = openClickhouse(part.url, { database })
  return {
    url: part.url,
    database,
    clickhouse,
    async drop() {
      await clickhouse.command({ query: `drop database if exists ${database} sync` })
      await clickhouse.close()
    },
  }
}
