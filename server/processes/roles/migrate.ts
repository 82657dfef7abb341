import { href } from '#contract/screens.ts'
import { createSetupLink } from '#server/features/people/auth/auth.service.ts'
import { databaseOf } from '#server/platform/clickhouse/client.ts'
import { migrateClickhouse } from '#server/platform/clickhouse/migrate.ts'
import type { Config } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/pg/database.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { migrate } from '#server/platform/pg/migrate.ts'

/**
 * Brings both databases to this version, making them where they are missing, and reports one line for each thing the
 * operator should know: what was migrated, and the one-time link that makes the first admin while there is nobody.
 */
export async function run(config: Config): Promise<{ stop(): Promise<void>; lines: string[] }> {
  const { databaseUrl, clickhouseUrl } = config
  if (databaseUrl === null || clickhouseUrl === null) throw new Error('migrate needs DATABASE_URL and CLICKHOUSE_URL')
  const [business, statistics] = await Promise.all([migrateBusiness(databaseUrl), migrateStatistics(clickhouseUrl)])
  const lines = [...describe('the database', business), ...describe('the statistics', statistics)]
  const link = config.demo ? undefined : await setupLink(config, databaseUrl)
  if (link !== undefined) lines.push(`nobody can log in yet: make the first admin at ${link} (once, within 24 hours)`)
  return { stop: async () => {}, lines }
}

async function migrateBusiness(databaseUrl: string): Promise<string[]> {
  try {
    return await migrate(databaseUrl)
  } catch (error) {
    // `pg` puts PostgreSQL's code on its errors, Node the system's. 3D000: the server has no database of this name yet.
    const { code = '', message } = error as { code?: string; message: string }
    if (/^(E[A-Z]+|28\w{3})$/.test(code)) {
      throw new Error(`PostgreSQL at ${new URL(databaseUrl).host} cannot be used: ${message || code}. Check DATABASE_URL.`, {
        cause: error,
      })
    }
    if (code !== '3D000') throw error
    const admin = new URL(databaseUrl)
    const name = decodeURIComponent(admin.pathname.slice(1))
    admin.pathname = '/postgres'
    await ensureDatabase(admin.href, name)
    return migrate(databaseUrl)
  }
}

async function migrateStatistics(clickhouseUrl: string): Promise<string[]> {
  try {
    return await migrateClickhouse(clickhouseUrl, databaseOf(clickhouseUrl))
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string } // Node's socket errors carry a code
    if (!/^E[A-Z]+$/.test(code)) throw error
    throw new Error(`ClickHouse at ${new URL(clickhouseUrl).host} cannot be used: ${message || code}. Check CLICKHOUSE_URL.`, {
      cause: error,
    })
  }
}

function describe(what: string, applied: string[]): string[] {
  return applied.length === 0 ? [] : [`brought ${what} up to ${applied.at(-1)?.replace(/\.sql$/, '')}`]
}

async function setupLink(config: Config, databaseUrl: string): Promise<string | undefined> {
  const db = openDatabase(databaseUrl, { max: 1 })
  try {
    const token = await createSetupLink(db, Date.now())
    return token === undefined ? undefined : `${config.publicUrl}${href('setPassword', { token })}`
  } finally {
    await db.destroy()
  }
}
