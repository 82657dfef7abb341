import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { affiliatePostbackApi } from '#contract/traffic/affiliate-postback.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { ownPostbackApi, type OwnPostbackInput } from '#contract/traffic/own-postback.ts'
import type { PostbackTrial } from '#contract/traffic/postback-message.ts'
import { readConfig } from '#server/platform/config.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import { createConversions, draftConversion } from '../conversion/draft.service.ts'
import { loadTerms } from '../conversion/terms.queries.ts'
import { openPostbackDeliverer } from './delivery.service.ts'

const HOUR = 3_600_000
type Seen = { url: string; body: string; headers: IncomingHttpHeaders; raw: string[] }
let api: TestApi
let keys: ClickIdKeys
let affiliate: Caller
let sink: Server
let base: string
let seen: Seen[] = []
let status = 200

beforeAll(async () => {
  sink = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({ url: request.url ?? '', body, headers: request.headers, raw: request.rawHeaders })
      response.writeHead(status).end('thanks')
    })
  })
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(sink.address() as AddressInfo).port}` // a TCP server has one
  api = await startApi({ env: { OUTBOUND_ALLOW: '127.0.0.1,localhost' } })
  keys = await makeClickKeys(api.db)
})
afterAll(async () => {
  await api.close()
  sink.closeAllConnections()
  sink.close()
})
beforeEach(async () => {
  seen = []
  status = 200
  affiliate = await api.as('affiliate')
  // what an earlier test left behind is not this one's
  await api.db.updateTable('postback_delivery').set({ state: 'dead' }).where('state', '=', 'queued').execute()
})

async function deliverAll(): Promise<void> {
  const { secretKey } = readConfig({ DATABASE_URL: api.databaseUrl }, 'test')
  const work = openPostbackDeliverer({ db: api.db, clock: api.clock, policy: { allow: ['127.0.0.1'] }, secretKey, random: () => 0.5 })
  while ((await work.tick()) > 0) await work.idle()
}

const BODY = '{"click": "{aff_click_id}", "sum": {payout}, "status": {status:approved=1,declined=2}, "sub": {sub3}}'
const input = (changes: Partial<OwnPostbackInput> = {}): OwnPostbackInput => ({
  offer_uuid: null,
  goal: null,
  statuses: [],
  method: 'POST',
  url: `${base}/hook?from=ohma`,
  body_type: 'json',
  body: BODY,
  headers: [
    { name: 'Authorization', value: 'Bearer top-secret', secret: true },
    { name: 'X-Click', value: 'c-{aff_click_id}' },
  ],
  ...changes,
})

const trialOf = (changes: Partial<OwnPostbackInput> = {}): PostbackTrial => {
  const { url, method, body_type, body, headers } = input(changes)
  return { url, method, body_type, body, headers }
}

async function own(changes: Partial<OwnPostbackInput> = {}) {
  const made = await affiliate.call(ownPostbackApi.create, { body: input(changes) })
  expect(made.status).toBe(200)
  return made.data
}
const change = (uuid: string, version: number, changes: Partial<OwnPostbackInput>) =>
  affiliate.call(ownPostbackApi.update, { params: { uuid }, body: { ...input(changes), version } })
const sign = async (uuid: string, keep_hours: 0 | 24 = 0) => {
  const version = (await affiliate.call(ownPostbackApi.list)).data.list.find((one) => one.uuid === uuid)?.version ?? 0
  return affiliate.call(ownPostbackApi.sign, { params: { uuid }, body: { version, keep_hours } })
}

async function convert(): Promise<string> {
  const offer = await makeOffer(api.db)
  const terms = (await loadTerms(api.db, [offer.id])).get(offer.id)
  const goal = terms?.goals[0]
  if (!terms || !goal) throw new Error('no goal')
  const now = api.clock.now()
  const click = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: now - 60_000 })
  const report = { status: 'approved' as const, amount: null, currency: 'USD', converted: null, transactionId: null, reason: '' }
  const draft = draftConversion(terms, goal, click, report, now, now)
  const [made] = await api.db.transaction().execute((trx) => createConversions(trx, draft === null ? [] : [draft], now))
  return made?.after.uuid ?? ''
}

/** What a receiver finds with the published package, at the time of the test. */
function verified(key: string, { body, headers }: Seen): unknown {
  vi.useFakeTimers({ now: api.clock.now(), toFake: ['Date'] })
  try {
    return new Webhook(key).verify(body, headers as Record<string, string>) // one value each
  } finally {
    vi.useRealTimers()
  }
}

describe('a postback with a body of its own', () => {
  test('sends headers named like what every object has, plain and secret, and takes none of those for typed', async () => {
    const { uuid, version } = await own({
      headers: [
        { name: '__proto__', value: 'plain' },
        { name: 'Constructor', value: 'secret-one', secret: true },
      ],
    })
    await convert()
    await deliverAll()
    const hidden = [
      { name: '__proto__', value: 'secret-two', secret: true },
      { name: 'constructor', value: null, secret: true },
    ]
    const changed = await change(uuid, version, { headers: hidden })
    expect(changed.status).toBe(200)
    await convert()
    await deliverAll()
    const named = (raw: string[]) => [raw[raw.indexOf('__proto__') + 1], raw[raw.indexOf('constructor') + 1]]
    expect(seen.map(({ raw }) => named(raw))).toEqual([
      ['plain', 'secret-one'],
      ['secret-two', 'secret-one'],
    ])
    const untold = { headers: [{ name: 'valueOf', value: null, secret: true }] }
    expect((await change(uuid, changed.data.version, untold)).fields).toEqual({ headers: 'Say what valueOf holds' })
  })

  test('goes out as JSON with its headers; the log shows them without secrets', async () => {
    const made = await own()
    expect(made.headers).toEqual([
      { name: 'Authorization', value: null, secret: true },
      { name: 'X-Click', value: 'c-{aff_click_id}', secret: false },
    ])
    const conversion = await convert()
    await deliverAll()
    expect(seen.map(({ url, body }) => [url, body])).toEqual([
      ['/hook?from=ohma', '{"click": "aff-1", "sum": 10.00, "status": 1, "sub": null}'],
    ])
    expect(seen[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer top-secret',
      'x-click': 'c-aff-1',
      'x-delivery-attempt': '1',
    })
    const [sent] = (await affiliate.call(ownPostbackApi.deliveries, { body: {} })).data.list
    const detail = await affiliate.call(ownPostbackApi.delivery, { params: { uuid: sent?.uuid ?? '' } })
    const shown = [
      { name: 'Authorization', value: null },
      { name: 'X-Click', value: 'c-aff-1' },
    ]
    expect(detail.data).toMatchObject({ body: seen[0]?.body, headers: shown })
    const admin = await api.as('admin')
    const theirs = { affiliate_uuid: affiliate.uuid, delivery_uuid: sent?.uuid ?? '' }
    expect((await admin.call(affiliatePostbackApi.delivery, { body: theirs })).data.headers).toEqual(shown)
    expect((await admin.call(postbackApi.attempts, { params: { uuid: sent?.uuid ?? '' } })).data).toMatchObject({ headers: shown })

    // nowhere in clear: neither in what is kept nor in the log
    const { rows } = await sql<{ text: string }>`
      select p::text as text from affiliate_postback p union all select d::text from postback_delivery d union all select a::text from audit a`.execute(
      api.db,
    )
    expect(rows.filter(({ text }) => text.includes('top-secret') || text.includes(Buffer.from('top-secret').toString('hex')))).toEqual([])

    // sent again and filled by hand it is the same message
    await affiliate.call(ownPostbackApi.replay, { body: { delivery_uuids: [sent?.uuid ?? ''] } })
    await affiliate.call(ownPostbackApi.backfill, { body: { postback_uuid: made.uuid, conversion_uuids: [conversion] } })
    await deliverAll()
    expect(new Set(seen.map(({ body, headers }) => `${body} ${headers.authorization}`)).size).toBe(1)
    expect(seen).toHaveLength(3)
  })

  test('keeps a secret that is not typed again, but sends it to no other host and in no trial there', async () => {
    const made = await own()
    const kept = { headers: [{ name: 'authorization', value: null, secret: true }] }
    const moved = await change(made.uuid, made.version, { ...kept, url: base.replace('127.0.0.1', 'localhost') })
    expect([moved.status, moved.fields['headers']]).toEqual([422, expect.stringContaining('again')])
    const saved = await change(made.uuid, made.version, kept)
    expect(saved.data.headers).toEqual([{ name: 'authorization', value: null, secret: true }])
    const trial = { ...trialOf(kept), postback_uuid: made.uuid }
    const answer = await affiliate.call(ownPostbackApi.send, { body: trial })
    expect(answer.data.http_status).toBe(200)
    await affiliate.call(ownPostbackApi.send, { body: { ...trial, url: base.replace('127.0.0.1', 'localhost') } })
    await convert()
    await deliverAll()
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer top-secret', undefined, 'Bearer top-secret'])
    const other = await api.as('affiliate')
    expect((await other.call(ownPostbackApi.dryRun, { body: trial })).status).toBe(404)
  })

  test('is shown before it is sent, and what is wrong with it is said', async () => {
    const dry = await affiliate.call(ownPostbackApi.dryRun, { body: trialOf() })
    expect(dry.data).toMatchObject({ reachable: true, sample: true, errors: [] })
    expect(dry.data.headers).toMatchObject({ authorization: null, 'x-click': 'c-your-click-id', 'content-type': 'application/json' })
    expect(JSON.parse(dry.data.body ?? '')).toMatchObject({ sum: 10, status: 1, sub: 'sub3' })
    const refused = async (changes: Partial<OwnPostbackInput>) =>
      (await affiliate.call(ownPostbackApi.create, { body: input(changes) })).fields
    expect(await refused({ body: '{"a": {payout}' })).toEqual({ body: expect.stringContaining('not JSON') })
    expect(await refused({ body: '' })).toEqual({ body: expect.any(String) })
    for (const name of ['Host', 'content-length', 'Webhook-Signature', 'Transfer-Encoding', 'a b', 'X:Y', 'Proxy-Auth'])
      expect(Object.keys(await refused({ headers: [{ name, value: 'x' }] })), name).toEqual(['headers.0.name'])
    expect(Object.keys(await refused({ headers: [{ name: 'X-A', value: 'a\r\nb' }] }))).toEqual(['headers.0.value'])
    expect(await refused({ headers: [{ name: 'X-A', value: null, secret: true }] })).toEqual({ headers: expect.any(String) })
    const twice = [
      { name: 'X-A', value: '1' },
      { name: 'x-a', value: '2' },
    ]
    expect(Object.keys(await refused({ headers: twice }))).toEqual(['headers'])
    const fails = await affiliate.call(ownPostbackApi.send, { body: trialOf({ body: '{' }) })
    expect([fails.status, Object.keys(fails.fields)]).toEqual([422, ['body']])
  })
})

describe('a signed postback', () => {
  test('is verified by the package its standard publishes, under the same id at every try', async () => {
    const made = await own()
    const { secret } = (await sign(made.uuid)).data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(JSON.stringify((await affiliate.call(ownPostbackApi.list)).data)).not.toContain(secret)
    status = 500
    await convert()
    await deliverAll()
    api.clock.advance(60_000)
    await deliverAll()
    expect(seen).toHaveLength(2)
    const [first, second] = seen
    expect(first?.headers['webhook-id']).toBe(first?.headers['x-delivery-id'])
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    expect(verified(secret, second!)).toMatchObject({ click: 'aff-1' })
    expect(() => verified(secret, { ...second!, body: second!.body.replace('10.00', '99.00') })).toThrow()
    expect(() => verified(secret, { ...second!, headers: { ...second!.headers, 'webhook-id': 'another' } })).toThrow()
  })

  test('is signed by the old key too while the new one is brought in, and by none once it is forgotten', async () => {
    const made = await own()
    const old = (await sign(made.uuid)).data.secret
    const fresh = (await sign(made.uuid, 24)).data.secret
    expect(fresh).not.toBe(old)
    await convert()
    await deliverAll()
    for (const key of [old, fresh]) expect(verified(key, seen[0]!)).toMatchObject({ sum: 10 })
    api.clock.advance(25 * HOUR)
    await convert()
    await deliverAll()
    expect(verified(fresh, seen[1]!)).toMatchObject({ sum: 10 })
    expect(() => verified(old, seen[1]!)).toThrow()
    const [{ version = 0 } = {}] = (await affiliate.call(ownPostbackApi.list)).data.list
    expect((await affiliate.call(ownPostbackApi.unsign, { params: { uuid: made.uuid }, body: { version } })).data.signed).toBe(false)
    await convert()
    await deliverAll()
    expect(seen[2]?.headers['webhook-signature']).toBeUndefined()
  })

  test('gets no second key by a second click, no key of somebody else, and none that GET could not use', async () => {
    const made = await own()
    const body = { version: made.version, keep_hours: 0 as const }
    const [once, twice] = await Promise.all([1, 2].map(() => affiliate.call(ownPostbackApi.sign, { params: { uuid: made.uuid }, body })))
    expect([once?.status, twice?.status].toSorted()).toEqual([200, 409])
    const other = await api.as('affiliate')
    expect((await other.call(ownPostbackApi.sign, { params: { uuid: made.uuid }, body })).status).toBe(404)
    expect((await other.call(ownPostbackApi.unsign, { params: { uuid: made.uuid }, body: { version: 1 } })).status).toBe(404)
    const get = await own({ method: 'GET' })
    expect((await sign(get.uuid)).status).toBe(422)
  })
})
