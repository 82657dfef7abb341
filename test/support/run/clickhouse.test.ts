import { expect, test } from 'vitest'
import { createClickhouseDatabase } from './clickhouse.ts'

test('each file gets a migrated events database of its own', async () => {
  const one = await createClickhouseDatabase()
  try {
    const answer = await one.clickhouse.query({ query: 'select currentDatabase() as name', format: 'JSONEachRow' })
    expect(await answer.json()).toEqual([{ name: one.database }])
  } finally {
    await one.drop()
  }
})
