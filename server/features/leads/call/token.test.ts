import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { productApi } from '#contract/leads/product.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { pullStatuses } from '#server/features/leads/status/pull.jobs.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_LOG_IN, MOCK_SPEC } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openLeadSender } from '#server/features/leads/send/send.jobs.ts'
import type { SendParts } from '#server/features/leads/send/send-parts.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let mock: MockAdvertiser
let api: TestApi
let otherDb: Db
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser('key-with-sessions-3c1b')
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  otherDb = openDatabase(api.databaseUrl, { max: 8 })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
})
afterAll(async () => {
  await otherDb.destroy()
  await api.close()
  await mock.close()
})
let logIns = 0
const logInsSince = () => mock.session.logIns - logIns
beforeEach(() => void (logIns = mock.session.logIns))
afterEach(() => Object.assign(mock.session, { life: 3600, refuses: 0, takes: 0 }))

const bearer = [{ name: 'Authorization', value: "{{step.login.token | prefix:'Bearer '}}" }]
const SPEC = integrationSpec.parse({
  ...MOCK_SPEC,
  steps: [
    {
      name: 'login',
      keep_seconds: 86_400,
      request: MOCK_LOG_IN,
      response: {
        rules: [
          { when: [{ at: 'token', op: 'exists' }], outcome: 'accepted' },
          { when: [{ op: 'in', value: '4xx' }], outcome: 'config_error' },
        ],
        extract: { error_text: ['error'] },
      },
      give: { token: ['token'] },
      expires: ['expires_in'],
    },
  ],
  request: { ...MOCK_SPEC.request, url: '{{product.host}}/session/leads', headers: bearer },
  pull: {
    ...MOCK_SPEC.pull,
    request: { ...MOCK_SPEC.pull?.request, url: '{{product.host}}/session/leads', headers: bearer },
    error_when: [[{ at: 'code', op: 'eq', value: 'token_expired' }]],
  },
})
const offerOf = async (key = mock.key) => {
  const product = await makeMockProduct(api.db, advertiser.id, { ...mock, key }, api.clock.now(), SPEC)
  return { ...(await makeLeadOffer(api.db, admin, advertiser.uuid, [product])), product }
}
type Offer = Awaited<ReturnType<typeof offerOf>>
const send = async ({ uuid }: Offer, more = {}) => (await affiliate.call(leadApi.send, { body: leadOf(uuid, more) })).data
const worker = (db = api.db): SendParts => ({
  db,
  clock: api.clock,
  policy: { allow: [mock.host.slice('http://'.length)] },
  secretKey,
  findClick: async () => null,
  underWay: new Map(),
})
const tokenOf = ({ product }: Offer) =>
  api.db.selectFrom('product_token').selectAll().where('product_id', '=', product.id).executeTakeFirstOrThrow()
const productOf = ({ product }: Offer) => api.db.selectFrom('product').selectAll().where('id', '=', product.id).executeTakeFirstOrThrow()
const sendsOf = ({ product }: Offer) =>
  api.db.selectFrom('lead_send').select(['outcome', 'reason']).where('product_id', '=', product.id).orderBy('id').execute()

test('what a log-in gave serves every lead, of two processes at once, until it ends', async () => {
  const offer = await offerOf()
  mock.session.takes = 200
  const leads = Array.from({ length: 12 }, () => leadOf(offer.uuid))
  await affiliate.call(leadApi.sendBatch, { body: { leads } })
  api.clock.advance(10_000)
  const workers = [openLeadSender(worker(), { all: 6 }), openLeadSender(worker(otherDb), { all: 6 })]
  await expect
    .poll(
      async () => {
        await Promise.all(workers.map((one) => one.tick()))
        return (await sendsOf(offer)).filter(({ outcome }) => outcome === 'accepted').length
      },
      { timeout: 15_000, interval: 50 },
    )
    .toBe(12)
  await Promise.all(workers.map((one) => one.idle()))
  expect(logInsSince()).toBe(1)
  api.clock.advance(50 * 60_000)
  expect((await send(offer)).status).toBe('accepted')
  expect(logInsSince()).toBe(1)
  // it was given for an hour
  api.clock.advance(11 * 60_000)
  expect((await send(offer)).status).toBe('accepted')
  expect(logInsSince()).toBe(2)
})

test('a token that is refused is got anew once, and the lead goes out by it', async () => {
  const offer = await offerOf()
  await send(offer)
  mock.session.valid = 'somebody-else-logged-in'
  const before = mock.leads.length
  expect((await send(offer)).status).toBe('accepted')
  expect([logInsSince(), mock.leads.length - before]).toEqual([2, 1])
  expect(await productOf(offer)).toMatchObject({ blocked: false, failures: 0 })
})

test('a log-in that is refused stops the product and tells its people; an accepted test lets it go on', async () => {
  const offer = await offerOf('a-wrong-account-key')
  expect((await send(offer)).status).toBe('unsold')
  expect(await sendsOf(offer)).toMatchObject([{ outcome: 'config_error', reason: 'login: wrong account' }])
  expect(await productOf(offer)).toMatchObject({ blocked: true })
  const told = () =>
    api.db
      .selectFrom('notification')
      .select('reason')
      .where('kind', '=', 'product_refused')
      .where('account_id', '=', admin.accountId)
      .execute()
  expect(await told()).toHaveLength(1)
  const params = { uuid: offer.product.uuid }
  const product = (await admin.call(productApi.get, { params })).data
  const { title, host, geos, time_zone, notes, version, version_number } = product
  const body = { title, host, geos, time_zone, notes, version, version_number, credentials: { api_key: mock.key } }
  expect((await admin.call(productApi.update, { params, body })).status).toBe(200)
  const test = (await admin.call(productApi.test, { params, body: { version_number, values: {}, country: 'IT' } })).data
  // another account is another log-in, whatever the last one came to
  expect(test).toMatchObject({ outcome: 'accepted', calls: [{ step: 'login' }, { step: '' }] })
  expect(await productOf(offer)).toMatchObject({ blocked: false, failures: 0, rests_until: null })
  expect((await send(offer)).status).toBe('accepted')
  expect(logInsSince()).toBe(2)
})

test('a log-in that fails is not tried for each lead, and ten leads in a row let the product rest', async () => {
  const offer = await offerOf()
  mock.session.refuses = 503
  for (let at = 0; at < 10; at++) await send(offer)
  expect(logInsSince()).toBe(1)
  expect((await sendsOf(offer)).map(({ outcome }) => outcome)).toEqual(Array.from({ length: 10 }, () => 'temporary'))
  expect((await sendsOf(offer))[9]?.reason).toMatch(/^login: .*tried again after \d\d:\d\d:\d\d UTC/)
  expect((await productOf(offer)).rests_until).not.toBeNull()
  const told = await api.db.selectFrom('notification').select('count').where('kind', '=', 'product_failing').execute()
  expect(told.map(({ count }) => count)).toEqual([10])
  mock.session.refuses = 0
  // of the leads that wait one tries it after its rest, the others follow
  const sender = openLeadSender(worker())
  for (let round = 0; round < 4; round++) {
    api.clock.advance(10 * 60_000)
    await sender.tick()
    await sender.idle()
  }
  expect(logInsSince()).toBe(2)
  expect(await productOf(offer)).toMatchObject({ failures: 0, rests_until: null })
})

test('pulls go by the same token, and renew it where an answer of 200 says it has ended', async () => {
  const offer = await offerOf()
  const lead = await send(offer)
  expect(logInsSince()).toBe(1)
  // those of the other tests would log in as well
  await api.db.deleteFrom('product_pull').where('product_id', '!=', offer.product.id).execute()
  Object.assign(mock.leads.at(-1) ?? {}, { status: 'No Answer' })
  const pull = async () => {
    api.clock.advance(20 * 60_000)
    await pullStatuses(worker())
    const { error } = await api.db
      .selectFrom('product_pull')
      .select('error')
      .where('product_id', '=', offer.product.id)
      .executeTakeFirstOrThrow()
    return [error, (await affiliate.call(leadApi.detail, { params: { uuid: lead.session_uuid } })).data.call_status, logInsSince()]
  }
  expect(await pull()).toEqual(['', 'no_answer', 1])
  mock.session.valid = 'ended'
  Object.assign(mock.leads.at(-1) ?? {}, { status: 'FTD' })
  expect(await pull()).toEqual(['', 'sale', 2])
  // refused by its account itself it is an error, and not asked again and again
  Object.assign(mock.session, { valid: 'ended', refuses: 401 })
  expect(await pull()).toEqual(['login: no log-in now', 'sale', 3])
  expect(await tokenOf(offer)).toMatchObject({ sealed: null, failures: 1, outcome: 'config_error' })
})

test('a pull is tried with its log-in by a person, and nothing of the token is shown or stands anywhere', async () => {
  const offer = await offerOf()
  const params = { uuid: offer.product.uuid }
  const test = await admin.call(productApi.test, { params, body: { version_number: 1, values: {}, country: 'IT' } })
  const pulled = await admin.call(productApi.testPull, { params, body: { version_number: 1, days: 3, ids: [] } })
  expect(pulled.data).toMatchObject({ problem: '', calls: [{ step: 'login' }, { step: 'pull' }] })
  await send(offer)
  // they repeat the token they refuse
  const valid = mock.session.valid
  mock.session.valid = 'another'
  await send(offer)
  const secrets = [mock.key, valid, 'session-']
  const row = await tokenOf(offer)
  expect(row.sealed?.toString('latin1')).not.toContain('session-')
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(api.db)
  const leaks: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(api.db)
    for (const { text } of rows) {
      const hex = [...text.matchAll(/\\x([0-9a-f]+)/g)].map(([, bytes = '']) => Buffer.from(bytes, 'hex').toString('latin1')).join(' ')
      for (const secret of secrets) if (`${text} ${hex}`.replaceAll('/session/', '').includes(secret)) leaks.push(`${name}: ${secret}`)
    }
  }
  // the macro's own name stands in a spec
  expect([...new Set(leaks)]).toEqual([])
  const vault = openLeadVault(secretKey)
  const sealed = await api.db.selectFrom('lead_send').select('call').where('product_id', '=', offer.product.id).execute()
  const calls = sealed.map(({ call }) => (call === null ? '' : vault.openText(call))).join(' ')
  expect(calls).toContain('no token Bearer ••••••')
  for (const text of [calls, JSON.stringify(test.data), JSON.stringify(pulled.data)])
    for (const secret of [mock.key, valid, mock.session.valid]) expect(text).not.toContain(secret)
})
