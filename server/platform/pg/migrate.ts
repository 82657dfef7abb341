import { readdir, readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'

const FOLDER = join(import.meta.dirname, '../../migrations/pg')

type Migration = { name: string; sql: string; checksum: string }

/** The migrations of this version, in order: `0001_name.sql`. */
export async function listMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(FOLDER, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Which migrations of this version a database has not seen; null where it has seen none, or there is no such database. */
export async function missingMigrations(connectionString: string): Promise<string[] | null> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    const { rows } = await client.query<{ there: boolean }>(`select to_regclass('migration') is not null as there`)
    if (rows[0]?.there !== true) return null
    const applied = new Set((await client.query<{ name: string }>('select name from migration')).rows.map(({ name }) => name))
    if (applied.size === 0) return null
    return (await listMigrations()).map(({ name }) => name).filter((name) => !applied.has(name))
  } catch (error) {
    // 3D000: the server has no database of this name yet
    if ((error as { code?: string }).code === '3D000') return null // pg puts PostgreSQL's code on its errors
    throw error
  } finally {
    await client.end()
  }
}

/** Whether a database is of this very version: it has seen each migration as it is here, and no other. Throws where it cannot say. */
export async function isMigrated(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration')
    const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
    const migrations = await listMigrations()
    return applied.size === migrations.length && migrations.every(({ name, checksum }) => applied.get(name) === checksum)
  } finally {
    await client.end()
  }
}

/**
 * Brings a database to this version: each missing migration in a transaction of its own, under one advisory lock so
 * that two starters do not race. Refuses a database that a newer version has written, or whose history differs.
 * A restore stops after the migration `upTo`, which the rows of its backup have seen last.
 */
export async function migrate(connectionString: string, upTo?: string): Promise<string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(724811)')
    await client.query(
      'create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const applied = new Map(
      (await client.query<{ name: string; checksum: string }>('select name, checksum from migration')).rows.map((row) => [
        row.name,
        row.checksum,
      ]),
    )
    const migrations = await listMigrations()
    const known = new Set(migrations.map((migration) => migration.name))
    for (const name of applied.keys()) {
      if (!known.has(name))
        throw new Error(
          `The database was written by a newer version of Ohma (it holds ${name}). Start that version, or restore a backup of this one.`,
        )
    }
    const done: string[] = []
    for (const migration of migrations) {
      const { name, checksum } = migration
      if (upTo !== undefined && name > upTo) break
      const before = applied.get(name)
      if (before === checksum) continue
      if (before !== undefined) throw new Error(`Migration ${name} was changed after it was applied.`)
      await apply(client, migration)
      done.push(name)
    }
    return done
  } finally {
    await client.end()
  }
}

/** In one text, and so in one way there and back; what was cut off or fails in it is not there. */
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const note = `insert into migration (name, checksum) values (${client.escapeLiteral(name)}, ${client.escapeLiteral(checksum)})`
  try {
    await client.query(`begin;\n${sql}\n;${note};commit`)
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error }) // pg throws Error
  }
}
