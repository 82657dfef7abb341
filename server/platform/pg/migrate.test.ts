import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '#test/support/run/database.ts'
import { isMigrated, listMigrations, migrate } from './migrate.ts'

test('a database is of this version that has seen each migration as it is here, and no other; one of a newer version is refused', async () => {
  const { url, db, drop } = await cloneDatabase()
  try {
    const last = (await listMigrations()).at(-1)?.name ?? ''
    const seen = (checksum: string) => sql`update migration set checksum = ${checksum} where name = ${last}`.execute(db)
    const { rows } = await sql<{ checksum: string }>`select checksum from migration where name = ${last}`.execute(db)
    expect(await isMigrated(url)).toBe(true)
    expect(await migrate(url)).toEqual([])

    await seen('another')
    expect(await isMigrated(url)).toBe(false)
    await expect(migrate(url)).rejects.toThrow(`${last} was changed after it was applied`)
    await seen(rows[0]?.checksum ?? '')

    await sql`insert into migration (name, checksum) values ('9999_future.sql', 'x')`.execute(db)
    expect(await isMigrated(url)).toBe(false)
    await expect(migrate(url)).rejects.toThrow(/newer version of Ohma/)

    await sql`delete from migration where name in ('9999_future.sql', ${last})`.execute(db)
    expect(await isMigrated(url)).toBe(false)
  } finally {
    await drop()
  }
})

test('a migration that fails is named, what came before it stays, and what comes after it is not tried', async () => {
  const { url, db, drop } = await cloneDatabase()
  try {
    const [before = '', broken = '', after = ''] = (await listMigrations()).slice(-3).map(({ name }) => name)
    await sql`delete from migration where name in (${broken}, ${after})`.execute(db)
    await expect(migrate(url)).rejects.toThrow(new RegExp(`^Migration ${broken} failed: .*already exists`))
    const { rows } = await sql<{ name: string }>`select name from migration order by name desc limit 1`.execute(db)
    expect(rows).toEqual([{ name: before }])
    expect(await migrate(url, before)).toEqual([])
  } finally {
    await drop()
  }
})
