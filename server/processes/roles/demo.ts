import { sql } from 'kysely'
import { buildDemo } from '#server/demo/build.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import type { Config } from '#server/platform/config.ts'
import { openFileStore } from '#server/platform/files/store.ts'
import { openDatabase } from '#server/platform/pg/database.ts'

/** Makes the demo network in empty, migrated databases, tells how to sign in, and has nothing left to do. */
export async function run(config: Config): Promise<{ stop(): Promise<void>; logins: Awaited<ReturnType<typeof buildDemo>> }> {
  if (config.databaseUrl === null || config.clickhouseUrl === null) throw new Error('the demo network needs both databases')
  const db = openDatabase(config.databaseUrl, { applicationName: 'ohma-demo', lazyCommits: true })
  const clickhouse = openClickhouse(config.clickhouseUrl)
  try {
    const logins = await buildDemo({ db, clickhouse, store: openFileStore(config.dataDir), now: Date.now(), secretKey: config.secretKey })
    // all of it is on the disk before anybody notes that it is there
    await sql`checkpoint`.execute(db)
    return { logins, stop: async () => {} }
  } finally {
    await clickhouse.close()
    await db.destroy()
  }
}
