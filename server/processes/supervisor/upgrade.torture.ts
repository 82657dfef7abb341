import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { openDatabase } from '#server/platform/pg/database.ts'
import { listMigrations } from '#server/platform/pg/migrate.ts'
import { startInstance } from '#test/support/run/instance.ts'
import { restore } from '../commands/restore.ts'
import { readAddresses } from './running.ts'

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/upgrade')
const root = mkdtempSync(join(tmpdir(), 'ohma-upgrade-'))
chmodSync(root, 0o755)
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Starts the instance of a folder, looks at what it holds, and stops it. */
async function look(dataDir: string): Promise<{ output: string; found: unknown; migrations: number }> {
  const instance = await startInstance({ dataDir })
  await instance.printed(/ready at/)
  const { databaseUrl, clickhouseUrl } = readAddresses(dataDir)
  const db = openDatabase(databaseUrl)
  const clickhouse = openClickhouse(clickhouseUrl)
  const { rows } = await sql`select (select count(*)::int from affiliate) as affiliates, (select count(*)::int from offer) as offers,
    (select array_agg(email order by email) from account) as accounts`.execute(db)
  const migrations = await sql<{ count: number }>`select count(*)::int as count from migration`.execute(db)
  const clicks = await clickhouse.query({ query: 'SELECT toUInt32(count()) AS clicks FROM click', format: 'JSONEachRow' })
  const found = { ...(rows[0] as object), ...(await clicks.json<object>())[0] }
  await Promise.all([db.destroy(), clickhouse.close()])
  instance.signal('SIGTERM')
  await instance.exited
  return { output: instance.output(), found, migrations: migrations.rows[0]?.count ?? 0 }
}

test.each(globSync('*.tar.zst', { cwd: FIXTURES }))(
  'what %s held is backed up and brought to this version, and the way back is there',
  async (name) => {
    const from = basename(name, '.tar.zst')
    const dataDir = join(root, from)
    await restore({ DATA_DIR: dataDir }, join(FIXTURES, name), { asItWas: true })
    writeFileSync(join(dataDir, 'ohma.json'), JSON.stringify({ format: 1, version: from, network: 'main' }))
    const expected = {
      affiliates: 1,
      offers: 1,
      accounts: ['admin@example.com', 'affiliate@example.com', 'manager@example.com'],
      clicks: 20,
    }

    const upgraded = await look(dataDir)
    expect(upgraded.found).toEqual(expected)
    expect(upgraded.migrations).toBe((await listMigrations()).length)
    expect(upgraded.output).toMatch(/backing it up first\n.*writing the business data/)
    const [backup = '', ...others] = readdirSync(join(dataDir, 'upgrades'))
    expect(backup).toMatch(new RegExp(`^ohma-${from.replaceAll('.', '\\.')}-before-[0-9.]+-.*\\.tar\\.zst$`))
    expect(others).toEqual([])

    // nothing is left to do: no second backup
    const again = await look(dataDir)
    expect(again.output).not.toContain('backing it up')
    expect(readdirSync(join(dataDir, 'upgrades'))).toEqual([backup])

    // what was backed up is what was there, to the last row
    const back = join(root, `${from}-back`)
    await restore({ DATA_DIR: back }, join(dataDir, 'upgrades', backup))
    expect((await look(back)).found).toEqual(expected)
    expect((JSON.parse(readFileSync(join(dataDir, 'ohma.json'), 'utf8')) as { version: string }).version).not.toBe('')
  },
)
