import { rebuildSessionFacts } from '#server/features/leads/session-fact/rebuild.service.ts'
import { rebuildFacts } from '#server/features/traffic/fact/rebuild.service.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/pg/database.ts'
import type { Env } from '../supervisor/databases.ts'
import { connectDatabases } from '../supervisor/database-connection.ts'
import { printLine, StartError } from '../supervisor/console-output.ts'

/** `npm run facts:rebuild`: makes the statistics of conversions and leads anew from the books, whether the instance runs or not. */
export async function rebuildAllFacts(env: Env): Promise<void> {
  const { addresses, end } = await connectDatabases(env, readConfig(env, 'start'))
  const db = openDatabase(addresses.databaseUrl, { max: 2 })
  const clickhouse = openClickhouse(addresses.clickhouseUrl, { requestTimeoutMs: 600_000 })
  try {
    const rows = await rebuildFacts(db, clickhouse)
    const leads = await rebuildSessionFacts(db, clickhouse)
    if (rows === null || leads === null) throw new StartError('The worker is moving facts just now. Try again in a moment.')
    printLine(`made the facts of ${rows} conversions and ${leads} of leads anew`)
  } finally {
    await Promise.all([db.destroy(), clickhouse.close()])
    await end()
  }
}
