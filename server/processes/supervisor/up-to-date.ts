import pg from 'pg'
import { databaseOf } from '#server/platform/clickhouse/client.ts'
import { isClickhouseMigrated } from '#server/platform/clickhouse/migrate.ts'
import { isMigrated } from '#server/platform/pg/migrate.ts'
import type { Env } from './databases.ts'

/**
 * Whether the databases of an instance are of this version and somebody can sign in, so that `migrate` has nothing to do and nothing to
 * tell: to start that process costs more than to ask. No, too, where asking fails: the role says in words what is wrong.
 */
export async function isUpToDate(shared: Env): Promise<boolean> {
  const [databaseUrl, clickhouseUrl] = [shared['DATABASE_URL'] ?? '', shared['CLICKHOUSE_URL'] ?? '']
  try {
    const [business, statistics] = await Promise.all([
      isMigrated(databaseUrl),
      isClickhouseMigrated(clickhouseUrl, databaseOf(clickhouseUrl)),
    ])
    return business && statistics && (await hasSomebody(databaseUrl))
  } catch {
    return false
  }
}

async function hasSomebody(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    return (await client.query('select 1 from manager limit 1')).rowCount === 1
  } finally {
    await client.end()
  }
}
