import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadAuthorityApi, type Authority } from '#contract/leads/authority.ts'
import { integrationApi } from '#contract/leads/integration.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { stuckApi } from '#contract/leads/stuck.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { pushPath } from '#server/features/leads/product/push-token.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { makeRates } from '#test/support/make/rates.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { applyNoted } from '../authority/authority.jobs.ts'
import { applyWords } from './word.jobs.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let offer: { id: number; uuid: string }
let product: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  const advertiser = await makeAdvertiser(api.db)
  product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product])
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const parts = () => ({ db: api.db, clock: api.clock, secretKey, findClick: async () => null })
const send = async () => {
  const { data } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid) })
  return { ...data, theirs: mock.leads.at(-1)?.externalId ?? expect.fail('not sent') }
}
const push = async (query: Record<string, string>) => {
  const answer = await fetch(`${api.url}${pushPath(secretKey, product.uuid)}?${new URLSearchParams(query).toString()}`)
  return [answer.status, ((await answer.json()) as { outcome?: string }).outcome] // as it answers
}
const map = async (word: string, meaning: 'sale' | 'no_answer') => {
  const [integration] = (await admin.call(integrationApi.list, { body: { count: 1 } })).data.list
  const params = { uuid: integration?.uuid ?? '' }
  expect((await admin.call(integrationApi.mapWord, { params, body: { word, meaning, expected: null } })).status).toBe(200)
}
const words = () => api.db.selectFrom('lead_word').select(['word', 'applying']).orderBy('word').execute()
const detail = async (uuid: string) => (await affiliate.call(leadApi.detail, { params: { uuid } })).data
const stuck = async () => (await admin.call(stuckApi.list, { body: {} })).data.list
const replay = (uuid: string) => admin.call(stuckApi.replay, { params: { uuid }, body: {} })
const set = (state: Authority, expected: Authority) =>
  admin.call(leadAuthorityApi.set, { params: { uuid: offer.uuid }, body: { affiliate_uuid: affiliate.uuid, state, expected } })
const deposits = (clickId: string) =>
  api.db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select(['c.status', 'c.amount'])
    .where('c.click_id', '=', clickId)
    .where('g.code', '=', 'ftd')
    .execute()

test('a word that is mapped to money nobody can book yet is applied to its lead, and the money waits for a person', async () => {
  const lead = await send()
  expect(await push({ lead_id: lead.theirs, status: 'Weird Paid', amount: '100', currency: 'PLN' })).toEqual([202, 'unknown'])
  await map('weird paid', 'sale')
  expect(await applyWords(parts())).toBe(true)
  expect(await words()).toEqual([{ word: 'weird paid', applying: false }])
  expect(await detail(lead.session_uuid)).toMatchObject({ status: 'converted', call_status: 'sale' })
  const [waits, ...others] = await stuck()
  expect([waits, others]).toMatchObject([
    { kind: 'booking', reason: 'rate_missing', amount: '100 PLN', lead: { uuid: lead.session_uuid } },
    [],
  ])
  await makeRates(api.db, { PLN: '0.25' })
  expect((await replay(waits?.uuid ?? '')).data.changed).toBe(1)
  expect(await deposits(lead.click_id)).toEqual([{ status: 'approved', amount: '25.0000' }])
})

test('what was noted of an affiliate under test and nobody can book yet waits for a person once it goes live', async () => {
  await set('testing', 'live')
  const lead = await send()
  expect(await push({ lead_id: lead.theirs, status: 'FTD', amount: '100', currency: 'EUR' })).toEqual([200, 'noted'])
  await set('live', 'testing')
  expect(await applyNoted(parts())).toBe(true)
  expect(await detail(lead.session_uuid)).toMatchObject({ status: 'converted', call_status: 'sale' })
  const [waits, ...others] = await stuck()
  expect([waits, others]).toMatchObject([
    { kind: 'booking', reason: 'rate_missing', amount: '100 EUR', lead: { uuid: lead.session_uuid } },
    [],
  ])
  await makeRates(api.db, { EUR: '1.1' })
  expect((await replay(waits?.uuid ?? '')).data.changed).toBe(1)
  expect(await deposits(lead.click_id)).toEqual([{ status: 'approved', amount: '110.0000' }])
})
