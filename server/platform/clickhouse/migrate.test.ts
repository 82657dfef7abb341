import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLICK_COLUMNS } from '#server/rules/click/click-row.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/clickhouse.ts'
import type { Clickhouse } from './client.ts'
import { clusterStatements } from './cluster.ts'
import { listClickhouseMigrations, migrateClickhouse } from './migrate.ts'

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
    // As if the process had ended between a migration and its record.
    await db.command({ query: `DELETE FROM ${database}.migration WHERE name = '${names[1]}'` })
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
    const changed = newDatabase()
    await migrateClickhouse(own.url, changed)
    const change = `ALTER TABLE ${changed}.migration UPDATE checksum = 'x' WHERE name = '0001_click.sql' SETTINGS mutations_sync = 1`
    await db.command({ query: change })
    await expect(migrateClickhouse(own.url, changed)).rejects.toThrow(/changed after it was applied/)
  })

  it.each(['click', 'click_inlet'])('give %s the columns the tracker writes, in their order', async (table) => {
    const result = await db.query({
      query: `SELECT name FROM system.columns WHERE database = '${own.database}' AND table = '${table}' ORDER BY position`,
      format: 'JSONEachRow',
    })
    expect((await result.json<{ name: string }>()).map(({ name }) => name)).toEqual([...CLICK_COLUMNS])
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
    expect(() => clusterStatements(['DROP TABLE click'], { cluster: 'main', database: 'ohma' })).toThrow(/No cluster form/)
  })
})
