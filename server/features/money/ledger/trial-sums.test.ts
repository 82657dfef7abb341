import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAmounts, toUnits } from '#contract/money/amount.ts'
import type { AccountKind } from '#contract/money/account.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { post } from './posting.service.ts'

let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiserId: number
let booked = 0

/** Debits one account and credits another. */
async function move(at: string, debit: [AccountKind, number], credit: [AccountKind, number], amount: string, currency: string) {
  const units = toUnits(amount)
  const bookedAt = new Date(at)
  booked += 1
  const entries = [
    { kind: debit[0], owner: debit[1], currency, amount: units },
    { kind: credit[0], owner: credit[1], currency, amount: -units },
  ]
  await api.db
    .transaction()
    .execute((trx) => post(trx, [{ key: `test:${booked}`, kind: 'correction', at: bookedAt, bookedAt, actorId: null, entries }]))
}

/** The network counts in USD by the clock of Kyiv. EUR: 1.10 on the last of September, 1.20 on 10 October, 1.25 on the 31st. */
beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  const { db } = api
  admin = await api.as('admin')
  affiliate = await api.as('affiliate')
  advertiserId = (await makeAdvertiser(db, { name: 'Kites' })).id
  await db
    .insertInto('setting')
    .values({ key: 'general', value: JSON.stringify({ time_zone: 'Europe/Kyiv', base_currency: 'USD' }) })
    .execute()
  const rate = (currency: string, day: string, worth: string) => ({ base: 'USD', currency, day, rate: worth, source: 'hand' as const })
  await db
    .insertInto('currency_rate')
    .values([rate('EUR', '2026-09-30', '1.1'), rate('EUR', '2026-10-10', '1.2'), rate('EUR', '2026-10-31', '1.25')])
    .execute()
  const mine = affiliate.affiliateId ?? 0
  // September: 100 EUR are owed to us
  await move('2026-09-15T10:00:00Z', ['receivable', advertiserId], ['network_revenue', advertiserId], '100', 'EUR')
  // the last hour of September there, the first of October here: it is of September by neither clock but Kyiv's
  await move('2026-09-30T20:30:00Z', ['payout_cost', mine], ['affiliate_available', mine], '10', 'USD')
  await move('2026-09-30T21:30:00Z', ['payout_cost', mine], ['affiliate_available', mine], '7', 'USD')
  // October: 50 EUR more on the 12th (1.20 of the 10th holds), and 30 EUR come in on the 13th
  await move('2026-10-12T10:00:00Z', ['receivable', advertiserId], ['network_revenue', advertiserId], '50', 'EUR')
  await move('2026-10-13T10:00:00Z', ['cash', 1], ['receivable', advertiserId], '30', 'EUR')
  await move('2026-10-13T11:00:00Z', ['pending_cost', mine], ['affiliate_pending', mine], '9', 'USD')
  // November, which is none of October's
  await move('2026-11-02T10:00:00Z', ['cash', 1], ['receivable', advertiserId], '20', 'EUR')
})
afterAll(() => api.close())

const sums = async (month: string | null) => (await admin.call(ledgerApi.trialSums, { body: { month } })).data

test('a month in its own currencies and in the base currency, to the figures of a hand', async () => {
  const { list, ...rest } = await sums('2026-10')
  expect(rest).toEqual({ month: '2026-10', base: 'USD', opening_day: '2026-09-30', closing_day: '2026-10-31', missing: [] })
  const of = (kind: AccountKind, currency: string) => list.find((one) => one.kind === kind && one.currency === currency)
  expect(of('receivable', 'EUR')).toEqual({
    kind: 'receivable',
    currency: 'EUR',
    opening: '100.0000',
    debits: '50.0000',
    credits: '30.0000',
    closing: '120.0000',
    // 100 × 1.10; 50 and 30 × 1.20; 120 × 1.25; 150 − 110 − 60 + 36
    base: { opening: '110.0000', debits: '60.0000', credits: '36.0000', closing: '150.0000', difference: '16.0000' },
  })
  expect(of('cash', 'EUR')?.base).toEqual({
    opening: '0.0000',
    debits: '36.0000',
    credits: '0.0000',
    closing: '37.5000',
    difference: '1.5000',
  })
  expect(of('network_revenue', 'EUR')?.base).toMatchObject({
    opening: '-110.0000',
    credits: '60.0000',
    closing: '-187.5000',
    difference: '-17.5000',
  })
  // what is in the base currency has no difference, and Kyiv's midnight parts the months
  expect(of('affiliate_available', 'USD')).toMatchObject({
    opening: '-10.0000',
    credits: '7.0000',
    closing: '-17.0000',
    base: { opening: '-10.0000', credits: '7.0000', closing: '-17.0000', difference: '0.0000' },
  })
  expect(of('affiliate_pending', 'USD')).toMatchObject({ closing: '-9.0000' })
  // it balances: each column, in each currency and in the base
  for (const column of ['opening', 'closing'] as const) {
    expect(addAmounts(...list.map((one) => one.base?.[column] ?? 'none'))).toBe('0.0000')
    expect(addAmounts(...list.filter(({ currency }) => currency === 'EUR').map((one) => one[column]))).toBe('0.0000')
  }
  expect(addAmounts(...list.map((one) => one.base?.difference ?? 'none'))).toBe('0.0000')
})

test('a rate that is missing is named, and nothing is guessed', async () => {
  // nothing between 15 September, which has no rate at all, and the 30th
  const { list, missing, opening_day, closing_day } = await sums('2026-09')
  expect([opening_day, closing_day]).toEqual(['2026-08-31', '2026-09-30'])
  expect(missing).toEqual([{ currency: 'EUR', day: '2026-09-15' }])
  const eur = list.filter(({ currency }) => currency === 'EUR')
  expect(eur.map(({ kind, closing, base }) => [kind, closing, base])).toEqual([
    ['receivable', '100.0000', null],
    ['network_revenue', '-100.0000', null],
  ])
  expect(list.filter(({ currency }) => currency === 'USD').every(({ base }) => base !== null)).toBe(true)
  // the month that lasts closes today, where the last rate is three weeks old
  const now = await sums(null)
  expect(now).toMatchObject({ month: '2026-11', closing_day: '2026-11-21', missing: [{ currency: 'EUR', day: '2026-11-21' }] })
})

test('an affiliate is told nothing of it', async () => {
  expect((await affiliate.call(ledgerApi.trialSums, { body: { month: null } })).status).toBe(403)
})
