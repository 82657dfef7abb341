import { sql } from 'kysely'
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
import { holdLock, untilWaiting } from '#test/support/run/locks.ts'
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

const sealedOf = (uuid: string) => api.db.selectFrom('user_session').select('sealed').where('uuid', '=', uuid).executeTakeFirstOrThrow()
const statusOf = async ({ session_uuid }: { session_uuid: string }) =>
  (await api.db.selectFrom('user_session').select('status').where('uuid', '=', session_uuid).executeTakeFirstOrThrow()).status
const seal = (uuid: string, sealed: Buffer | null) => api.db.updateTable('user_session').set({ sealed }).where('uuid', '=', uuid).execute()

test('a lead a mapped word cannot be applied to holds up no other word: a person sees it, and it is tried again by itself', async () => {
  const [broken, beside, other] = [await send(), await send(), await send()]
  for (const { theirs } of [broken, beside]) expect(await push({ lead_id: theirs, status: 'First Odd' })).toEqual([202, 'unknown'])
  expect(await push({ lead_id: other.theirs, status: 'Second Odd' })).toEqual([202, 'unknown'])
  await map('first odd', 'sale')
  api.clock.advance(1_000)
  await map('second odd', 'sale')
  const { sealed } = await sealedOf(broken.session_uuid)
  await seal(broken.session_uuid, Buffer.from('of another key'))
  expect([await applyWords(parts()), await applyWords(parts()), await applyWords(parts())]).toEqual([true, true, false])
  const statuses = () => Promise.all([broken, beside, other].map(statusOf))
  expect(await statuses()).toEqual(['accepted', 'converted', 'converted'])
  const [waits, ...others] = await stuck()
  expect([waits, others]).toMatchObject([{ kind: 'push', reason: 'failed', raw: 'First Odd', lead: { uuid: broken.session_uuid } }, []])
  expect(await replay(waits?.uuid ?? '')).toMatchObject({ status: 422, errors: { 1191: expect.stringContaining('failed') } })
  // after a minute, two, four
  for (const minutes of [1, 2]) {
    api.clock.advance(minutes * 60_000 - 1)
    expect(await applyWords(parts())).toBe(false)
    api.clock.advance(1)
    expect(await applyWords(parts())).toBe(true)
  }
  await seal(broken.session_uuid, sealed)
  api.clock.advance(4 * 60_000)
  expect([await applyWords(parts()), await applyWords(parts())]).toEqual([true, false])
  expect(await statuses()).toEqual(['converted', 'converted', 'converted'])
  expect(await stuck()).toEqual([])
})

test('what fails for hours is left to the person who sees it', async () => {
  const lead = await send()
  expect(await push({ lead_id: lead.theirs, status: 'Third Odd' })).toEqual([202, 'unknown'])
  await map('third odd', 'sale')
  const { sealed } = await sealedOf(lead.session_uuid)
  await seal(lead.session_uuid, Buffer.from('of another key'))
  let tries = 0
  for (let hours = 0; hours < 12; hours++) {
    if (await applyWords(parts())) tries++
    api.clock.advance(3_600_000)
  }
  expect([tries, (await words()).filter(({ applying }) => applying)]).toEqual([8, []])
  await seal(lead.session_uuid, sealed)
  const [waits, ...others] = await stuck()
  expect([waits?.seen, others]).toEqual([1, []])
  expect((await replay(waits?.uuid ?? '')).data).toEqual({ changed: 1, outcome: 'applied' })
  expect((await detail(lead.session_uuid)).status).toBe('converted')
})

test('nor does a lead of a pair that goes live hold up another pair', async () => {
  await set('testing', 'live')
  const advertiser = await makeAdvertiser(api.db)
  const second = await makeLeadOffer(api.db, admin, advertiser.uuid, [product])
  const pair = { params: { uuid: second.uuid }, body: { affiliate_uuid: affiliate.uuid } }
  await admin.call(leadAuthorityApi.set, { ...pair, body: { ...pair.body, state: 'testing', expected: 'live' } })
  const broken = await send()
  const other = (await affiliate.call(leadApi.send, { body: leadOf(second.uuid) })).data
  for (const theirs of [broken.theirs, mock.leads.at(-1)?.externalId ?? ''])
    expect(await push({ lead_id: theirs, status: 'FTD' })).toEqual([200, 'noted'])
  const { sealed } = await sealedOf(broken.session_uuid)
  await seal(broken.session_uuid, Buffer.from('of another key'))
  await set('live', 'testing')
  api.clock.advance(1_000)
  await admin.call(leadAuthorityApi.set, { ...pair, body: { ...pair.body, state: 'live', expected: 'testing' } })
  expect([await applyNoted(parts()), await applyNoted(parts()), await applyNoted(parts())]).toEqual([true, true, false])
  expect((await detail(other.session_uuid)).status).toBe('converted')
  expect(await stuck()).toMatchObject([{ reason: 'failed', lead: { uuid: broken.session_uuid } }])
  await seal(broken.session_uuid, sealed)
  api.clock.advance(60_000)
  expect([await applyNoted(parts()), await applyNoted(parts())]).toEqual([true, false])
  expect([(await detail(broken.session_uuid)).status, await stuck()]).toEqual(['converted', []])
})

/** Holds a lead: whatever is said of it waits. */
const holdLead = ({ session_uuid }: { session_uuid: string }) =>
  holdLock(api.db, (trx) => trx.selectFrom('user_session').select('id').where('uuid', '=', session_uuid).forUpdate().execute())

test('a word that is mapped while it is being heard is applied to its lead', async () => {
  const [first, heard] = [await send(), await send()]
  expect(await push({ lead_id: first.theirs, status: 'Fourth Odd' })).toEqual([202, 'unknown'])
  const letGo = await holdLead(heard)
  const pushed = push({ lead_id: heard.theirs, status: 'Fourth Odd' })
  await untilWaiting(api.db, 1)
  await map('fourth odd', 'sale')
  expect([await applyWords(parts()), await applyWords(parts())]).toEqual([true, false])
  await letGo()
  expect(await pushed).toEqual([202, 'unknown'])
  expect([await applyWords(parts()), await applyWords(parts())]).toEqual([true, false])
  expect(await Promise.all([first, heard].map(statusOf))).toEqual(['converted', 'converted'])
})

test('a word that is heard of one more lead while it is applied to others is applied to that one too', async () => {
  const [first, heard] = [await send(), await send()]
  expect(await push({ lead_id: first.theirs, status: 'Fifth Odd' })).toEqual([202, 'unknown'])
  const letHeard = await holdLead(heard)
  const pushed = push({ lead_id: heard.theirs, status: 'Fifth Odd' })
  await untilWaiting(api.db, 1)
  await map('fifth odd', 'sale')
  const letFirst = await holdLead(first)
  const applying = applyWords(parts())
  await untilWaiting(api.db, 2)
  await letHeard()
  expect(await pushed).toEqual([202, 'unknown'])
  await letFirst()
  expect([await applying, await applyWords(parts()), await applyWords(parts())]).toEqual([true, true, false])
  expect(await Promise.all([first, heard].map(statusOf))).toEqual(['converted', 'converted'])
})

test('what is noted of a lead in the moment its affiliate goes live counts', async () => {
  await set('testing', 'live')
  const lead = await send()
  const letGo = await holdLock(api.db, (trx) => sql`lock table lead_status in exclusive mode`.execute(trx))
  const pushed = push({ lead_id: lead.theirs, status: 'FTD' })
  await untilWaiting(api.db, 1)
  const live = set('live', 'testing')
  // it waits for what is being noted, or is done before that is
  await Promise.race([live, untilWaiting(api.db, 2)])
  await applyNoted(parts())
  await letGo()
  expect([await pushed, (await live).status]).toEqual([[200, 'noted'], 200])
  await applyNoted(parts())
  expect(await statusOf(lead)).toBe('converted')
})
