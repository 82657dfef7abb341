import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadAuthorityApi, type Authority } from '#contract/leads/authority.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { pullStatuses } from '../status/pull.jobs.ts'
import { applyNoted } from './authority.jobs.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let offer: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  const advertiser = await makeAdvertiser(api.db)
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())])
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const parts = () => ({ db: api.db, clock: api.clock, secretKey, findClick: async () => null })
const send = async () => (await affiliate.call(leadApi.send, { body: leadOf(offer.uuid) })).data
const pull = () => {
  api.clock.advance(3_600_000)
  return pullStatuses({ ...parts(), policy: { allow: [mock.host.slice('http://'.length)] } })
}
const set = (state: Authority, expected: Authority) =>
  admin.call(leadAuthorityApi.set, { params: { uuid: offer.uuid }, body: { affiliate_uuid: affiliate.uuid, state, expected } })
const say = (uuid: string, call_status: CallStatus, expected: CallStatus | null, reason = '') =>
  admin.call(leadAuthorityApi.callStatus, { params: { uuid }, body: { call_status, expected, reason } })
const detail = async (uuid: string) => (await affiliate.call(leadApi.detail, { params: { uuid } })).data
const deposits = async (clickId: string) =>
  (
    await api.db
      .selectFrom('conversion as c')
      .innerJoin('goal as g', 'g.id', 'c.goal_id')
      .select('c.status')
      .where('c.click_id', '=', clickId)
      .where('g.code', '=', 'ftd')
      .execute()
  ).map(({ status }) => status)

test('while an affiliate is tested staff say what became of its leads, what advertisers say is noted, and counts once it goes live', async () => {
  expect((await set('testing', 'live')).data).toEqual({ changed: true })
  expect((await set('testing', 'live')).data).toEqual({ changed: false })
  const [first, second] = [await send(), await send()]
  Object.assign(mock.leads.at(-1) ?? {}, { status: 'FTD' })
  await pull()
  await pull()
  expect(await detail(second.session_uuid)).toMatchObject({ status: 'accepted', call_status: null })
  expect(await deposits(second.click_id)).toEqual([])
  const shown = (await admin.call(userSessionApi.detail, { params: { uuid: second.session_uuid } })).data.events
  expect(shown.filter(({ kind }) => kind === 'called')).toMatchObject([{ status: 'sale', noted: true, raw: 'FTD' }])
  const own = (await affiliate.call(userSessionApi.detail, { params: { uuid: second.session_uuid } })).data.events
  expect(own.filter(({ kind }) => kind === 'called')).toEqual([])
  const listed = await admin.call(leadAuthorityApi.list, { params: { uuid: offer.uuid }, body: {} })
  expect(listed.data.list).toMatchObject([{ state: 'testing', noted: 2, affiliate: { uuid: affiliate.uuid } }])

  // two at once are one
  const both = await Promise.all([say(first.session_uuid, 'sale', null), say(first.session_uuid, 'sale', null)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(await detail(first.session_uuid)).toMatchObject({ status: 'converted', call_status: 'sale' })
  expect(await deposits(first.click_id)).toEqual(['approved'])
  expect((await say(first.session_uuid, 'returned', null)).status).toBe(409)
  expect((await say(first.session_uuid, 'returned', 'sale')).status).toBe(200)
  expect(await deposits(first.click_id)).toEqual(['declined'])

  expect((await set('live', 'testing')).data).toEqual({ changed: true })
  expect((await set('testing', 'testing')).status).toBe(409)
  await Promise.all([applyNoted(parts()), applyNoted(parts())])
  expect(await detail(second.session_uuid)).toMatchObject({ status: 'converted', call_status: 'sale' })
  expect(await deposits(second.click_id)).toEqual(['approved'])
})

test('live the advertiser’s word counts: staff need a reason, and theirs holds until the advertiser says something new', async () => {
  const lead = await send()
  Object.assign(mock.leads.at(-1) ?? {}, { status: 'No Answer' })
  await pull()
  const refused = await say(lead.session_uuid, 'sale', 'no_answer')
  expect({ status: refused.status, fields: Object.keys(refused.fields) }).toEqual({ status: 422, fields: ['reason'] })
  expect((await say(lead.session_uuid, 'sale', 'no_answer', 'Their mail of today')).status).toBe(200)
  await pull()
  expect(await detail(lead.session_uuid)).toMatchObject({ status: 'converted', call_status: 'sale' })
  Object.assign(mock.leads.at(-1) ?? {}, { status: 'Returned' })
  await pull()
  expect(await detail(lead.session_uuid)).toMatchObject({ call_status: 'returned' })
  expect(await deposits(lead.click_id)).toEqual(['declined'])
  const untaken = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { first_name: 'Reject' }) })
  expect((await say(untaken.data.session_uuid, 'sale', null, 'why')).status).toBe(409)
})
