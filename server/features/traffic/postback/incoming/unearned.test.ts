import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { handOver, makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks, type MadeClick } from '#test/support/make/money.ts'
import { openClickFinder } from '../../click/click.queries.ts'
import { receivePostback } from './receive.service.ts'

/* What nobody earned is refused by name and kept; what only looks odd is booked as it was meant. */
const NOW = Date.parse('2026-11-21T10:00:00Z')
let database: TestDatabase
let events: TestClickhouse
let keys: ClickIdKeys
let affiliateId: number
let click: MadeClick
let token: string

beforeAll(async () => {
  ;[database, events] = await Promise.all([cloneDatabase(), createClickhouseDatabase()])
  keys = await makeClickKeys(database.db)
  affiliateId = await makeAffiliateId(database.db)
})
afterAll(async () => {
  await database.drop()
  await events.drop()
})
const clickOf = async (terms: Parameters<typeof makeOffer>[1] = {}) => {
  const offer = await makeOffer(database.db, terms)
  token = offer.token
  click = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - 3_600_000 })
  await storeClicks(events.clickhouse, [click])
}
beforeEach(() => clickOf())

function send(said: Record<string, unknown>) {
  const body = JSON.stringify({ click_id: click.id, ...said })
  return receivePostback(
    { db: database.db, findClick: openClickFinder(events.clickhouse), clock: { now: () => NOW } },
    handOver({ token }, { method: 'POST', body, content_type: 'application/json' }),
  )
}
const booked = () => database.db.selectFrom('conversion').select(['status', 'amount']).where('click_id', '=', click.id).execute()
const lastRow = () => database.db.selectFrom('postback_in').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

test.each([{ is_ftd: false }, { hasFTD: 0 }, { ftd_date: '' }])('a call that says there was no deposit books none: %j', async (said) => {
  expect(await send(said)).toMatchObject({ httpStatus: 422, body: { reason: 'status_unknown' } })
  expect(await lastRow()).toMatchObject({ click_id: click.id, reason: 'status_unknown' })
  expect(await booked()).toEqual([])
})

test('the noise of binary fractions is no reason to refuse an amount', async () => {
  expect(await send({ amount: 59.900000000000006 })).toMatchObject({ httpStatus: 200, body: { outcome: 'created' } })
  expect((await booked()).map(({ amount }) => Number(amount))).toEqual([59.9])
})

test('a decline of less than was booked may be a refund of a part: refused, and the sale is kept', async () => {
  await send({ amount: 100, status: 'approved' })
  for (const amount of [40, '99.99'])
    expect(await send({ amount, status: 'declined' })).toMatchObject({
      httpStatus: 422,
      body: { reason: 'amount_ambiguous', parameter: 'amount', text: expect.stringContaining(`${amount} is less than the 100`) },
    })
  expect(await booked()).toEqual([{ status: 'approved', amount: '100.0000' }])
  for (const amount of [0, 100, 120, '']) {
    expect(await send({ amount, status: 'declined' })).toMatchObject({ httpStatus: 200 })
    expect(await booked()).toEqual([{ status: 'declined', amount: '100.0000' }])
    await send({ amount: 100, status: 'approved' })
  }
})

test('another amount of a goal with a price of its own is noted, and said to change no money', async () => {
  await clickOf({ payout: '40', revenue: '80' })
  const told = async (amount: string) => {
    const { body } = await send({ status: 'approved', amount })
    const { payout, revenue } = await database.db
      .selectFrom('conversion')
      .select(['payout', 'revenue'])
      .where('click_id', '=', click.id)
      .executeTakeFirstOrThrow()
    return [body['outcome'], body['reason'], Number(payout), Number(revenue)]
  }
  expect(await told('80')).toEqual(['created', undefined, 40, 80])
  expect(await told('0')).toEqual(['amount_changed', 'amount_noted', 40, 80])
  expect(await lastRow()).toMatchObject({ outcome: 'amount_changed', reason: 'amount_noted' })
  await clickOf({ payout: '0', payoutPercent: '50', revenue: '0', revenuePercent: '100' })
  expect(await told('80')).toEqual(['created', undefined, 40, 80])
  expect(await told('30')).toEqual(['amount_changed', undefined, 15, 30])
})
