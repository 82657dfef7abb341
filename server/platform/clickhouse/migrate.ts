import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openClickhouse } from './client.ts'

const FOLDER = join(import.meta.dirname, '../../migrations/clickhouse')

export type Migration = { name: string; checksum: string; statements: string[] }

/** The migrations of this version, in order: `0001_name.sql`, each taken apart into its statements. */
export async function listClickhouseMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(FOLDER, name), 'utf8')
      return { name, checksum: createHash('sha256').update(sql).digest('hex'), statements: statementsOf(sql) }
    }),
  )
}

/** Which migrations of this version the statistics have not seen; all of them where there are no statistics yet. */
export async function missingClickhouseMigrations(url: string, database: string): Promise<string[]> {
  const server = openClickhouse(url, { database: 'default' })
  try {
    const there = await server.query({
      query: `SELECT count() > 0 AS there FROM system.tables WHERE database = {database:String} AND name = 'migration'`,
      query_params: { database },
      format: 'JSONEachRow',
    })
    const all = (await listClickhouseMigrations()).map(({ name }) => name)
    if (!(await there.json<{ there: number | boolean }>())[0]?.there) return all
    const found = await server.query({
      query: 'SELECT name FROM {database:Identifier}.migration',
      query_params: { database },
      format: 'JSONEachRow',
    })
    const applied = new Set((await found.json<{ name: string }>()).map(({ name }) => name))
    return all.filter((name) => !applied.has(name))
  } finally {
    await server.close()
  }
}

/** Whether the statistics are of this very version: they have seen each migration as it is here, and no other. Throws where they cannot say. */
export async function isClickhouseMigrated(url: string, database: string): Promise<boolean> {
  const client = openClickhouse(url, { database })
  try {
    // a migration that was cut off and ran again may be noted twice
    const found = await client.query({ query: 'SELECT name, checksum FROM migration', format: 'JSONEachRow' })
    const applied = new Map((await found.json<{ name: string; checksum: string }>()).map(({ name, checksum }) => [name, checksum]))
    const migrations = await listClickhouseMigrations()
    return applied.size === migrations.length && migrations.every(({ name, checksum }) => applied.get(name) === checksum)
  } finally {
    await client.close()
  }
}

/**
 * Creates the database where it is missing and brings it to this version; returns the names it applied. ClickHouse has
 * no transactions for DDL: every statement says IF NOT EXISTS, so a migration that was cut off is simply run again.
 * Refuses a database that a newer version has written, or whose history differs.
 */
export async function migrateClickhouse(url: string, database: string): Promise<string[]> {
  if (!/^[a-z_][a-z0-9_]*$/.test(database)) throw new Error(`"${database}" cannot name a ClickHouse database`)
  const server = openClickhouse(url, { database: 'default' })
  const client = openClickhouse(url, { database })
  try {
    await server.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` })
    await client.command({ query: MIGRATION_TABLE })
    const applied = new Map(
      (
        await (
          await client.query({ query: 'SELECT name, checksum FROM migration', format: 'JSONEachRow' })
        ).json<{ name: string; checksum: string }>()
      ).map((row) => [row.name, row.checksum]),
    )
    const migrations = await listClickhouseMigrations()
    const newer = [...applied.keys()].find((name) => !migrations.some((migration) => migration.name === name))
    if (newer !== undefined)
      throw new Error(
        `The statistics were written by a newer version of Ohma (they hold ${newer}). Start that version, or restore a backup of this one.`,
      )
    const done: string[] = []
    for (const { name, checksum, statements } of migrations) {
      const before = applied.get(name)
      if (before === checksum) continue
      if (before !== undefined) throw new Error(`Migration ${name} was changed after it was applied.`)
      for (const query of statements) await client.command({ query })
      await client.insert({ table: 'migration', values: [{ name, checksum }], columns: ['name', 'checksum'], format: 'JSONEachRow' })
      done.push(name)
    }
    return done
  } finally {
    await Promise.all([server.close(), client.close()])
  }
}

const MIGRATION_TABLE = `CREATE TABLE IF NOT EXISTS migration (name String, checksum String, applied_at DateTime('UTC') DEFAULT now())
ENGINE = ReplacingMergeTree ORDER BY name SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`

/** Statements end with a semicolon at the end of a line; comment lines between them are dropped. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean)
}
