import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { log } from '#server/platform/log.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { askClickhouse } from './ask.ts'

let database: TestClickhouse
beforeAll(async () => {
  database = await createClickhouseDatabase()
})
afterAll(() => database.drop())

test('a question that would read too much is refused as too heavy', async () => {
  const asked = askClickhouse(database.clickhouse, 'SELECT sum(number) FROM numbers(3000000000)', {})
  await expect(asked).rejects.toMatchObject({ code: 'report_too_heavy' })
})

test('a statement the engine refuses is told as statistics away, with the engine’s words kept for the log', async () => {
  const asked = askClickhouse(database.clickhouse, 'SELECT nothing FROM nowhere', {})
  await expect(asked).rejects.toMatchObject({ code: 'statistics_away', retryAfter: 5, cause: { type: 'UNKNOWN_TABLE' } })
})

test('a caller that leaves ends its question, and the log calls it no error', async () => {
  const logged = vi.spyOn(log, 'error')
  const gone = new AbortController()
  const asked = askClickhouse(database.clickhouse, 'SELECT sum(sleepEachRow(1)) FROM numbers(15)', {}, { signal: gone.signal })
  gone.abort()
  await expect(asked).rejects.toMatchObject({ code: 'statistics_away' })
  expect(logged).not.toHaveBeenCalled()
  logged.mockRestore()
  const { data } = await askClickhouse(
    database.clickhouse,
    `SELECT count() FROM system.processes WHERE query LIKE '%sleepEachRow(1)%' AND query NOT LIKE '%system.processes%'`,
    {},
  )
  expect(Number(data[0]?.[0])).toBe(0)
})

test('rows that none are left of arrive as none, with the totals read where there are some', async () => {
  const query = 'SELECT number AS k, count() AS c FROM numbers({n:UInt32}) GROUP BY k WITH TOTALS ORDER BY k LIMIT 2'
  expect(await askClickhouse(database.clickhouse, query, { n: 0 }, { wholeCount: true })).toMatchObject({
    data: [],
    rows_before_limit_at_least: 0,
  })
  expect(await askClickhouse(database.clickhouse, query, { n: 3 }, { wholeCount: true })).toMatchObject({
    data: [
      ['0', '1'],
      ['1', '1'],
    ],
    totals: ['0', '3'],
    rows_before_limit_at_least: 3,
  })
})
