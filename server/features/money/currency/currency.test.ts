import { afterAll, beforeAll, expect, test } from 'vitest'
import { currencyApi, currencyRateApi } from '#contract/money/currency.ts'
import { constantApi } from '#contract/network/constant.ts'
import { settingApi } from '#contract/network/setting.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeOffer } from '#test/support/make/money.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())

const listed = async (code: string) => (await admin.call(currencyApi.list)).data.list.find((one) => one.code === code)

test('ISO 4217 is there with its true decimals', async () => {
  const decimals = Object.fromEntries((await admin.call(currencyApi.list)).data.list.map((one) => [one.code, one.decimals]))
  expect(decimals).toMatchObject({ USD: 2, JPY: 0, KWD: 3, BHD: 3, CLF: 4, ISK: 0, TND: 3, VND: 0, UGX: 0, XOF: 0 })
  expect(Object.keys(decimals).length).toBeGreaterThan(160)
})

test('a currency of the network’s own can be chosen, rated and is shown with its decimals', async () => {
  const own = { code: 'USDT', name: 'Tether', sign: '₮', decimals: 2 }
  expect((await admin.call(currencyApi.create, { body: own })).data).toMatchObject({ ...own, kind: 'own', active: true })
  const { data } = await admin.call(constantApi.all)
  expect(data.currency['USDT']).toBe('USDT – Tether')
  expect(data.currency_format['USDT']).toEqual({ decimals: 2, sign: '₮' })
  const rates = { day: '2026-11-21', rates: [{ currency: 'USDT', rate: '0.9998' }] }
  expect((await admin.call(currencyRateApi.set, { body: rates })).data).toEqual({ changed: 1 })
  const twice = await admin.call(currencyApi.create, { body: own })
  expect([twice.status, Object.keys(twice.fields)]).toEqual([422, ['code']])
})

test('an own currency is renamed, but not when somebody else did so since, and keeps its decimals once money is counted in it', async () => {
  const own = { code: 'COINS', name: 'Coins', sign: '', decimals: 0 }
  const { version } = (await admin.call(currencyApi.create, { body: own })).data
  const change = (more: Partial<typeof own> & { version?: number }) =>
    admin.call(currencyApi.update, { body: { ...own, version, ...more } })
  const gold = { name: 'Gold coins', sign: 'GC', decimals: 3 }
  const renamed = (await change(gold)).data
  expect(renamed).toMatchObject({ name: 'Gold coins', sign: 'GC', decimals: 3, active: true })
  expect(await listed('COINS')).toEqual(renamed)
  expect((await change({ name: 'Silver coins' })).status).toBe(409)

  await makeOffer(api.db, { currency: 'COINS' })
  await api.db.updateTable('offer').set({ status: 'archived' }).where('currency', '=', 'COINS').execute()
  const finer = await change({ ...gold, decimals: 6, version: renamed.version })
  expect([finer.status, Object.keys(finer.fields)]).toEqual([422, ['decimals']])
  expect((await change({ ...gold, sign: '', version: renamed.version })).data).toMatchObject({ sign: '', decimals: 3 })
  expect((await change({ code: 'USD', version: 1 })).status).toBe(404)
})

test.each([
  ['usdt', 'code'],
  ['US', 'code'],
  ['TOOLONGCODE', 'code'],
])('the code %s is refused at its field', async (code, field) => {
  const answer = await admin.call(currencyApi.create, { body: { code, name: 'Points', sign: '', decimals: 0 } })
  expect([answer.status, Object.keys(answer.fields)]).toEqual([400, [field]])
})

test('more than eight decimals are refused by name', async () => {
  const answer = await admin.call(currencyApi.create, { body: { code: 'FINE', name: 'Fine', sign: '', decimals: 9 } })
  expect(answer.fields).toEqual({ decimals: 'A whole number from 0 to 8' })
})

test('only an active currency can be chosen, and one in use cannot be switched off', async () => {
  const choose = async (base_currency: string) =>
    admin.call(settingApi.updateGeneral, { body: { ...(await admin.call(settingApi.general)).data, base_currency } })
  for (const code of ['XCG', 'NOSUCH']) {
    const answer = await choose(code)
    expect([answer.status, Object.keys(answer.fields)]).toEqual([422, ['base_currency']])
  }
  const unrated = await admin.call(currencyRateApi.set, { body: { day: '2026-11-21', rates: [{ currency: 'XCG', rate: '1' }] } })
  expect([unrated.status, Object.keys(unrated.fields)]).toEqual([422, ['rates.0.currency']])

  expect((await admin.call(currencyApi.setActive, { body: { code: 'XCG', active: true } })).data.active).toBe(true)
  // the rates there are could not be told in it
  const without = await choose('XCG')
  expect([without.status, Object.keys(without.fields)]).toEqual([422, ['base_currency']])
  await admin.call(currencyRateApi.set, { body: { day: '2026-11-21', rates: [{ currency: 'XCG', rate: '0.55' }] } })
  expect((await choose('XCG')).data.base_currency).toBe('XCG')
  expect((await admin.call(currencyApi.setActive, { body: { code: 'XCG', active: false } })).status).toBe(409)
  await choose('USD')
  expect((await admin.call(currencyApi.setActive, { body: { code: 'XCG', active: false } })).data.active).toBe(false)

  await makeOffer(api.db, { currency: 'UAH' })
  expect(await listed('UAH')).toMatchObject({ active: true, in_use: true })
  expect((await admin.call(currencyApi.setActive, { body: { code: 'UAH', active: false } })).status).toBe(409)
  expect((await admin.call(currencyApi.setActive, { body: { code: 'NOSUCH', active: false } })).status).toBe(404)
})

test('a rate is refused by name for a currency given twice, a day that is still to come and one before 2000', async () => {
  const set = async (day: string, ...currencies: string[]) => {
    const { status, fields } = await admin.call(currencyRateApi.set, {
      body: { day, rates: currencies.map((currency) => ({ currency, rate: '1.1' })) },
    })
    return { status, fields }
  }
  expect(await set('2026-11-21', 'EUR', 'UAH', 'EUR')).toEqual({
    status: 400,
    fields: { 'rates.2.currency': 'This currency stands here twice' },
  })
  for (const day of ['9999-12-31', '2026-11-22'])
    expect(await set(day, 'EUR')).toEqual({ status: 422, fields: { day: 'This day is still to come' } })
  expect(await set('1999-12-31', 'EUR')).toEqual({ status: 400, fields: { day: 'From 2000-01-01 on' } })
  expect((await set('2000-01-01', 'EUR')).status).toBe(200)
  // the network's day counts: in Kyiv it is the 22nd before it is so in London
  const general = (await admin.call(settingApi.general)).data
  api.clock.set('2026-11-21T23:00:00Z')
  await admin.call(settingApi.updateGeneral, { body: { ...general, time_zone: 'Europe/Kyiv' } })
  expect((await set('2026-11-22', 'EUR')).status).toBe(200)
  await admin.call(settingApi.updateGeneral, { body: { ...(await admin.call(settingApi.general)).data, time_zone: 'UTC' } })
})

test('a price per mille keeps all its decimals from the offer to its answer', async () => {
  const { uuid } = await makeOffer(api.db, { payout: '0.00085', revenue: '0.00000001' })
  const { data } = await admin.call(offerApi.get, { params: { uuid } })
  expect(data.goals[0]?.rules[0]).toMatchObject({ payout_fixed: '0.00085', revenue_fixed: '0.00000001' })
})

test('another base currency tells all rates anew, day by day, and back again they are as they were', async () => {
  const set = (day: string, rates: Record<string, string>) =>
    admin.call(currencyRateApi.set, { body: { day, rates: Object.entries(rates).map(([currency, rate]) => ({ currency, rate })) } })
  const choose = async (base_currency: string) =>
    admin.call(settingApi.updateGeneral, { body: { ...(await admin.call(settingApi.general)).data, base_currency } })
  const on = async (day: string) => {
    const { base, list } = (await admin.call(currencyRateApi.list, { body: { day } })).data
    return [base, ...['USD', 'GBP', 'UAH'].map((code) => list.find(({ currency }) => currency === code)?.rate ?? null)]
  }
  await set('2026-10-01', { GBP: '1.25', UAH: '0.025' })
  await set('2026-10-03', { GBP: '1.5' })
  expect((await choose('GBP')).status).toBe(200)
  expect(await on('2026-09-30')).toEqual(['GBP', null, '1.00000000', null])
  expect(await on('2026-10-02')).toEqual(['GBP', '0.80000000', '1.00000000', '0.02000000'])
  expect(await on('2026-10-03')).toEqual(['GBP', '0.66666667', '1.00000000', '0.01666667'])
  await set('2026-10-05', { UAH: '0.0175' })
  expect((await choose('USD')).status).toBe(200)
  expect(await on('2026-10-02')).toEqual(['USD', '1.00000000', '1.25000000', '0.02500000'])
  expect(await on('2026-10-04')).toEqual(['USD', '1.00000000', '1.50000000', '0.02500000'])
  expect(await on('2026-10-05')).toEqual(['USD', '1.00000000', '1.50000000', '0.02625000'])
})

test('rates are set by day and hold for seven days, or until the next day that has one', async () => {
  const set = (day: string, rate: string) => admin.call(currencyRateApi.set, { body: { day, rates: [{ currency: 'PLN', rate }] } })
  expect((await set('2026-11-01', '1.08')).data).toEqual({ changed: 1 })
  expect((await set('2026-11-10', '1.1')).status).toBe(200)
  expect((await set('2026-11-10', '1.2')).status).toBe(200)
  const on = async (day: string) =>
    (await admin.call(currencyRateApi.list, { body: { day } })).data.list.find((one) => one.currency === 'PLN')
  expect(await on('2026-10-31')).toEqual({ currency: 'PLN', rate: null, day: null })
  expect(await on('2026-11-07')).toEqual({ currency: 'PLN', rate: '1.08000000', day: '2026-11-01' })
  expect(await on('2026-11-08')).toEqual({ currency: 'PLN', rate: null, day: '2026-11-01' })
  expect(await on('2026-11-16')).toEqual({ currency: 'PLN', rate: '1.20000000', day: '2026-11-10' })
  expect(await on('2026-11-17')).toEqual({ currency: 'PLN', rate: null, day: '2026-11-10' })
  for (const rate of ['0', '-1', '1e5', '0.000000000']) expect((await set('2026-11-10', rate)).status).toBe(400)
})
