import pg from 'pg'
import { databaseOf, openClickhouse } from '#server/platform/clickhouse/client.ts'
import type { Config } from '#server/platform/config.ts'

/** Drops both databases of a demo network, so that a making that was cut short can begin anew. Touches no others. */
export async function run(config: Config): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl, clickhouseUrl } = config
  if (databaseUrl === null || clickhouseUrl === null) throw new Error('discard needs DATABASE_URL and CLICKHOUSE_URL')
  const names = [decodeURIComponent(new URL(databaseUrl).pathname.slice(1)), databaseOf(clickhouseUrl)]
  const real = names.find((name) => !name.endsWith('_demo'))
  if (real !== undefined) throw new Error(`"${real}" is no demo network: it is not dropped`)
  await Promise.all([dropBusiness(databaseUrl), dropStatistics(clickhouseUrl)])
  return { stop: async () => {} }
}

async function dropBusiness(databaseUrl: string): Promise<void> {
  const admin = new URL(databaseUrl)
  const name = decodeURIComponent(admin.pathname.slice(1))
  admin.pathname = '/postgres'
  const client = new pg.Client({ connectionString: admin.href })
  await client.connect()
  try {
    await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)
  } finally {
    await client.end()
  }
}

async function dropStatistics(clickhouseUrl: string): Promise<void> {
  const client = openClickhouse(clickhouseUrl, { database: 'default' })
  try {
    await client.command({ query: 'DROP DATABASE IF EXISTS {name:Identifier} SYNC', query_params: { name: databaseOf(clickhouseUrl) } })
  } finally {
    await client.close()
  }
}
