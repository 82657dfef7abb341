import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { rowTypes } from '#test/support/row-types.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

// Red after a migration: `npm run tables:generate` writes the file anew.
test('the row types are those of the migrated database', async () => {
  await expect(await rowTypes(database.db)).toMatchFileSnapshot('./tables.ts')
})
