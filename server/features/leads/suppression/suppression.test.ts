import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallOutput } from '#contract/endpoint.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { suppressionApi } from '#contract/leads/suppression.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { applyStatus } from '../status/apply-status.service.ts'
import { findSend } from '../status/status.queries.ts'
import { liftOver } from './suppression.service.ts'

const DAY = 86_400_000
const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let first: { id: number; uuid: string }
let offer: { id: number; uuid: string }
let other: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  first = await makeAdvertiser(api.db, { name: 'Zephyr' })
  const second = await makeAdvertiser(api.db, { name: 'Boreas' })
  const product = (of: { id: number }) => makeMockProduct(api.db, of.id, mock, api.clock.now(), MOCK_SPEC)
  offer = await makeLeadOffer(api.db, admin, first.uuid, [await product(first), await product(second)])
  other = await makeLeadOffer(api.db, admin, first.uuid, [await product(second)])
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const send = async (more: Record<string, unknown>, to = offer) => (await affiliate.call(leadApi.send, { body: leadOf(to.uuid, more) })).data
const NAMES: string[] = []
/** Each name has a telephone of its own. */
function who(name: string, more: object = {}) {
  if (!NAMES.includes(name)) NAMES.push(name)
  return { email: `${name}@mail.example`, phone: `+39333444${1000 + NAMES.indexOf(name)}`, ip: '198.51.100.1', ...more }
}
const list = async (body: object = {}) => (await admin.call(suppressionApi.list, { body })).data.list
const add = (body: object) =>
  admin.call(suppressionApi.add, { body: { reason: 'opt_out', ...body } as { kind: 'email'; value: string; reason: 'opt_out' } })
const lift = async (uuid: string) =>
  (await admin.call(suppressionApi.remove, { body: { uuids: [uuid], reason: 'By mistake' } })).data.changed
const suppressedAt = async (uuid: string) =>
  (
    await api.db
      .selectFrom('person as p')
      .innerJoin('user_session as s', 's.person_id', 'p.id')
      .select('p.suppressed_at')
      .where('s.uuid', '=', uuid)
      .executeTakeFirstOrThrow()
  ).suppressed_at
async function upload<Of extends typeof suppressionApi.preview | typeof suppressionApi.import>(of: Of, text: string) {
  const response = await fetch(`${api.url}${of.path}?name=dnc.csv&reason=dnc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(Buffer.from(text)),
  })
  return ((await response.json()) as { data: CallOutput<Of> & { fields?: Record<string, string> } }).data // as every endpoint answers
}

test('a contact suppressed everywhere is refused when it comes, whether it was known or not, until somebody lifts it and says why', async () => {
  const known = await send(who('known'))
  expect(known.status).toBe('accepted')
  const { data } = await add({ kind: 'email', value: ' Known@Mail.example', note: 'Wrote to us' })
  expect(data).toMatchObject({ shown: 'k***@m***.example', advertiser: null, offer: null, source: 'staff', expires_at: null })
  expect(await suppressedAt(known.session_uuid)).not.toBeNull()
  await add({ kind: 'phone', value: '+39 333 222 11 00' })
  await add({ kind: 'domain', value: 'refused.example' })
  await add({ kind: 'ip', value: '203.0.113.9' })
  for (const lead of [
    who('known'),
    { phone: '+393332221100', email: 'new@mail.example' },
    who('deep', { email: 'a@deep.refused.example' }),
    who('addressed', { ip: '203.0.113.9' }),
  ]) {
    const refused = await send(lead, other)
    expect([lead.email, refused.status, refused.reason]).toEqual([lead.email, 'rejected', 'suppressed'])
  }
  expect((await add({ kind: 'email', value: 'KNOWN@mail.example' })).data.uuid).toBe(data.uuid)
  // found by the whole of it, by no part
  expect(await Promise.all(['known@mail.example', 'known@', 'refused.ex'].map(async (search) => (await list({ search })).length))).toEqual([
    1, 0, 1,
  ])
  const rows = await api.db.selectFrom('suppression').selectAll().execute()
  expect(JSON.stringify([rows, await api.db.selectFrom('audit').selectAll().execute()])).not.toMatch(/known@|2221100/)

  expect(await lift(data.uuid)).toBe(1)
  expect(await lift(data.uuid)).toBe(0)
  expect(await suppressedAt(known.session_uuid)).toBeNull()
  expect((await send(who('known'), other)).reason).not.toBe('suppressed')
})

test('an advertiser or an offer of its own is passed over alone, and the lead says why', async () => {
  await add({ kind: 'email', value: 'scoped@mail.example', advertiser_uuid: first.uuid })
  const taken = await send(who('scoped'))
  expect(taken.status).toBe('accepted')
  const { session, events } = (await admin.call(userSessionApi.detail, { params: { uuid: taken.session_uuid } })).data
  expect(session.advertiser?.name).toBe('Boreas')
  expect(events.find(({ kind }) => kind === 'considered')).toMatchObject({
    members: [{ passed: false, check: 'suppressed' }, { passed: true }],
  })
  await add({ kind: 'email', value: 'offered@mail.example', offer_uuid: offer.uuid })
  expect((await send(who('offered'))).reason).toBe('suppressed')
  expect((await send(who('offered'), other)).status).toBe('accepted')
  expect((await add({ kind: 'email', value: 'x@mail.example', offer_uuid: offer.uuid, advertiser_uuid: first.uuid })).fields).toEqual({
    offer_uuid: 'Choose an advertiser or an offer, not both',
  })
  expect((await add({ kind: 'email', value: 'x@mail.example', advertiser_uuid: offer.uuid })).fields).toEqual({
    advertiser_uuid: 'Choose an advertiser',
  })
})

test('what is over holds no more, and its person is free again', async () => {
  const ends = new Date(api.clock.now() + DAY).toISOString()
  const lead = await send(who('brief'))
  await add({ kind: 'email', value: 'brief@mail.example', expires_at: ends })
  expect((await send(who('brief'), other)).reason).toBe('suppressed')
  api.clock.advance(DAY + 1)
  await liftOver(api.db, api.clock.now())
  expect(await suppressedAt(lead.session_uuid)).toBeNull()
  expect((await send(who('brief'), other)).reason).not.toBe('suppressed')
})

test('who asks for more is not let go when an earlier end comes: an entry holds as long as either says, by the weightier reason', async () => {
  const ends = new Date(api.clock.now() + DAY).toISOString()
  for (const name of ['later', 'longer', 'shorter'])
    await add({ kind: 'email', value: `${name}@mail.example`, reason: 'dnc', expires_at: ends })
  await add({ kind: 'email', value: 'good@mail.example', reason: 'opt_out' })
  const tell = async (reason: 'opt_out' | 'complaint' | 'dnc', ...names: string[]) => {
    const contacts = names.map((name) => ({ email: `${name}@mail.example` }))
    return (await admin.call(suppressionApi.tell, { body: { reason, contacts } })).data
  }
  expect(await tell('opt_out', 'later', 'later')).toMatchObject({ added: 1, there: 0 })
  expect(await tell('dnc', 'longer')).toMatchObject({ added: 1, there: 0 })
  expect(await tell('complaint', 'good')).toMatchObject({ added: 1, there: 0 })
  // what says no more changes nothing
  expect(await tell('dnc', 'later', 'longer', 'good')).toMatchObject({ added: 0, there: 3 })
  const soon = new Date(api.clock.now() + DAY / 2).toISOString()
  expect((await upload(suppressionApi.import, `kind,value,expires_at\nemail,shorter@mail.example,${soon}`)).made).toBe(0)
  // nor does staff weaken what others told of somebody, but by lifting it
  expect((await add({ kind: 'email', value: 'good@mail.example', reason: 'manual', expires_at: ends })).data).toMatchObject({
    reason: 'complaint',
    expires_at: null,
  })
  const seen = async (name: string) =>
    (await list({ search: `${name}@mail.example` })).map(({ reason, expires_at }) => [reason, expires_at])
  expect(await Promise.all(['later', 'longer', 'good', 'shorter'].map(seen))).toEqual([
    [['opt_out', null]],
    [['dnc', null]],
    [['complaint', null]],
    [['dnc', ends]],
  ])
  api.clock.advance(DAY + 1)
  await liftOver(api.db, api.clock.now())
  expect((await send(who('later'), other)).reason).toBe('suppressed')
  expect((await send(who('shorter'), other)).reason).not.toBe('suppressed')
})

test('“do not call” of an advertiser suppresses the person', async () => {
  const lead = await send(who('annoyed'))
  const row = await api.db.selectFrom('lead_send').select(['uuid', 'product_id']).orderBy('id', 'desc').executeTakeFirstOrThrow()
  const sent = (await findSend(api.db, row.product_id, { uuid: row.uuid })) ?? expect.fail('no send')
  const said = { raw: 'do not call', isSale: false, amount: '' }
  const statuses = { ...MOCK_SPEC.statuses, 'do not call': 'do_not_call' as const }
  const parts = { db: api.db, secretKey, findClick: async () => null }
  expect(await applyStatus(parts, sent, { statuses }, said, 'push', api.clock.now())).toBe('applied')
  expect(await suppressedAt(lead.session_uuid)).not.toBeNull()
  expect(await list({ source: ['call'] })).toMatchObject([
    { kind: 'phone', reason: 'dnc', by: null },
    { shown: 'a***@m***.example', reason: 'dnc', by: null },
  ])
})

test('a file is looked through and taken, two at once add each value once; other systems tell many, and again change nothing', async () => {
  const text = 'kind;value;note\nemail;file@mail.example;list of May\n;+393330001122;\nip;203.0.113.0/24;\nfirst name;Anna;\nemail;nobody;'
  const seen = await upload(suppressionApi.preview, text)
  expect([seen.good, seen.there, seen.bad]).toEqual([2, 0, 3])
  expect(seen.refused.map(({ problem }) => problem)).toEqual([
    'Write a whole address such as 203.0.113.7',
    'Say in a column named kind what this is',
    'This is not an e-mail address',
  ])
  const [one, two] = await Promise.all([upload(suppressionApi.import, text), upload(suppressionApi.import, text)])
  expect([one.made, two.made].toSorted()).toEqual([0, 2])
  expect((await send(who('file'))).reason).toBe('suppressed')

  const body = { reason: 'complaint' as const, contacts: [{ email: 'told@mail.example', phone: '+393331112233' }, { phone: '12' }] }
  const told = await admin.call(suppressionApi.tell, { body })
  expect(told.data).toMatchObject({ added: 2, there: 0, refused: [{ at: 1, field: 'phone' }] })
  expect((await admin.call(suppressionApi.tell, { body })).data).toMatchObject({ added: 0, there: 2 })
  expect((await send(who('told'))).reason).toBe('suppressed')
})

test('telephones that stand beside e-mail addresses are read too, and columns nobody reads are named', async () => {
  const text =
    'email,phone,City\nbeside@mail.example,+39 333 777 1122,Rome\n,+393337771133,\nnone,12,\n,,Milan\nalone@mail.example,,\nmail.example,,'
  const seen = await upload(suppressionApi.preview, text)
  expect([seen.good, seen.there, seen.bad, seen.unread]).toEqual([4, 0, 4, ['City']])
  expect(seen.list.map(({ line, kind }) => [line, kind])).toEqual([
    [2, 'email'],
    [2, 'phone'],
    [3, 'phone'],
    [6, 'email'],
  ])
  expect((await upload(suppressionApi.import, text)).made).toBe(4)
  const alike = { ...who('beside'), email: 'other@mail.example', phone: '+393337771122' }
  expect((await send(alike)).reason).toBe('suppressed')
})

test('admin and head alone may look', async () => {
  const asked = (['head', 'manager', 'team lead', 'affiliate'] as const).map(
    async (role) => (await (await api.as(role)).call(suppressionApi.list, { body: {} })).status,
  )
  expect(await Promise.all(asked)).toEqual([200, 403, 403, 403])
})
