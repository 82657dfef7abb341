import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLICK_TABLE } from '#server/rules/click/click-row.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import type { Clickhouse } from './client.ts'
import { clusterStatements } from './cluster.ts'
import { isClickhouseMigrated, listClickhouseMigrations, migrateClickhouse } from './migrate.ts'

let own: TestClickhouse
let db: Clickhouse
const made: string[] = []

/** A new database in the engine that all test files share; dropped at the end. */
const newDatabase = () => {
  const database = `${own.database}_${made.length}`
  made.push(database)
  return database
}

beforeAll(async () => {
  own = await createClickhouseDatabase()
  db = own.clickhouse
})
afterAll(async () => {
  for (const database of made) await db.command({ query: `DROP DATABASE IF EXISTS ${database}` })
  await own.drop()
})

describe('the migrations of ClickHouse', () => {
  it('are applied once, and again without harm after being cut off', async () => {
    const names = (await listClickhouseMigrations()).map(({ name }) => name)
    const database = newDatabase()
    expect(await migrateClickhouse(own.url, database)).toEqual(names)
    expect(await migrateClickhouse(own.url, database)).toEqual([])
    expect(await isClickhouseMigrated(own.url, database)).toBe(true)
    // As if the process had ended between a migration and its record.
    await db.command({ query: `DELETE FROM ${database}.migration WHERE name = '${names[1]}'` })
    expect(await isClickhouseMigrated(own.url, database)).toBe(false)
    expect(await migrateClickhouse(own.url, database)).toEqual([names[1]])
  })

  it('keep several databases apart', async () => {
    const other = newDatabase()
    await migrateClickhouse(own.url, other)
    await db.command({ query: `INSERT INTO ${other}.conversion_fact (conversion, sign) VALUES (1, 1)` })
    const rows = await (await db.query({ query: 'SELECT count() AS n FROM conversion_fact', format: 'JSONEachRow' })).json()
    expect(rows).toEqual([{ n: '0' }])
  })

  it('refuse a database that a newer version has written, or whose history differs', async () => {
    const newer = newDatabase()
    await migrateClickhouse(own.url, newer)
    await db.command({ query: `INSERT INTO ${newer}.migration (name, checksum) VALUES ('9999_future.sql', 'x')` })
    await expect(migrateClickhouse(own.url, newer)).rejects.toThrow(/newer version of Ohma/)
    expect(await isClickhouseMigrated(own.url, newer)).toBe(false)
    const changed = newDatabase()
    await migrateClickhouse(own.url, changed)
    const change = `ALTER TABLE ${changed}.migration UPDATE checksum = 'x' WHERE name = '0001_click.sql' SETTINGS mutations_sync = 1`
    await db.command({ query: change })
    await expect(migrateClickhouse(own.url, changed)).rejects.toThrow(/changed after it was applied/)
    expect(await isClickhouseMigrated(own.url, changed)).toBe(false)
  })

  const describeTable = async (table: string) => {
    const result = await db.query({
      query: `SELECT name, type FROM system.columns WHERE database = '${own.database}' AND table = '${table}' ORDER BY position`,
      format: 'JSONEachRow',
    })
    return result.json<{ name: string; type: string }>()
  }

  it('give clicks the columns of their table in its order, and what comes in the same without dictionaries', async () => {
    const wanted = CLICK_TABLE.map(({ name, type }) => ({ name, type }))
    expect(await describeTable('click')).toEqual(wanted)
    const plain = wanted.map(({ name, type }) => ({ name, type: /^LowCardinality\((.*)\)$/.exec(type)?.[1] ?? type }))
    expect(await describeTable('click_inlet')).toEqual(plain)
    expect(await describeTable('click_inlet_fill')).toEqual(plain)
  })

  it('give facts what conversions take over from clicks, by the same name and type', async () => {
    const taken = CLICK_TABLE.flatMap((column) =>
      'fact' in column && column.fact !== 'personal' ? [{ name: column.name, type: column.type }] : [],
    )
    expect(await describeTable('conversion_fact')).toEqual(expect.arrayContaining(taken))
  })

  it('have a cluster form that the engine parses', async () => {
    const migrations = await listClickhouseMigrations()
    const statements = migrations.flatMap((migration) => clusterStatements(migration.statements, { cluster: 'main', database: 'ohma' }))
    for (const statement of statements) await (await db.query({ query: `EXPLAIN AST ${statement}`, format: 'TabSeparated' })).text()
    const text = statements.join('\n')
    const created = migrations.flatMap((migration) => migration.statements).filter((statement) => statement.startsWith('CREATE TABLE'))
    const tables = created.length
    const stored = created.filter((statement) => !statement.endsWith('ENGINE = Null')).length
    expect(text.match(/ENGINE = Replicated\w*MergeTree\(/g)).toHaveLength(stored)
    expect(text.match(/ENGINE = Distributed\(main, ohma, \w+_local, (affiliate|rand\(\))\)/g)).toHaveLength(tables)
    expect(text).not.toContain('non_replicated')
    const added = [
      'ALTER TABLE click ADD COLUMN IF NOT EXISTS x String CODEC(ZSTD(1))',
      'ALTER TABLE click_inlet_fill MODIFY QUERY SELECT * FROM click_inlet',
    ]
    expect(clusterStatements(added, { cluster: 'main', database: 'ohma' })).toEqual([
      'ALTER TABLE ohma.click_local ON CLUSTER main ADD COLUMN IF NOT EXISTS x String CODEC(ZSTD(1))',
      'ALTER TABLE ohma.click ON CLUSTER main ADD COLUMN IF NOT EXISTS x String',
      'ALTER TABLE click_inlet_fill ON CLUSTER main MODIFY QUERY SELECT * FROM click_inlet_local',
    ])
    expect(() => clusterStatements(['DROP TABLE click'], { cluster: 'main', database: 'ohma' })).toThrow(/No cluster form/)
  })
})
