import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { cloneDatabase } from './database.ts'

test('each clone is migrated and a database of its own', async () => {
  const [one, two] = await Promise.all([cloneDatabase(), cloneDatabase()])
  try {
    await sql`create table only_here (id int)`.execute(one.db)
    const tables = async (clone: typeof one) =>
      (
        await sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
          clone.db,
        )
      ).rows.map((row) => row.name)
    expect(await tables(one)).toContain('only_here')
    expect(await tables(two)).not.toContain('only_here')
    expect(await tables(two)).toContain('migration')
  } finally {
    await Promise.all([one.drop(), two.drop()])
  }
})
