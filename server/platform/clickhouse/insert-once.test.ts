import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLICK_COLUMNS } from '#server/rules/click/click-row.ts'
import { clickRow } from '#test/support/make/click-rows.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { startRole } from '#test/support/run/role-process.ts'
import { openClickhouse, type Clickhouse } from './client.ts'
import { insertRowsOnce, insertTextOnce, LARGEST_BLOCK } from './insert-once.ts'
import { migrateClickhouse } from './migrate.ts'

// once in `npm test`, again and again in `npm run torture`
const ROUNDS = process.env['TORTURE'] ? 6 : 1

let db: Clickhouse
let own: TestClickhouse

beforeEach(async () => {
  own = await createClickhouseDatabase()
  db = own.clickhouse
})
afterEach(() => own.drop())

const BLOCK = 2_000
/** A block of clicks: every 10th refused, every 10th a bot, every 10th a test. */
const block = (number: number) =>
  Buffer.from(
    Array.from({ length: BLOCK }, (_, index) =>
      clickRow({
        ts: (1772359200 + number * 60 + index / 1000).toFixed(3),
        rnd: index,
        affiliate: (index % 7) + 1,
        offer: (index % 5) + 1,
        landing: index % 3,
        visitor: index % 100,
        geo: index % 4 === 0 ? '' : 'DE',
        reason: index % 10 === 1 ? 'targeting_geo' : '',
        flags: index % 10 === 2 ? 1 : index % 10 === 3 ? 8 : 0,
      }),
    ).join(''),
  )
const send = (number: number) =>
  insertTextOnce(db, { table: 'click_inlet', columns: CLICK_COLUMNS, rows: block(number), token: `t1-${number}` })

/** Rows and figures of the raw table and of each roll-up. */
const figures = async () => {
  const one = async (query: string) => (await (await db.query({ query, format: 'JSONEachRow' })).json<Record<string, string>>())[0]
  const sums = 'sum(clicks) AS clicks, sum(refused) AS refused, sum(filtered) AS filtered'
  return {
    click: await one(
      "SELECT countIf(bitAnd(flags, 15) = 0 AND reason = '') AS clicks, countIf(bitAnd(flags, 15) = 0 AND reason != '') AS refused, countIf(flags = 1) AS filtered, countIf(flags = 8) AS test FROM click",
    ),
    offer: await one(`SELECT ${sums}, uniqCombinedMerge(14)(visitors) AS visitors FROM click_by_offer`),
    affiliate: await one(`SELECT ${sums}, uniqCombinedMerge(14)(visitors) AS visitors FROM click_by_affiliate`),
    geo: await one(`SELECT ${sums} FROM click_by_geo`),
  }
}
const expected = (blocks: number) => {
  const part = (share: number) => String(Math.round(blocks * BLOCK * share))
  const sums = { clicks: part(0.7), refused: part(0.1), filtered: part(0.1) }
  return { click: { ...sums, test: part(0.1) }, offer: { ...sums, visitors: '70' }, affiliate: { ...sums, visitors: '70' }, geo: sums }
}

describe('an insert with a token', () => {
  it('sent five times counts once, in the raw table and in every roll-up', async () => {
    for (let copy = 0; copy < 5; copy++) await send(1)
    expect(await figures()).toEqual(expected(1))
    await Promise.all([send(2), send(2), send(1)])
    expect(await figures()).toEqual(expected(2))
  })

  it('of the largest size is one block, and counts once as well', async () => {
    const line = clickRow({ aff_click_id: 'x'.repeat(300) })
    const rows = Buffer.from(line.repeat(LARGEST_BLOCK.rows))
    for (let copy = 0; copy < 2; copy++) await insertTextOnce(db, { table: 'click_inlet', columns: CLICK_COLUMNS, rows, token: 'large' })
    const parts = await db.query({
      query: `SELECT count() AS parts, sum(rows) AS rows FROM system.parts WHERE database = '${own.database}' AND table = 'click' AND active`,
      format: 'JSONEachRow',
    })
    expect(await parts.json()).toEqual([{ parts: '1', rows: String(LARGEST_BLOCK.rows) }])
  })

  it('stores an unknown country as ZZ and reads the click back as it was written', async () => {
    await insertTextOnce(db, {
      table: 'click_inlet',
      columns: CLICK_COLUMNS,
      rows: Buffer.from(clickRow({ geo: '', sub1: 'a\\tb\\\\c\\nd', ip: '2001:db8::1', rnd: 4294967295 })),
      token: 'one',
    })
    const [row] = await (await db.query({ query: 'SELECT * FROM click', format: 'JSONEachRow' })).json()
    expect(row).toMatchObject({
      ts: '2026-03-01 10:00:00.123',
      geo: 'ZZ',
      sub1: 'a\tb\\c\nd',
      ip: '2001:db8::1',
      rnd: 4294967295,
      visitor: '1',
      reason: '',
      flags: 0,
    })
  })

  it('adds and takes away facts of conversions exactly once', async () => {
    const columns = ['conversion', 'sign', 'ts', 'status', 'currency', 'payout', 'revenue']
    const fact = (sign: 1 | -1, status: string) => ({
      conversion: '9007199254740993',
      sign,
      ts: '2026-03-01T10:00:00.123Z',
      status,
      currency: 'EUR',
      payout: '12345678901.1234',
      revenue: '0.0001',
    })
    for (let copy = 0; copy < 3; copy++) {
      await insertRowsOnce(db, { table: 'conversion_fact', columns, rows: [fact(1, 'pending')], token: 'outbox-1' })
      await insertRowsOnce(db, { table: 'conversion_fact', columns, rows: [fact(-1, 'pending'), fact(1, 'approved')], token: 'outbox-2' })
    }
    const result = await db.query({
      query:
        'SELECT conversion, status, sum(sign) AS n, sum(sign * payout) AS payout FROM conversion_fact GROUP BY conversion, status ORDER BY status',
      format: 'JSONEachRow',
    })
    expect(await result.json()).toEqual([
      { conversion: '9007199254740993', status: 'approved', n: '1', payout: '12345678901.12340000' },
      { conversion: '9007199254740993', status: 'pending', n: '0', payout: '0.00000000' },
    ])
  })
})

describe('an engine that is killed', () => {
  it('keeps what was acknowledged; what was not is completed by sending it again', { timeout: 120_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'ohma-once-'))
    const start = async () => {
      const events = await startRole('events', { DATA_DIR: dataDir })
      await migrateClickhouse(events.url, 'ohma')
      db = openClickhouse(events.url)
      return events
    }
    let events = await start()
    let next = 1
    for (let round = 0; round < ROUNDS; round++) {
      // Killed in the middle of a series of inserts; the one in flight is the ambiguous one.
      const killAfter = next + 4 + round * 2
      const inserting = (async () => {
        for (;;) {
          await send(next)
          if (next === killAfter) void events.kill()
          next += 1
        }
      })()
      await expect(inserting).rejects.toThrow()
      await db.close()
      events = await start()
      await send(next)
      next += 1
      expect(await figures()).toEqual(expected(next - 1))
    }
    await db.close()
    await events.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
})
