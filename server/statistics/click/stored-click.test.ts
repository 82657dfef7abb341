import { afterAll, beforeAll, expect, test } from 'vitest'
import { dimensionOf, FILTER_IDS } from '#contract/traffic/dimension.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { columnOf } from '../expression.ts'

let own: TestClickhouse

beforeAll(async () => {
  own = await createClickhouseDatabase()
})
afterAll(() => own.drop())

test.each([
  ['click', 'click'],
  ['conversion_fact', 'conversion'],
] as const)('%s has the column of every dimension that a %s has', async (table, side) => {
  const result = await own.clickhouse.query({
    query: `SELECT name FROM system.columns WHERE database = '${own.database}' AND table = '${table}'`,
    format: 'JSONEachRow',
  })
  const names = (await result.json<{ name: string }>()).map(({ name }) => name)
  const read = FILTER_IDS.filter((id) => (dimensionOf(id).side ?? side) === side).map(columnOf)
  expect(names).toEqual(expect.arrayContaining(read))
})
