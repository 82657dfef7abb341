import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLICK_COLUMNS } from '#server/rules/click-row.ts'
import { startRole, type RoleProcess } from '#test/support/role-process.ts'
import { openClickhouse, type Clickhouse } from './client.ts'
import { clusterStatements } from './cluster.ts'
import { listClickhouseMigrations, migrateClickhouse } from './migrate.ts'

let dataDir: string
let events: RoleProcess
let db: Clickhouse

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'ohma-migrate-'))
  events = await startRole('events', { DATA_DIR: dataDir })
  db = openClickhouse(events.url, { database: 'ohma' })
})
afterAll(async () => {
  await db.close()
  await events.stop()
  await rm(dataDir, { recursive: true, force: true })
})

describe('the migrations of ClickHouse', () => {
  it('are applied once, and again without harm after being cut off', async () => {
    const names = (await listClickhouseMigrations()).map(({ name }) => name)
    expect(await migrateClickhouse(events.url, 'ohma')).toEqual(names)
    expect(await migrateClickhouse(events.url, 'ohma')).toEqual([])
    // As if the process had ended between a migration and its record.
    await db.command({ query: `DELETE FROM migration WHERE name = '${names[1]}'` })
    expect(await migrateClickhouse(events.url, 'ohma')).toEqual([names[1]])
  })

  it('keep several databases apart', async () => {
    await migrateClickhouse(events.url, 'ohma_demo')
    await db.command({ query: 'INSERT INTO ohma_demo.conversion_fact (conversion, sign) VALUES (1, 1)' })
    const rows = await (await db.query({ query: 'SELECT count() AS n FROM conversion_fact', format: 'JSONEachRow' })).json()
    expect(rows).toEqual([{ n: '0' }])
  })

  it('refuse a database that a newer version has written, or whose history differs', async () => {
    await migrateClickhouse(events.url, 'newer')
    await db.command({ query: "INSERT INTO newer.migration (name, checksum) VALUES ('9999_future.sql', 'x')" })
    await expect(migrateClickhouse(events.url, 'newer')).rejects.toThrow(/newer version of Ohma/)
    await migrateClickhouse(events.url, 'changed')
    await db.command({
      query: "ALTER TABLE changed.migration UPDATE checksum = 'x' WHERE name = '0001_click.sql' SETTINGS mutations_sync = 1",
    })
    await expect(migrateClickhouse(events.url, 'changed')).rejects.toThrow(/changed after it was applied/)
  })

  it('give the table of clicks the columns the tracker writes, in their order', async () => {
    const result = await db.query({
      query: "SELECT name FROM system.columns WHERE database = 'ohma' AND table = 'click' ORDER BY position",
      format: 'JSONEachRow',
    })
    expect((await result.json<{ name: string }>()).map(({ name }) => name)).toEqual([...CLICK_COLUMNS])
  })

  it('have a cluster form that the engine parses', async () => {
    const migrations = await listClickhouseMigrations()
    const statements = migrations.flatMap((migration) => clusterStatements(migration.statements, { cluster: 'main', database: 'ohma' }))
    for (const statement of statements) await (await db.query({ query: `EXPLAIN AST ${statement}`, format: 'TabSeparated' })).text()
    const text = statements.join('\n')
    expect(text.match(/ENGINE = Replicated\w*MergeTree\(/g)).toHaveLength(5)
    expect(text.match(/ENGINE = Distributed\(main, ohma, \w+_local, (affiliate|rand\(\))\)/g)).toHaveLength(5)
    expect(text).not.toContain('non_replicated')
    expect(() => clusterStatements(['DROP TABLE click'], { cluster: 'main', database: 'ohma' })).toThrow(/No cluster form/)
  })
})
