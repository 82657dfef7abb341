import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { quarantineApi } from '#contract/leads/quarantine.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openStatusPuller, pullStatuses } from './pull.jobs.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
/** A list that says what a test says, asked by ids or for days. */
const list = {
  asked: [] as URLSearchParams[],
  answer: async (_asked: URLSearchParams): Promise<unknown[] | null> => [],
}
let server: Server
beforeAll(async () => {
  server = createServer((request, response) => void say(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})
beforeEach(() => {
  list.asked.length = 0
  list.answer = async () => []
})
/** What the test says; 404 where it says nothing. */
async function say(request: IncomingMessage, response: ServerResponse) {
  const { searchParams } = new URL(request.url ?? '', 'http://list')
  list.asked.push(searchParams)
  const data = await list.answer(searchParams)
  response.writeHead(data === null ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: data ?? 'unknown' }))
}
const address = () => `127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server has one

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: `${mock.host.slice('http://'.length)},${address()}` } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
})
afterAll(async () => {
  await api.close()
  await mock.close()
})
beforeEach(async () => {
  await api.db.deleteFrom('product_pull').execute()
  mock.leads.length = 0
})

const parts = () => ({
  db: api.db,
  clock: api.clock,
  policy: { allow: [mock.host.slice('http://'.length)] },
  secretKey,
  findClick: async () => null,
})
const pull = () => {
  api.clock.advance(3_600_000)
  return pullStatuses(parts())
}
/** An offer of a product of its own at the mock advertiser. */
async function made(spec?: Parameters<typeof makeMockProduct>[4]) {
  const advertiser = await makeAdvertiser(api.db)
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), spec)
  return { product, offer: await makeLeadOffer(api.db, admin, advertiser.uuid, [product]) }
}
/** A lead of an offer, with what its advertiser has of it. */
async function send(offer: { uuid: string }) {
  const { data } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid) })
  return { ...data, theirs: mock.leads.at(-1) ?? expect.fail('not sent') }
}
const detail = async (uuid: string) => (await affiliate.call(leadApi.detail, { params: { uuid } })).data
const pullOf = ({ id }: { id: number }) =>
  api.db.selectFrom('product_pull').selectAll().where('product_id', '=', id).executeTakeFirstOrThrow()

test('a row that cannot be applied keeps none of the others, and is said', async () => {
  const { product, offer } = await made()
  const [broken, paid] = [await send(offer), await send(offer)]
  // its person was sealed by another key
  await api.db
    .updateTable('user_session')
    .set({ sealed: Buffer.from('of another key') })
    .where('uuid', '=', broken.session_uuid)
    .execute()
  Object.assign(broken.theirs, { status: 'FTD' })
  Object.assign(paid.theirs, { status: 'FTD' })
  await pull()
  expect(await detail(paid.session_uuid)).toMatchObject({ status: 'converted', call_status: 'sale' })
  const row = await pullOf(product)
  expect(row).toMatchObject({
    leased_until: null,
    failures: 1,
    error: 'Rows that could not be applied: 1; the log of the server tells why',
  })
  // the list itself was read: it is asked for as often as any
  expect(row.due_at.getTime() - api.clock.now()).toBe(15 * 60_000)
})

test('a product that cannot be asked at all says so, is asked again later, and holds up nobody', async () => {
  const [{ product, offer }, other] = [await made(), await made()]
  await send(offer)
  const lead = await send(other.offer)
  Object.assign(lead.theirs, { status: 'FTD' })
  // its account was sealed by another key
  await api.db
    .updateTable('product')
    .set({ credentials: Buffer.from('of another key') })
    .where('id', '=', product.id)
    .execute()
  await pull()
  expect(await pullOf(product)).toMatchObject({
    leased_until: null,
    failures: 1,
    error: 'It could not be asked: the log of the server tells why',
  })
  expect(await detail(lead.session_uuid)).toMatchObject({ status: 'converted' })
})

const listSpec = (more: object) => {
  const query = Object.entries({ ids: 'poll.ids', from: 'poll.from', to: 'poll.to', page: 'poll.page' }).map(([name, macro]) => ({
    name,
    value: `{{${macro}}}`,
  }))
  const request = { method: 'GET', url: `http://${address()}/list`, query, timeout_ms: 60_000 }
  return integrationSpec.parse({ ...MOCK_SPEC, pull: { ...MOCK_SPEC.pull, request, ...more } })
}
const puller = (more: Parameters<typeof openStatusPuller>[1] = {}) =>
  openStatusPuller({ ...parts(), policy: { allow: [mock.host.slice('http://'.length), address()] } }, more)
/** One pull of everything that is due a quarter of an hour later; answers the IDs it asked about. */
const pullOnce = async (limits: { calls: number; ms: number }) => {
  api.clock.advance(16 * 60_000)
  list.asked.length = 0
  const one = puller({ limits })
  await one.tick()
  await one.idle()
  return list.asked.flatMap((asked) => asked.get('ids')?.split(',') ?? [])
}
const due = ({ id }: { id: number }) =>
  api.db
    .updateTable('product_pull')
    .set({ due_at: new Date(api.clock.now()) })
    .where('product_id', '=', id)
    .execute()

test.each([
  ['calls', { calls: 4, ms: 3_600_000 }],
  ['time', { calls: 1_000, ms: 4 * 60_000 }],
])(
  'a pull that may not ask more for its %s goes on the next time: the newest are asked about by each, and every lead in turn',
  async (_of, limits) => {
    const { product, offer } = await made(listSpec({ by: 'ids', ids_at_once: 1 }))
    const leads: Awaited<ReturnType<typeof send>>[] = []
    for (let at = 0; at < 8; at++) {
      leads.push(await send(offer))
      api.clock.advance(1_000)
    }
    const ids = leads.map(({ theirs }) => theirs.id)
    const [closed = ''] = ids.slice(-1)
    await api.db
      .updateTable('user_session')
      .set({ status: 'closed' })
      .where('uuid', '=', leads.at(-1)?.session_uuid ?? '')
      .execute()
    await api.db
      .updateTable('product_pull')
      .set({ swept_at: new Date(api.clock.now()) })
      .execute()
    list.answer = async () => {
      api.clock.advance(60_000)
      return []
    }
    const pulls: string[][] = []
    for (let at = 0; at < 4; at++) pulls.push(await pullOnce(limits))
    const newest = [ids[6], ids[5]]
    expect(pulls.map((asked) => asked.slice(0, 2))).toEqual([newest, newest, newest, newest])
    // who is over is asked about in its turn alone
    const turns = pulls.map((asked) => asked.slice(2))
    expect(turns).toEqual([
      [closed, ids[4]],
      [ids[3], ids[2]],
      [ids[1], ids[0]],
      [closed, ids[4]],
    ])
    expect(await pullOf(product)).toMatchObject({ error: '', failures: 0, leased_until: null })
  },
)

test('questions that are never answered do not hold up those behind them', async () => {
  const { product, offer } = await made(listSpec({ by: 'ids', ids_at_once: 1 }))
  const ids: string[] = []
  for (let at = 0; at < 8; at++) ids.push((await send(offer)).theirs.id)
  const lost = new Set(ids.slice(1, 6))
  list.answer = async (asked) => (lost.has(asked.get('ids') ?? '') ? null : [])
  const asked = new Set<string>()
  for (let at = 0; at < 3; at++) for (const id of await pullOnce({ calls: 1_000, ms: 3_600_000 })) asked.add(id)
  expect([...asked].toSorted()).toEqual(ids.toSorted())
  const row = await pullOf(product)
  expect([row.error, row.due_at.getTime() - api.clock.now()]).toEqual(['HTTP 404', 15 * 60_000])
})

test('an advertiser that answers slowly keeps no other waiting, and nobody else asks it meanwhile, however long it takes', async () => {
  const [slow, other] = [await made(listSpec({ by: 'ids' })), await made()]
  const lead = await send(other.offer)
  Object.assign(lead.theirs, { status: 'FTD' })
  await send(slow.offer)
  const hanging = Promise.withResolvers<unknown[]>()
  list.answer = () => hanging.promise
  api.clock.advance(3_600_000)
  await api.db
    .updateTable('product_pull')
    .set({ due_at: new Date(api.clock.now() + 60_000) })
    .where('product_id', '=', other.product.id)
    .execute()
  const one = puller({ quick: 1, renewMs: 10 })
  expect(await one.tick()).toBe(1)
  await expect.poll(() => list.asked.length).toBe(1)
  api.clock.advance(60_000)
  expect(await one.tick()).toBe(1)
  await expect.poll(async () => (await detail(lead.session_uuid)).status).toBe('converted')
  // long after the time it was taken for
  for (let minutes = 0; minutes < 30; minutes++) {
    api.clock.advance(60_000)
    await expect
      .poll(async () => ((await pullOf(slow.product)).leased_until?.getTime() ?? 0) > api.clock.now() + 60_000, { interval: 5 })
      .toBe(true)
  }
  await due(slow.product)
  await api.db.deleteFrom('product_pull').where('product_id', '=', other.product.id).execute()
  expect(await puller().tick()).toBe(0)
  hanging.resolve([])
  await one.idle()
  expect(await pullOf(slow.product)).toMatchObject({ leased_until: null, error: '', silent: 1 })
})

test('a worker that lost a product to another says nothing of how asking it went', async () => {
  const { product, offer } = await made(listSpec({ by: 'ids' }))
  await send(offer)
  const hanging = Promise.withResolvers<unknown[]>()
  list.answer = () => hanging.promise
  api.clock.advance(3_600_000)
  const one = puller()
  expect(await one.tick()).toBe(1)
  await expect.poll(() => list.asked.length).toBe(1)
  const theirs = new Date(api.clock.now() + 1_000_000)
  await api.db.updateTable('product_pull').set({ leased_until: theirs }).where('product_id', '=', product.id).execute()
  hanging.resolve([])
  await one.idle()
  expect(await pullOf(product)).toMatchObject({ leased_until: theirs, silent: 0, pulled_at: null })
})

test('of rows a list has of one lead the last word counts, and money whatever stands beside it: read again they write nothing', async () => {
  const { offer } = await made()
  const [called, paid, returned, mapped] = [await send(offer), await send(offer), await send(offer), await send(offer)]
  const also = ({ theirs }: typeof called, ...more: Partial<typeof theirs>[]) => {
    for (const one of more) mock.leads.push({ ...theirs, ...one })
  }
  Object.assign(called.theirs, { status: 'No Answer' })
  also(called, { status: 'Declined' })
  Object.assign(paid.theirs, { status: 'Active', deposit: '250' })
  also(paid, { status: 'No Answer', deposit: '' })
  Object.assign(returned.theirs, { status: 'FTD' })
  also(returned, { status: 'Returned' })
  Object.assign(mapped.theirs, { status: 'FTD' })
  also(mapped, { status: 'No Answer' })
  for (let at = 0; at < 4; at++) await pull()
  const states = await Promise.all([called, paid, returned, mapped].map(async ({ session_uuid }) => await detail(session_uuid)))
  expect(states.map(({ status, call_status }) => [status, call_status])).toEqual([
    ['closed', 'not_interested'],
    ['converted', 'sale'],
    ['closed', 'returned'],
    ['converted', 'sale'],
  ])
  const written = await api.db
    .selectFrom('lead_status as l')
    .innerJoin('lead_send as n', 'n.id', 'l.send_id')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .select(['l.raw'])
    .where('s.offer_id', '=', offer.id)
    .orderBy('l.send_id')
    .execute()
  expect(written.map(({ raw }) => raw)).toEqual(['Declined', 'Active', 'Returned', 'FTD'])
})

test('a list of more pages than are read at once does not pass for whole: it says so, and is read on by the next pull', async () => {
  const { product, offer } = await made(listSpec({ paging: { by: 'page', size: 1 } }))
  const lead = await send(offer)
  await api.db
    .updateTable('lead_send')
    .set({ asked_at: new Date(api.clock.now() - 120 * 86_400_000) })
    .where('product_id', '=', product.id)
    .execute()
  list.answer = async (asked) => {
    const page = Number(asked.get('page'))
    return page > 230 ? [] : [{ id: page === 230 ? lead.theirs.id : `other ${page}`, status: 'FTD' }]
  }
  const limits = { calls: 2_000, ms: 3_600_000 }
  await pullOnce(limits)
  expect(await pullOf(product)).toMatchObject({
    error: 'The list has more than 200 pages: the rest is read by the next pull',
    failures: 0,
    swept_at: null,
    sweep: { spot: null, half: { pages: 200 } },
  })
  expect((await detail(lead.session_uuid)).status).toBe('accepted')
  await pullOnce(limits)
  expect(list.asked.map((asked) => asked.get('page'))).toEqual(Array.from({ length: 31 }, (_, at) => String(201 + at)))
  expect((await detail(lead.session_uuid)).status).toBe('converted')
  expect(await pullOf(product)).toMatchObject({ error: '', sweep: null, swept_at: new Date(api.clock.now()) })
})

test('a list that never ends is given up', async () => {
  const { product, offer } = await made(listSpec({ paging: { by: 'page', size: 1 } }))
  await send(offer)
  await api.db
    .updateTable('lead_send')
    .set({ asked_at: new Date(api.clock.now() - 120 * 86_400_000) })
    .where('product_id', '=', product.id)
    .execute()
  list.answer = async () => [{ id: 'nobody' }]
  const limits = { calls: 2_000, ms: 3_600_000 }
  await pullOnce(limits)
  const { sweep } = await pullOf(product)
  const half = sweep?.half ?? expect.fail('not left')
  await api.db
    .updateTable('product_pull')
    .set({ sweep: JSON.stringify({ ...sweep, half: { ...half, pages: 1_990 } }) })
    .where('product_id', '=', product.id)
    .execute()
  await pullOnce(limits)
  expect(list.asked).toHaveLength(10)
  expect(await pullOf(product)).toMatchObject({ error: 'The list has more than 2000 pages, and was given up', sweep: null, failures: 1 })
})

test.each([
  ['one part of a pull', { calls: 1_000, ms: 3_600_000 }],
  ['two', { calls: 2, ms: 3_600_000 }],
])('what a list of younger days says of a lead counts, and not what one of older days does, in %s', async (_parts, limits) => {
  const { product, offer } = await made(listSpec({ window_days: 7, slack_hours: 0 }))
  const [old, lead] = [await send(offer), await send(offer)]
  const ago = new Date(api.clock.now() - 60 * 86_400_000)
  await api.db
    .updateTable('lead_send')
    .set({ asked_at: ago })
    .where('product_id', '=', product.id)
    .where('external_id', '=', old.theirs.id)
    .execute()
  await api.db
    .updateTable('product_pull')
    .set({ swept_at: new Date(api.clock.now()) })
    .execute()
  const isOld = (asked: URLSearchParams) => Date.parse(asked.get('to') ?? '') < api.clock.now() - 30 * 86_400_000
  list.answer = async (asked) => [{ id: lead.theirs.id, status: isOld(asked) ? 'New' : 'No Answer' }]
  for (let at = 0; at < 3; at++) {
    await pullOnce(limits)
    expect(list.asked.map(isOld)).toEqual([false, true])
  }
  const written = await api.db
    .selectFrom('lead_status as l')
    .innerJoin('lead_send as n', 'n.id', 'l.send_id')
    .select('l.raw')
    .where('n.product_id', '=', product.id)
    .execute()
  expect(written).toEqual([{ raw: 'No Answer' }])
})

test('whom the version of then asked is not told the account of today, where the version of today does not know them', async () => {
  const { product, offer } = await made(listSpec({ id_is: 'lead_id' }))
  const { data: lead } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { first_name: 'Silent' }) })
  expect(lead.status).toBe('ambiguous')
  const { uuid } = await api.db.selectFrom('lead_send').select('uuid').where('product_id', '=', product.id).executeTakeFirstOrThrow()
  const lookUp = async () => (await admin.call(quarantineApi.lookUp, { params: { uuid } })).data
  expect(await lookUp()).toEqual({ result: 'unknown', error: '' })
  expect(list.asked).toHaveLength(1)
  const { integration_id } = await api.db
    .selectFrom('product')
    .select('integration_id')
    .where('id', '=', product.id)
    .executeTakeFirstOrThrow()
  const at = new Date(api.clock.now())
  const version = await api.db
    .insertInto('integration_version')
    .values({ integration_id, number: 2, spec: JSON.stringify(MOCK_SPEC), state: 'draft', created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await api.db.updateTable('product').set({ version_id: version.id }).where('id', '=', product.id).execute()
  expect(await lookUp()).toEqual({ result: 'failed', error: 'The address may not be called' })
  expect(list.asked).toHaveLength(1)
})
