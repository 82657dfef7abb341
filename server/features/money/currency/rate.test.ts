import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rateFeedApi, rateTableApi } from '#contract/money/currency-rate.ts'
import { currencyRateApi } from '#contract/money/currency.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { fetchDue } from './feed.service.ts'

let api: TestApi
let admin: Caller
let bank: Server
let answer: { status: number; body: string }
let asked = 0

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T22:30:00Z' })
  admin = await api.as('admin')
  bank = createServer((_request, response) => {
    asked++
    response.statusCode = answer.status
    response.end(answer.body)
  })
  await new Promise<void>((listening) => bank.listen(0, '127.0.0.1', listening))
})
beforeEach(async () => {
  await api.db.deleteFrom('currency_rate').execute()
})
afterAll(async () => {
  bank.close()
  await api.close()
})

const set = (day: string, rates: Record<string, string>) =>
  admin.call(currencyRateApi.set, { body: { day, rates: Object.entries(rates).map(([currency, rate]) => ({ currency, rate })) } })
const stored = async () =>
  Object.fromEntries(
    (await api.db.selectFrom('currency_rate').selectAll().orderBy('currency').orderBy('day').execute()).map((row) => [
      `${row.currency} ${row.day}`,
      [row.rate, row.source],
    ]),
  )

test('a month is told day by day with what holds, and the days without a rate are named', async () => {
  await set('2026-10-30', { EUR: '1.08' })
  await set('2026-11-09', { EUR: '1.1', PLN: '0.25' })
  await set('2026-11-20', { EUR: '1.2' })
  const { data } = await admin.call(rateTableApi.month, { body: {} })
  expect(data).toMatchObject({ base: 'USD', month: '2026-11', today: '2026-11-21', currencies: ['EUR', 'PLN'] })
  expect(data.list.map(({ day }) => day)).toEqual(Array.from({ length: 21 }, (_none, at) => `2026-11-${String(21 - at).padStart(2, '0')}`))
  const on = (day: string) => data.list.find((row) => row.day === day)?.cells
  expect(on('2026-11-05')).toEqual([
    { rate: null, source: null, in_force: '1.08000000' },
    { rate: null, source: null, in_force: null },
  ])
  expect(on('2026-11-09')?.[0]).toEqual({ rate: '1.10000000', source: 'hand', in_force: '1.10000000' })
  expect(data.gaps).toEqual([
    { currency: 'EUR', from: '2026-11-06', to: '2026-11-08' },
    { currency: 'EUR', from: '2026-11-16', to: '2026-11-19' },
    { currency: 'PLN', from: '2026-11-01', to: '2026-11-08' },
    { currency: 'PLN', from: '2026-11-16', to: '2026-11-21' },
  ])
  // what is no longer in force is not offered as if it were
  const today = (await admin.call(currencyRateApi.list, { body: { day: '2026-11-21' } })).data.list
  expect(today.filter(({ currency }) => ['EUR', 'PLN', 'JPY'].includes(currency))).toEqual([
    { currency: 'EUR', rate: '1.20000000', day: '2026-11-20' },
    { currency: 'JPY', rate: null, day: null },
    { currency: 'PLN', rate: null, day: '2026-11-09' },
  ])
})

test('the history of a currency tells how long each rate held, and one of a wrong day is removed', async () => {
  await set('2026-11-01', { EUR: '1.08' })
  await set('2026-11-03', { EUR: '1.1' })
  await set('2026-11-12', { EUR: '1.2' })
  const history = async (page = 1) => (await admin.call(rateTableApi.history, { body: { currency: 'EUR', count: 2, page } })).data
  expect(await history()).toMatchObject({
    list: [
      { day: '2026-11-12', until: '2026-11-18', gap: { from: '2026-11-19', to: '2026-11-21' } },
      { day: '2026-11-03', until: '2026-11-09', gap: { from: '2026-11-10', to: '2026-11-11' } },
    ],
    summary: { rows: 3 },
  })
  expect((await history(2)).list).toMatchObject([{ day: '2026-11-01', until: '2026-11-02', gap: null, source: 'hand' }])
  const remove = () => admin.call(rateTableApi.remove, { body: { day: '2026-11-03', currency: 'EUR' } })
  expect([(await remove()).data.changed, (await remove()).data.changed]).toEqual([1, 0])
  expect(Object.keys(await stored())).toEqual(['EUR 2026-11-01', 'EUR 2026-11-12'])
})

test('a file is looked at, taken once, and refused line by line with the reason', async () => {
  await set('2026-11-02', { EUR: '1.08' })
  await set('2026-11-03', { EUR: '1.09' })
  const content = [
    '\uFEFFCurrency;Day;Rate',
    'EUR;2026-11-01;1,07',
    'eur;2026-11-02;1,08',
    'EUR;2026-11-03;1,1',
    '',
    'EUR;2026-11-01;1,5',
    'EUR;2026-11-31;1,1',
    'EUR;1999-12-31;1,1',
    'EUR;2026-11-22;1,1',
    'XXX;2026-11-01;1,1',
    'USD;2026-11-01;1',
    'PLN;2026-11-01;0',
    '=HYPERLINK("x");2026-11-01;1',
    // a number cut in two is none: 1.3 must not become 1
    'GBP;2026-11-01;1;3',
    'GBP;2026-11-01',
  ].join('\r\n')
  const told = {
    base: 'USD',
    lines: 13,
    added: 1,
    replaced: 1,
    same: 1,
    days: { from: '2026-11-01', to: '2026-11-03' },
    currencies: ['EUR'],
    refused: 10,
    mistakes: [
      'twice',
      'day_invalid',
      'day_old',
      'day_future',
      'currency_unknown',
      'currency_base',
      'rate_invalid',
      'currency_unknown',
      'cells',
      'cells',
    ].map((mistake, at) => ({ line: 6 + at, text: expect.any(String), mistake })),
  }
  const before = await stored()
  expect((await admin.call(rateTableApi.previewImport, { body: { content } })).data).toEqual(told)
  expect(await stored()).toEqual(before)
  // twice at once: one after the other
  const both = await Promise.all([1, 2].map(() => admin.call(rateTableApi.import, { body: { content } })))
  expect(both.map(({ data }) => data.added + data.replaced).toSorted()).toEqual([0, 2])
  expect(await stored()).toEqual({
    'EUR 2026-11-01': ['1.07000000', 'file'],
    'EUR 2026-11-02': ['1.08000000', 'hand'],
    'EUR 2026-11-03': ['1.10000000', 'file'],
  })
  for (const bad of ['EUR,2026-11-01,1', 'a,b\n1,2', 'day,currency\n2026-11-01,EUR'])
    expect((await admin.call(rateTableApi.import, { body: { content: bad } })).fields).toHaveProperty('content')
})

test('the daily address is asked once when it is due, spares what people set, and its failure waits for somebody', async () => {
  const { port } = bank.address() as AddressInfo // a TCP server has one
  const read = async () => (await admin.call(rateFeedApi.read)).data
  const save = async (more: object) => admin.call(rateFeedApi.update, { body: { ...(await read()), ...more } })
  expect((await save({ feed: 'url', url: 'http://127.0.0.1:1/' })).fields).toHaveProperty('url')
  expect((await save({ feed: 'url', url: '' })).fields).toHaveProperty('url')
  expect((await save({ feed: 'url', url: 'https://rates.example/today.csv' })).status).toBe(200)
  // a server of ours in place of theirs
  await api.db
    .updateTable('setting')
    .set({ value: JSON.stringify({ feed: 'url', url: `http://127.0.0.1:${port}/` }) })
    .where('key', '=', 'rate-feed')
    .execute()
  const parts = { db: api.db, policy: { allow: [`127.0.0.1:${port}`] } }
  const state = async () => (await admin.call(rateTableApi.feedState)).data
  const waiting = async () => (await admin.call(inboxApi.list, { body: { kind: 'rates' } })).data

  await set('2026-11-21', { GBP: '1.3' })
  answer = { status: 200, body: 'day,currency,rate\n2026-11-21,EUR,1.1\n2026-11-21,GBP,1.4\n2026-11-22,EUR,9\n2026-11-21,XXX,1\n' }
  const now = api.clock.now()
  asked = 0
  expect(await Promise.all([fetchDue(parts, now), fetchDue(parts, now)])).toEqual(expect.arrayContaining([true, false]))
  expect(asked).toBe(1)
  expect(await stored()).toEqual({ 'EUR 2026-11-21': ['1.10000000', 'feed'], 'GBP 2026-11-21': ['1.30000000', 'hand'] })
  expect(await state()).toMatchObject({ last: { problem: '', day: '2026-11-21', changed: 1 }, last_ok_at: new Date(now).toISOString() })
  expect((await state()).last?.without).toContain('JPY')
  expect((await waiting()).rows).toBe(0)
  expect(await fetchDue(parts, now + 60_000)).toBe(false)

  for (const [status, body, problem] of [
    [503, '', 'HTTP 503'],
    [200, '<html>', 'not_understood'],
    [200, 'day,currency,rate\n', 'nothing_there'],
  ] as const) {
    answer = { status, body }
    await api.db
      .updateTable('rate_feed')
      .set({ next_at: new Date(now) })
      .execute()
    expect(await fetchDue(parts, now)).toBe(true)
    expect(await waiting()).toMatchObject({ rows: 1, list: [{ reason: problem }] })
  }
  // later each time, and no later than usual
  expect((await state()).next_at).toBe(new Date(now + 60 * 60_000).toISOString())
  expect(await stored()).toHaveProperty('EUR 2026-11-21')
  // another address begins anew
  await save({ feed: 'none', url: '' })
  expect(await state()).toEqual({ last: null, last_ok_at: new Date(now).toISOString(), next_at: null })
  expect((await waiting()).rows).toBe(0)
})

test('rates are kept by admin and head alone', async () => {
  for (const role of ['manager', 'team lead', 'affiliate'] as const) {
    const by = await api.as(role)
    expect((await by.call(rateTableApi.month)).status).toBe(403)
    expect((await by.call(rateTableApi.import, { body: { content: 'day,currency,rate\n' } })).status).toBe(403)
    expect((await by.call(rateFeedApi.read)).status).toBe(403)
    expect((await by.call(rateTableApi.fetchNow)).status).toBe(403)
  }
})
