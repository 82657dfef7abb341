import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partnerApiBalanceApi } from '#contract/money/partner-api.ts'
import { partnerApiTicketApi } from '#contract/network/partner-api.ts'
import { ticketApi } from '#contract/network/ticket.ts'
import { partnerApiOfferApi } from '#contract/offers/partner-api.ts'
import { CALLS_A_MINUTE } from '#contract/people/api-key.ts'
import { KEY_SCOPES, type KeyScope } from '#contract/people/key-scope.ts'
import { problem } from '#contract/problem.ts'
import { partnerApiClickApi, partnerApiConversionApi, partnerApiReportApi } from '#contract/traffic/partner-api.ts'
import { partnerApiPostbackApi } from '#contract/traffic/partner-api-postback.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { makeKey } from '#test/support/make/api-key.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { caller, startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const HOUR = 3_600_000
const TODAY = { from: '2026-11-21', to: '2026-11-21' }

let api: TestApi
let keys: ClickIdKeys
let affiliate: Caller
let call: Caller['call']
let key: string
beforeAll(async () => {
  api = await startApi({ clickhouse: true })
  keys = await makeClickKeys(api.db)
  affiliate = await api.as('affiliate', { name: 'Media' })
  key = await makeKey(api, affiliate, KEY_SCOPES)
  call = caller(api.url, key)
})
afterAll(() => api.close())

/** Clicks of an affiliate on an offer, each with its conversion. */
async function convert(who: Caller, offer: Awaited<ReturnType<typeof makeOffer>>, count: number): Promise<void> {
  const now = api.clock.now()
  const clicks = Array.from({ length: count }, () =>
    makeClick(keys, { offerId: offer.id, affiliateId: who.affiliateId ?? 0, at: now - HOUR }),
  )
  await storeClicks(api.clickhouse, clicks)
  const parts = { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock }
  for (const click of clicks)
    await receivePostback(parts, handOver({ click_id: click.id, token: offer.token }, { received_at: new Date(now).toISOString() }))
}

const raw = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } })

describe('a page after the other by cursor', () => {
  /** Every page of two, and something new made between the first and the second. */
  async function walk<Row>(page: (query: object) => Promise<{ data: Row[]; next_cursor: string | null }>, between: () => Promise<unknown>) {
    const rows: Row[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const found = await page({ count: '2', ...(cursor !== undefined && { cursor }) })
      rows.push(...found.data)
      if (cursor === undefined) await between()
      cursor = found.next_cursor
    }
    return rows
  }

  test('neither skips nor repeats a row, whatever comes meanwhile', async () => {
    const who = await api.as('affiliate')
    const own = caller(api.url, await makeKey(api, who, ['offers.read', 'traffic.read', 'network.read']))
    const offers = [await makeOffer(api.db), await makeOffer(api.db), await makeOffer(api.db)]
    const [offer] = offers as [(typeof offers)[number]]
    await convert(who, offer, 5)
    const open = () => who.call(ticketApi.create, { body: { key: randomUUID(), subject: 'A question', body: 'How?', category: 'general' } })
    for (let n = 0; n < 3; n++) await open()

    const conversions = await walk(
      async (query) => (await own(partnerApiConversionApi.list, { query })).data,
      () => convert(who, offer, 1),
    )
    expect(new Set(conversions.map(({ uuid }) => uuid)).size).toBe(5)
    expect(conversions).toHaveLength(5)
    const clicks = await walk(
      async (query) => (await own(partnerApiClickApi.list, { query: { ...TODAY, ...query } })).data,
      () => convert(who, offer, 1),
    )
    expect(new Set(clicks.map(({ click_id }) => click_id)).size).toBe(clicks.length)
    const tickets = await walk(async (query) => (await own(partnerApiTicketApi.list, { query })).data, open)
    expect(tickets).toHaveLength(3)
    const seen = await walk(
      async (query) => (await own(partnerApiOfferApi.list, { query })).data,
      () => makeOffer(api.db),
    )
    const ids = seen.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a))
    expect(ids).toEqual(expect.arrayContaining(offers.map(({ id }) => id)))
  })

  test('a cursor of another list, or of nobody, is refused by its name', async () => {
    const foreign = Buffer.from(JSON.stringify(['tickets', 5])).toString('base64url')
    for (const cursor of [foreign, 'x', Buffer.from('[').toString('base64url'), Buffer.from('["offers",-1]').toString('base64url')]) {
      const { status, fields } = await call(partnerApiOfferApi.list, { query: { cursor } })
      expect({ status, fields }).toEqual({ status: 400, fields: { cursor: 'Take next_cursor of the page before' } })
    }
  })
})

test('figures are those of the panel, by the groupings asked for; what affiliates may not see is no grouping and no metric', async () => {
  const who = await api.as('affiliate')
  const own = caller(api.url, await makeKey(api, who, ['traffic.read', 'money.read']))
  const offer = await makeOffer(api.db)
  await convert(who, offer, 3)
  const query = { ...TODAY, group: 'offer,day', metrics: 'clicks', zone: 'UTC' }
  const { data } = await own(partnerApiReportApi.statistics, { query })
  expect(data).toMatchObject({ rows: 1, totals: { clicks: 3 }, zone: 'UTC', period: { to: '2026-11-22T00:00:00.000Z' } })
  expect(data.data).toMatchObject([{ keys: { offer: { id: String(offer.id) } }, values: { clicks: 3 } }])
  const refused = await own(partnerApiReportApi.statistics, { query: { ...TODAY, group: 'advertiser', metrics: 'revenue' } })
  expect({ status: refused.status, fields: Object.keys(refused.fields) }).toEqual({ status: 400, fields: ['group.0', 'metrics.0'] })
  const backwards = await own(partnerApiReportApi.statistics, { query: { from: '2026-11-22', to: '2026-11-21' } })
  expect(backwards.fields).toEqual({ to: 'The last day lies before the first' })
  expect((await own(partnerApiBalanceApi.balance)).data.data).toMatchObject([{ currency: 'USD', available: '30.0000' }])
})

test('no answer names an advertiser, revenue or margin, nor anything of another affiliate', async () => {
  const offer = await makeOffer(api.db)
  await convert(affiliate, offer, 2)
  const other = await api.as('affiliate', { name: 'Somebody else' })
  await convert(other, offer, 1)
  const { name } = await api.db.selectFrom('advertiser').select('name').where('id', '=', offer.advertiserId).executeTakeFirstOrThrow()
  const { uuid } = (await call(partnerApiConversionApi.list)).data.data[0] ?? { uuid: '' }
  const paths = [
    'offers',
    `offers/${offer.id}`,
    'conversions',
    `conversions/${uuid}`,
    'clicks?from=2026-11-21&to=2026-11-21',
    'balance',
    'tickets',
  ]
  for (const path of paths) {
    const answer = await raw(`/api/partner/v1/${path}`)
    const text = await answer.text()
    expect(answer.status, path).toBe(200)
    expect(text, path).not.toContain(name)
    expect(text, path).not.toMatch(/revenue|margin|"advertiser|Somebody else|15\.0000/)
  }
  expect((await call(partnerApiConversionApi.list)).data.data).toHaveLength(2)
})

describe('a call', () => {
  test('says by which name it stands in the log, and how many the key has left', async () => {
    const who = await api.as('affiliate')
    const own = await makeKey(api, who, ['money.read'])
    const ask = (headers = {}) => raw('/api/partner/v1/balance', { authorization: `Bearer ${own}`, ...headers })
    const first = await ask({ 'x-request-id': 'my-call.1' })
    expect(first.headers.get('x-request-id')).toBe('my-call.1')
    expect(first.headers.get('ratelimit-limit')).toBe(String(CALLS_A_MINUTE))
    expect(first.headers.get('ratelimit-remaining')).toBe(String(CALLS_A_MINUTE - 1))
    expect((await ask({ 'x-request-id': 'two words' })).headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })

  test('that fails is answered by a problem: its word, its text, the fields and the name of the call', async () => {
    const answer = await raw('/api/partner/v1/conversions?status=won&surplus=1', { 'x-request-id': 'x-1' })
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    const told = problem.parse(await answer.json())
    expect(told).toMatchObject({
      type: '/partner-api#bad_request',
      title: 'Bad request',
      status: 400,
      code: 'bad_request',
      request_id: 'x-1',
    })
    expect(Object.keys(told.errors ?? {})).toEqual(['status.0', 'surplus'])
    expect(problem.parse(await (await raw('/api/partner/v1/nowhere')).json())).toMatchObject({ status: 404, code: 'not_found' })
    const guest = await fetch(`${api.url}/api/partner/v1/offers`)
    expect(problem.parse(await guest.json())).toMatchObject({ status: 401, code: 'unauthorized' })
    const scoped = async (scopes: KeyScope[]) => caller(api.url, await makeKey(api, affiliate, scopes))(partnerApiOfferApi.list)
    expect([(await scoped(['money.read'])).status, (await scoped(['offers.write'])).status]).toEqual([403, 200])
    const staff = caller(api.url, await makeKey(api, await api.as('admin'), KEY_SCOPES))
    expect((await staff(partnerApiOfferApi.list)).status).toBe(403)
  })
})

describe('a change that its sender named', () => {
  const ticket = (subject: string) => ({ subject, body: 'How?' })
  const send = (name: string, body: object, path = 'tickets', token = key) =>
    fetch(`${api.url}/api/partner/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify(body),
    })
  const countOf = async (subject: string) => (await call(partnerApiTicketApi.list, { query: { search: subject } })).data.data.length

  test('is made once, however often and at what moment it is sent; another call under its name is refused for a day', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send('once', ticket('Thrice'))))
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(bodies).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(2)
    expect(await countOf('Thrice')).toBe(1)
    const other = await send('once', ticket('Other'))
    expect(problem.parse(await other.json())).toMatchObject({ status: 409, code: 'key_reused' })
    expect((await send('once', { body: 'x' }, 'ticket-messages/1')).status).toBe(409)
    const stranger = await makeKey(api, await api.as('affiliate'), KEY_SCOPES)
    expect((await send('once', ticket('Thrice'), 'tickets', stranger)).headers.get('idempotency-replayed')).toBe(null)
    api.clock.advance(24 * HOUR)
    expect((await send('once', ticket('Next day'))).status).toBe(200)
    const { rows } = await sql<{ text: string }>`select encode(sealed, 'escape') as text from kept_answer`.execute(api.db)
    expect(rows.some(({ text }) => text.includes('uuid'))).toBe(false)
  })

  test('leaves both or neither of the change and its answer; what was refused may be sent again, mended', async () => {
    expect((await send('mended', { subject: 'No body' })).status).toBe(400)
    expect((await send('mended', ticket('Mended'))).status).toBe(200)
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise exception 'gone'; end $$`.execute(api.db)
    await sql`create trigger fail before update on kept_answer for each row execute function fail()`.execute(api.db)
    expect((await send('dies', ticket('Survivor'))).status).toBe(500)
    await sql`drop trigger fail on kept_answer`.execute(api.db)
    expect(await countOf('Survivor')).toBe(0)
    expect((await send('dies', ticket('Survivor'))).status).toBe(200)
    expect(await countOf('Survivor')).toBe(1)
    const named = await send('two words', ticket('x'))
    expect(problem.parse(await named.json()).errors).toHaveProperty('Idempotency-Key')
  })

  test('may be any: a postback is made, listed, paused and removed, and a short link kept', async () => {
    const { uuid } = await makeOffer(api.db)
    const url = 'https://tracker.example/?c={click_id}'
    const made = await call(partnerApiPostbackApi.create, { body: { offer_uuid: uuid, goal: null, statuses: [], method: 'GET', url } })
    expect(made).toMatchObject({ status: 200, data: { url, status: 'active' } })
    const params = { uuid: made.data.uuid }
    expect((await call(partnerApiPostbackApi.setStatus, { params, body: { status: 'paused' } })).data.status).toBe('paused')
    expect((await call(partnerApiPostbackApi.remove, { params })).status).toBe(200)
    expect((await call(partnerApiPostbackApi.list)).data.data).toEqual([])
    const link = await call(partnerApiOfferApi.createShortLink, { body: { offer_uuid: uuid, sub1: 'x' } })
    expect(link).toMatchObject({ status: 200, data: { params: { sub1: 'x' } } })
    const again = await call(partnerApiOfferApi.createShortLink, { body: { offer_uuid: uuid, sub1: 'x' } })
    expect(again.data.code).toBe(link.data.code)
  })
})
