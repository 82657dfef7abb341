import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredTerms } from '#contract/leads/api-offer.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { quarantineApi } from '#contract/leads/quarantine.ts'
import { stuckApi } from '#contract/leads/stuck.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { pushPath } from '#server/features/leads/product/push-token.ts'
import { countWaiting } from '#server/features/leads/status/word.queries.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { sendLead } from './send-lead.service.ts'
import type { SendParts } from './send-parts.ts'

/** Refuses whoever it is asked for, as late as it is let. */
type Late = { host: string; key: string; asked: Promise<void>; answer(): void; close(): void }
async function startLate(): Promise<Late> {
  const [asked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const server = createServer((_request, response) => {
    asked.resolve()
    const said = JSON.stringify({ success: false, message: 'Invalid phone' })
    void free.promise.then(() => response.writeHead(422, { 'content-type': 'application/json' }).end(said))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a TCP server has one
  const close = () => (server.closeAllConnections(), void server.close())
  return { host: `http://127.0.0.1:${port}`, key: 'any', asked: asked.promise, answer: () => free.resolve(), close }
}

let mock: MockAdvertiser
let lates: Late[]
let allow: string[]
let api: TestApi
let admin: Caller
let advertiser: { id: number; uuid: string }
let affiliate: Caller
const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
beforeAll(async () => {
  mock = await startMockAdvertiser()
  lates = [await startLate(), await startLate()]
  allow = [mock, ...lates].map(({ host }) => host.slice('http://'.length))
  api = await startApi({ env: { OUTBOUND_ALLOW: allow.join(',') } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db)
})
afterAll(async () => {
  await api.close()
  await mock.close()
  for (const late of lates) late.close()
})

/** A product that is told another first name than the lead has, so that its system does what that name asks for. */
const calledAs = (first: string) => {
  const nodes = MOCK_SPEC.request.nodes.map((node) => (node.path === 'first_name' ? { ...node, value: first } : node))
  return { ...MOCK_SPEC, request: { ...MOCK_SPEC.request, nodes } }
}
const TERMS: Partial<StoredTerms> = { on_timeout: 'next', caps: [{ period: 'day', limit: 5 }] }

/** An offer that asks its products in turn, each at an advertiser of its own that does what its word says. */
const offerOf = async (words: readonly string[], terms = TERMS) => {
  const products = []
  for (const word of words) {
    const { id } = await makeAdvertiser(api.db, { name: `Advertiser ${crypto.randomUUID()}` })
    products.push({ ...(await makeMockProduct(api.db, id, mock, api.clock.now(), calledAs(word))), terms: { ...terms } })
  }
  const made = await makeLeadOffer(api.db, admin, (await makeAdvertiser(api.db)).uuid, products)
  return { ...made, products }
}
const send = async (offer: { uuid: string }, more = {}) => (await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, more) })).data
const sendsOf = (uuid: string) =>
  api.db
    .selectFrom('lead_send as n')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .select([
      'n.id',
      'n.uuid',
      'n.status',
      'n.outcome',
      'n.reason',
      'n.passed_on',
      's.id as session_id',
      's.status as became',
      's.next_try_at',
    ])
    .where('s.uuid', '=', uuid)
    .orderBy('n.id')
    .execute()
const said = async (uuid: string) => (await sendsOf(uuid)).map(({ status }) => status)
const used = async ({ members }: { members: number[] }) => {
  const rows = await api.db
    .selectFrom('lead_counter')
    .select(['owner', 'used'])
    .where(
      'owner',
      'in',
      members.map((id) => `member ${id}`),
    )
    .execute()
  return members.map((id) => rows.find(({ owner }) => owner === `member ${id}`)?.used ?? 0)
}
const conversionsOf = (clickId: string | null) =>
  api.db
    .selectFrom('conversion')
    .select(['advertiser_id', 'status'])
    .where('click_id', '=', clickId ?? '')
    .execute()
const parts = (): SendParts => ({
  db: api.db,
  clock: api.clock,
  policy: { allow },
  secretKey,
  findClick: async () => null,
  underWay: new Map(),
})
const push = async ({ uuid }: { uuid: string }, query: Record<string, string>) =>
  fetch(`${api.url}${pushPath(secretKey, uuid)}?${new URLSearchParams(query).toString()}`)
const reject = (uuid: string) => admin.call(quarantineApi.reject, { params: { uuid }, body: {} })

test('after no answer in time the next one is asked where the place says so; it is sold once, and whoever answers too late is kept for a person', async () => {
  const offer = await offerOf(['Silent', 'Anna'])
  const lead = await send(offer)
  expect(lead.status).toBe('accepted')
  const [late, taken] = await sendsOf(lead.session_uuid)
  expect(late).toMatchObject({
    status: 'error',
    outcome: 'ambiguous',
    passed_on: true,
    reason: 'No answer in time: the next one was asked',
  })
  expect([taken?.status, await used(offer)]).toEqual(['accepted', [0, 1]])
  const before = await conversionsOf(lead.click_id)
  expect(before).toHaveLength(1)
  const [first] = offer.products
  const uuid = first?.uuid ?? ''
  expect((await push({ uuid }, { lead_id: late?.uuid ?? '', status: 'no answer' })).status).toBe(200)
  expect((await push({ uuid }, { lead_id: late?.uuid ?? '', status: 'Who Knows' })).status).toBe(202)
  const { integration_id } = await api.db
    .selectFrom('product')
    .select('integration_id')
    .where('id', '=', first?.id ?? 0)
    .executeTakeFirstOrThrow()
  // it may mean money: whoever says what it means finds it
  expect(await countWaiting(api.db, integration_id, ['who knows'])).toEqual(new Map([['who knows', 1]]))
  for (const _ of [1, 2]) {
    const answer = await push({ uuid }, { lead_id: late?.uuid ?? '', status: 'FTD', amount: '100' })
    expect([answer.status, await answer.json()]).toEqual([409, { status: 'error', reason: 'answered_too_late', parameter: 'lead_id' }])
  }
  expect(await conversionsOf(lead.click_id)).toEqual(before)
  expect(await said(lead.session_uuid)).toEqual(['error', 'accepted'])
  const kept = (await admin.call(stuckApi.list, { body: { search: late?.uuid ?? '' } })).data.list
  expect(kept).toEqual([expect.objectContaining({ reason: 'sold_elsewhere', seen: 2, lead: expect.anything() })])
  const replayed = await admin.call(stuckApi.replay, { params: { uuid: kept[0]?.uuid ?? '' }, body: {} })
  expect([replayed.status, JSON.stringify(replayed.errors)]).toEqual([422, expect.stringContaining('sold_elsewhere')])
})

test('where nobody else takes it a person decides about each who gave no answer, the last asked first, and places stay taken till then', async () => {
  const offer = await offerOf(['Silent', 'Silent', 'Reject'])
  const lead = await send(offer)
  expect([lead.status, await said(lead.session_uuid)]).toEqual(['ambiguous', ['error', 'ambiguous', 'rejected']])
  expect(await used(offer)).toEqual([1, 1, 0])
  const sends = await sendsOf(lead.session_uuid)
  expect((await reject(sends[1]?.uuid ?? '')).status).toBe(200)
  await sendLead(parts(), sends[0]?.session_id ?? '')
  expect([await said(lead.session_uuid), await used(offer)]).toEqual([
    ['ambiguous', 'rejected', 'rejected'],
    [1, 0, 0],
  ])
  expect((await sendsOf(lead.session_uuid))[0]?.became).toBe('ambiguous')
  const accepted = await admin.call(quarantineApi.accept, { params: { uuid: sends[0]?.uuid ?? '' }, body: {} })
  expect([accepted.status, await conversionsOf(lead.click_id), await used(offer)]).toEqual([
    200,
    [expect.objectContaining({ status: 'approved' })],
    [1, 0, 0],
  ])
})

test('while it waits for others, what whoever gave no answer says of it stands: they have it, and nobody else is asked', async () => {
  const offer = await offerOf(['Silent', 'Full'])
  const lead = await send(offer)
  expect([lead.status, await said(lead.session_uuid)]).toEqual(['queued', ['error', 'no_capacity']])
  const [late] = await sendsOf(lead.session_uuid)
  const [first] = offer.products
  expect((await push({ uuid: first?.uuid ?? '' }, { lead_id: late?.uuid ?? '', status: 'FTD', amount: '100' })).status).toBe(200)
  expect(await sendsOf(lead.session_uuid)).toMatchObject([
    { status: 'accepted', passed_on: false, became: 'converted', next_try_at: null },
    {},
  ])
  api.clock.advance(3_600_000)
  await sendLead(parts(), late?.session_id ?? '')
  expect([await said(lead.session_uuid), await used(offer)]).toEqual([
    ['accepted', 'no_capacity'],
    [1, 0],
  ])
  expect(await conversionsOf(lead.click_id)).toHaveLength(2)
})

test('in later rounds whoever gave no answer is not asked again, nor for another lead of the same person', async () => {
  const offer = await offerOf(['Silent', 'Full'])
  const body = leadOf(offer.uuid)
  const { data: lead } = await affiliate.call(leadApi.send, { body })
  const [late] = await sendsOf(lead.session_uuid)
  api.clock.advance(10 * 60_000)
  await sendLead(parts(), late?.session_id ?? '')
  expect(await said(lead.session_uuid)).toEqual(['error', 'no_capacity', 'no_capacity'])
  const other = await makeLeadOffer(api.db, admin, (await makeAdvertiser(api.db)).uuid, [
    { id: offer.products[0]?.id ?? 0, terms: { repeat_days: null } },
  ])
  const again = await affiliate.call(leadApi.send, { body: { ...leadOf(other.uuid), phone: body.phone, email: body.email } })
  expect([again.data.status, await said(again.data.session_uuid)]).toEqual(['unsold', []])
})

test('a lead that is refused after its send was taken for lost goes on by a worker alone, and to nobody where a refusal ends it', async () => {
  const patient = { ...MOCK_SPEC, request: { ...MOCK_SPEC.request, timeout_ms: 30_000 } }
  for (const [late, on_reject] of [
    [lates[0]!, 'next'],
    [lates[1]!, 'stop'],
  ] as const) {
    const products = [
      { ...(await makeMockProduct(api.db, advertiser.id, late, api.clock.now(), patient)), terms: { ...TERMS, on_reject } },
      { ...(await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())), terms: {} },
    ]
    const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, products)
    const before = mock.asked.length
    const sending = send(offer)
    await late.asked
    // its process is taken for dead: somebody is asked what became of it
    api.clock.advance(10 * 60_000)
    const { id, uuid } = await api.db
      .selectFrom('user_session')
      .select(['id', 'uuid'])
      .where('offer_id', '=', offer.id)
      .executeTakeFirstOrThrow()
    await sendLead(parts(), id)
    expect(await sendsOf(uuid)).toMatchObject([{ status: 'ambiguous', became: 'ambiguous' }])
    late.answer()
    // a worker may have it in hand by now: whoever comes back late asks nobody
    const became = on_reject === 'next' ? 'queued' : 'rejected'
    expect([(await sending).status, mock.asked.length]).toEqual([became, before])
    expect(await sendsOf(uuid)).toMatchObject([{ status: 'rejected', became }])
    expect(await used(offer)).toEqual([0, 0])
    await sendLead(parts(), id)
    expect(await said(uuid)).toEqual(on_reject === 'next' ? ['rejected', 'accepted'] : ['rejected'])
  }
})
