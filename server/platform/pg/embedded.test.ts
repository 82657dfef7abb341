import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '#test/support/run/database.ts'

test('a connection proves that it knows the password without hashing it thousands of times', async () => {
  const { db, drop } = await cloneDatabase()
  try {
    const kept = sql<{ way: string }>`select substring(rolpassword from '^[^:]+') as way from pg_authid where rolname = current_user`
    expect((await kept.execute(db)).rows).toEqual([{ way: 'SCRAM-SHA-256$1' }])
  } finally {
    await drop()
  }
})
