import { afterAll, beforeAll, expect, test } from 'vitest'
import { integrationApi } from '#contract/leads/integration.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { OPEN_TERMS } from '#contract/leads/api-offer.ts'
import { USUAL_WORDS } from '#contract/leads/usual-words.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { normalStatus } from '#server/rules/lead/integration/status-word.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { makeRates } from '#test/support/make/rates.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { pullStatuses } from './pull.jobs.ts'
import { pushPath } from '#server/features/leads/product/push-token.ts'
import { windowsOf } from './pull-window.ts'
import { applyWords } from './word.jobs.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let offer: { id: number; uuid: string }
let product: { id: number }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  const advertiser = await makeAdvertiser(api.db)
  product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  const prices = [{ goal: 'ftd', geos: ['IT'], price: '450', payout: '310' }]
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...product, terms: { ...OPEN_TERMS, prices } }], { hold_days: 14 })
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const send = async (more: object = {}) => (await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { ...more }) })).data
const ask = () =>
  pullStatuses({
    db: api.db,
    clock: api.clock,
    policy: { allow: [mock.host.slice('http://'.length)] },
    secretKey,
    findClick: async () => null,
  })
const pull = () => {
  api.clock.advance(3_600_000)
  return ask()
}
const detail = async (uuid: string) => (await affiliate.call(leadApi.detail, { params: { uuid } })).data
const paid = (clickId: string) =>
  api.db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select(['c.id', 'c.status', 'c.payout', 'c.revenue', 'c.hold_until'])
    .where('c.click_id', '=', clickId)
    .where('g.code', '=', 'ftd')
    .execute()
const told = () => mock.leads.at(-1) ?? expect.fail('no lead')

test('a later deposit is booked by the price of its country, held, and once', async () => {
  const lead = await send()
  Object.assign(told(), { status: 'No Answer' })
  await pull()
  expect(await detail(lead.session_uuid)).toMatchObject({ status: 'accepted', call_status: 'no_answer' })
  expect(await paid(lead.click_id)).toEqual([])
  Object.assign(told(), { deposit: '250.00' })
  await pull()
  await pull()
  expect(await detail(lead.session_uuid)).toMatchObject({ status: 'converted', call_status: 'sale' })
  expect(await paid(lead.click_id)).toMatchObject([{ status: 'hold', payout: '310.0000', revenue: '450.0000' }])
  const accounts = await api.db
    .selectFrom('ledger_account')
    .select(['kind', 'balance'])
    .where('owner_id', '=', affiliate.affiliateId)
    .where('kind', '=', 'affiliate_hold')
    .execute()
  expect(accounts.map(({ balance }) => Math.abs(Number(balance)))).toEqual([310])
})

test('a word nobody has mapped bills nothing and waits; the deposit beats whatever the word says', async () => {
  const lead = await send()
  Object.assign(told(), { status: 'Super Deposit Approved' })
  await pull()
  await pull()
  expect(await detail(lead.session_uuid)).toMatchObject({ status: 'accepted', call_status: null })
  expect(await paid(lead.click_id)).toEqual([])
  const words = await api.db.selectFrom('lead_word').select(['word', 'seen']).execute()
  expect(words).toEqual([{ word: 'super deposit approved', seen: 2 }])
  Object.assign(told(), { deposit: '10' })
  await pull()
  expect(await paid(lead.click_id)).toHaveLength(1)
})

test('a word is mapped once, applied to the leads that wait for it, and billed as it says', async () => {
  const [first, second] = [await send(), await send()]
  const [one, two] = mock.leads.slice(-2)
  for (const lead of [one, two]) Object.assign(lead ?? {}, { status: 'MoneyIn_Now' })
  await pull()
  const [integration] = (await admin.call(integrationApi.list, { body: { count: 1 } })).data.list
  const params = { uuid: integration!.uuid }
  expect(integration).toMatchObject({ words: 2 })
  const listed = async () =>
    (await admin.call(integrationApi.words, { params, body: {} })).data.list.find(({ word }) => word === 'money in now')
  expect(await listed()).toMatchObject({ raw: 'MoneyIn_Now', seen: 2, waiting: 2, suggested: null, meaning: null, applying: false })
  const map = (meaning: 'sale' | 'callback', word = 'money in now') =>
    admin.call(integrationApi.mapWord, { params, body: { word, meaning, expected: null } })
  expect((await map('sale', 'nobody said so')).status).toBe(422)
  const both = await Promise.all([map('sale'), map('sale')])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await map('callback')).status).toBe(409)
  const parts = { db: api.db, clock: api.clock, secretKey, findClick: async () => null }
  await Promise.all([applyWords(parts), applyWords(parts)])
  for (const lead of [first, second]) {
    expect(await detail(lead.session_uuid)).toMatchObject({ status: 'converted', call_status: 'sale' })
    expect(await paid(lead.click_id)).toHaveLength(1)
  }
  expect(await listed()).toMatchObject({ waiting: 0, meaning: 'sale', applying: false })
  const audited = await api.db.selectFrom('audit').select('action').where('action', '=', 'map_word').execute()
  expect(audited).toHaveLength(1)
  // from now on it is known, and so it is by their calls
  const third = await send()
  Object.assign(told(), { status: 'money-in now' })
  await pull()
  expect(await detail(third.session_uuid)).toMatchObject({ status: 'converted' })
})

test('an answer that is no list is an error, asked again later, never nothing new', async () => {
  const lead = await send()
  const told = await api.db.selectFrom('product').select('host').where('id', '=', product.id).executeTakeFirstOrThrow()
  await api.db
    .updateTable('product')
    .set({ host: `${told.host}/login?x=` })
    .where('id', '=', product.id)
    .execute()
  await pull()
  const row = () => api.db.selectFrom('product_pull').selectAll().where('product_id', '=', product.id).executeTakeFirstOrThrow()
  expect(await row()).toMatchObject({ failures: 1, leased_until: null })
  expect((await row()).error).not.toBe('')
  await api.db.updateTable('product').set({ host: told.host }).where('id', '=', product.id).execute()
  api.clock.advance(4 * 3_600_000)
  await pull()
  expect(await row()).toMatchObject({ failures: 0, error: '' })
  expect((await detail(lead.session_uuid)).call_status).toBe('new')
})

test('a system that says nothing of open leads is an alarm, once until it has spoken', async () => {
  await send()
  const own = await api.db.selectFrom('product').select('host').where('id', '=', product.id).executeTakeFirstOrThrow()
  await api.db
    .updateTable('product')
    .set({ host: `${own.host}/login?x=` })
    .where('id', '=', product.id)
    .execute()
  const told = () =>
    api.db
      .selectFrom('notification')
      .select(['reason', 'count'])
      .where('kind', '=', 'leads_silent')
      .where('account_id', '=', admin.accountId)
      .execute()
  for (let at = 0; at < 6; at++) {
    expect(await told()).toHaveLength(at < 4 ? 0 : 1)
    api.clock.advance(5 * 3_600_000)
    await ask()
  }
  expect((await told())[0]).toMatchObject({ count: 4 })
  await api.db.updateTable('product').set({ host: own.host }).where('id', '=', product.id).execute()
  api.clock.advance(5 * 3_600_000)
  await ask()
  expect(await api.db.selectFrom('product_pull').select(['failures', 'silent']).executeTakeFirstOrThrow()).toEqual({
    failures: 0,
    silent: 0,
  })
})

test('two workers ask a product once', async () => {
  await send()
  api.clock.advance(86_400_000)
  expect((await Promise.all([ask(), ask(), ask()])).reduce((sum, one) => sum + one, 0)).toBe(1)
  const row = await api.db.selectFrom('product_pull').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ error: '', leased_until: null })
})

test('an advertiser tells by itself, once; a deposit taken back is declined; strangers and unknown leads are refused', async () => {
  const lead = await send()
  const own = await api.db.selectFrom('product').select('uuid').where('id', '=', product.id).executeTakeFirstOrThrow()
  const address = `${api.url}${pushPath(secretKey, own.uuid)}`
  const id = told().externalId
  const push = async (search: string, init: RequestInit = {}) => (await fetch(`${address}${search}`, init)).status
  expect(await push(`?lead_id=${id}&status=Who+Knows`)).toBe(202)
  expect(await paid(lead.click_id)).toEqual([])
  const form = { method: 'POST', body: new URLSearchParams({ lead_id: told().id, status: 'FTD', amount: '300' }) }
  expect(await Promise.all([push('', form), push('', form)])).toEqual([200, 200])
  expect(await paid(lead.click_id)).toMatchObject([{ status: 'hold', payout: '310.0000' }])
  const body = JSON.stringify({ lead_id: id, status: 'Returned' })
  expect(await push('', { method: 'POST', body, headers: { 'content-type': 'application/json' } })).toBe(200)
  expect(await paid(lead.click_id)).toMatchObject([{ status: 'declined' }])
  expect(await detail(lead.session_uuid)).toMatchObject({ status: 'closed', call_status: 'returned' })
  expect(await push('?lead_id=nobody&status=FTD')).toBe(404)
  expect(await push('?status=FTD')).toBe(422)
  expect((await fetch(`${api.url}/lead-status/${own.uuid}/${'x'.repeat(24)}?lead_id=${id}&status=FTD`)).status).toBe(404)
})

test('a deposit is pushed in the currency it names; of one nobody can tell the amount of nothing is booked, and its advertiser hears so', async () => {
  const own = await api.db.selectFrom('product').select('uuid').where('id', '=', product.id).executeTakeFirstOrThrow()
  const lead = await send()
  const id = told().externalId
  const push = (search: string) => fetch(`${api.url}${pushPath(secretKey, own.uuid)}?lead_id=${id}&${search}`)
  for (const amount of ['1,250.50', '-50', '1e3', '100 €', '99999999999', '100&currency=XQX']) {
    const answer = await push(`status=FTD&amount=${amount}`)
    expect([amount, answer.status, await answer.json()]).toMatchObject([amount, 422, { parameter: 'amount' }])
  }
  expect(await paid(lead.click_id)).toEqual([])
  expect(await detail(lead.session_uuid)).toMatchObject({ status: 'accepted', call_status: null })
  // a deposit of nothing is none; a word that is no deposit may stand beside it
  for (const amount of ['0', '0.00', '0 EUR']) expect((await push(`status=FTD&amount=${amount}`)).status).toBe(422)
  expect((await push('status=No+Answer&amount=0')).status).toBe(200)
  expect(await paid(lead.click_id)).toEqual([])
  expect((await push('status=No+Answer&amount=-1')).status).toBe(200)
  await makeRates(api.db)
  expect((await push('status=FTD&amount=100&currency=eur')).status).toBe(200)
  const amounts = () =>
    api.db
      .selectFrom('conversion')
      .select(['reported_amount', 'reported_currency', 'amount'])
      .where('click_id', '=', lead.click_id)
      .execute()
  expect((await amounts()).at(-1)).toEqual({ reported_amount: '100', reported_currency: 'EUR', amount: '110.0000' })
  expect((await push('status=FTD&amount=100&currency=usd')).status).toBe(200)
  expect((await amounts()).at(-1)).toEqual({ reported_amount: '100', reported_currency: 'USD', amount: '100.0000' })
})

test('a lead taken under the id of another is unclear: what is said of that id is said of the first', async () => {
  const own = await api.db.selectFrom('product').select('uuid').where('id', '=', product.id).executeTakeFirstOrThrow()
  const first = await send()
  const { id } = mock.leads.pop() ?? expect.fail('no lead')
  const second = await send()
  expect([told().id, second.status]).toEqual([id, 'ambiguous'])
  expect((await fetch(`${api.url}${pushPath(secretKey, own.uuid)}?lead_id=${id}&status=FTD&amount=90`)).status).toBe(200)
  expect([await paid(first.click_id), await paid(second.click_id)]).toMatchObject([[{ payout: '310.0000' }], []])
  const all = await api.db.selectFrom('conversion').select('id').where('click_id', '=', second.click_id).execute()
  expect(all).toEqual([])
  expect(await detail(second.session_uuid)).toMatchObject({ status: 'ambiguous', reason: '' })
})

test('an integration that names no words has those of its kind; what is in neither waits', async () => {
  const advertiser = await makeAdvertiser(api.db)
  const own = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), { ...MOCK_SPEC, statuses: {} })
  const quiet = await makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...own, terms: OPEN_TERMS }])
  const leads: { session_uuid: string; click_id: string }[] = []
  for (const status of ['NoAnswer', 'Depositor', 'Approved']) {
    leads.push((await affiliate.call(leadApi.send, { body: leadOf(quiet.uuid) })).data)
    Object.assign(told(), { status })
  }
  await pull()
  const found = await Promise.all(leads.map(({ session_uuid }) => detail(session_uuid)))
  // what brokers mean by approved nobody knows
  expect(found.map(({ call_status }) => call_status)).toEqual(['no_answer', 'sale', null])
  for (const words of Object.values(USUAL_WORDS)) for (const word of Object.keys(words)) expect(normalStatus(word)).toBe(word)
})

test('days nothing was asked about for long are asked about the next time; leads of a quarter ago once a week, of a year ago never', async () => {
  const advertiser = await makeAdvertiser(api.db)
  const own = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  const old = await makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...own, terms: OPEN_TERMS }])
  for (let at = 0; at < 3; at++) await affiliate.call(leadApi.send, { body: leadOf(old.uuid) })
  const sends = await api.db.selectFrom('lead_send').select('id').where('product_id', '=', own.id).orderBy('id').execute()
  const ago = (days: number) => new Date(api.clock.now() - days * 86_400_000)
  for (const [at, days] of [60, 100, 400].entries())
    await api.db
      .updateTable('lead_send')
      .set({ asked_at: ago(days) })
      .where('id', '=', sends[at]?.id ?? '')
      .execute()
  const day = (days: number) => ago(days).toISOString().slice(0, 10)
  const askedDays = async () => {
    await api.db
      .updateTable('product_pull')
      .set({ due_at: ago(0) })
      .where('product_id', '=', own.id)
      .execute()
    await api.db
      .updateTable('product_pull')
      .set({ due_at: ago(-30) })
      .where('product_id', '!=', own.id)
      .execute()
    mock.asked.length = 0
    await ask()
    const spans = mock.asked.map((line) => new URL(line.replace('GET ', ''), 'http://mock').searchParams)
    const covers = (days: number) => spans.some((span) => (span.get('from') ?? '') <= day(days) && day(days) <= (span.get('to') ?? ''))
    return [60, 100, 400].map(covers)
  }
  const now = api.clock.now()
  expect(await askedDays()).toEqual([true, true, false])
  expect(await askedDays()).toEqual([true, false, false])
  api.clock.set(new Date(now + 7 * 86_400_000).toISOString())
  for (const [at, days] of [60, 100, 400].entries())
    await api.db
      .updateTable('lead_send')
      .set({ asked_at: ago(days) })
      .where('id', '=', sends[at]?.id ?? '')
      .execute()
  expect(await askedDays()).toEqual([true, true, false])
})

test('windows are made of the days leads were sent on, joined and cut', () => {
  const at = Date.parse
  const windows = windowsOf(['2026-11-01T10:00:00Z', '2026-11-02T10:00:00Z', '2026-11-10T23:00:00Z'].map(at), at('2026-11-20T00:00:00Z'), {
    days: 2,
    slackHours: 12,
  })
  expect(windows.map(({ from, until }) => [new Date(from).toISOString().slice(0, 13), new Date(until).toISOString().slice(0, 13)])).toEqual(
    [
      ['2026-10-31T12', '2026-11-02T12'],
      ['2026-11-02T12', '2026-11-03T12'],
      ['2026-11-09T12', '2026-11-11T12'],
    ],
  )
})

test('a deposit counts however long ago the click was; what was never sold cannot be taken back', async () => {
  const lead = await send()
  const own = await api.db.selectFrom('product').select('uuid').where('id', '=', product.id).executeTakeFirstOrThrow()
  const push = async (status: string) =>
    (await fetch(`${api.url}${pushPath(secretKey, own.uuid)}?lead_id=${told().externalId}&status=${status}`)).status
  for (const status of ['New', 'Returned']) expect(await push(status)).toBe(200)
  expect(await paid(lead.click_id)).toEqual([])
  const { click_lifetime_days: days } = await api.db
    .selectFrom('offer')
    .select('click_lifetime_days')
    .where('id', '=', offer.id)
    .executeTakeFirstOrThrow()
  api.clock.advance((days + 5) * 86_400_000)
  expect(await push('FTD')).toBe(200)
  expect(await paid(lead.click_id)).toMatchObject([{ status: 'hold', payout: '310.0000' }])
})
