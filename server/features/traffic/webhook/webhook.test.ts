import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { leadAuthorityApi } from '#contract/leads/authority.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { ticketApi } from '#contract/network/ticket.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { affiliateWebhookApi, ownWebhookApi } from '#contract/traffic/own-webhook.ts'
import { partnerApiWebhookApi, WEBHOOK_EVENTS } from '#contract/traffic/webhook.ts'
import { startMockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { createConversions, draftConversion } from '../conversion/draft.service.ts'
import { loadTerms } from '../conversion/terms.queries.ts'
import { openWebhookDeliverer } from './delivery.service.ts'
import { queueWebhookEvents } from './event.jobs.ts'

type Seen = { headers: Record<string, string>; body: string }
let api: TestApi
let keys: ClickIdKeys
let affiliate: Caller
let sink: Server
let seen: Seen[] = []
let status = 200

beforeAll(async () => {
  sink = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({ headers: request.headers as Record<string, string>, body }) // one value each
      response.writeHead(status).end('thanks')
    })
  })
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  api = await startApi({ env: { OUTBOUND_ALLOW: '127.0.0.1' } })
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
})

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://unused' }, 'test')
const parts = () => ({ db: api.db, clock: api.clock, policy: { allow: ['127.0.0.1'] }, secretKey, random: () => 0.5 })

async function work(): Promise<void> {
  await Promise.all([queueWebhookEvents(api.db, api.clock.now()), queueWebhookEvents(api.db, api.clock.now())])
  const deliverer = openWebhookDeliverer(parts())
  while ((await deliverer.tick()) > 0) await deliverer.idle()
}

/** A webhook of the affiliate that leads to the sink, which has no certificate: the address as it is made is https. */
async function make(events: readonly (typeof WEBHOOK_EVENTS)[number][] = WEBHOOK_EVENTS) {
  const { data } = await affiliate.call(partnerApiWebhookApi.create, { body: { url: 'https://127.0.0.1/hook', events: [...events] } })
  const { port } = sink.address() as AddressInfo // a TCP server has one
  await api.db
    .updateTable('webhook')
    .set({ url: `http://127.0.0.1:${port}/hook` })
    .where('uuid', '=', data.webhook.uuid)
    .execute()
  return { uuid: data.webhook.uuid, secret: data.secret, params: { uuid: data.webhook.uuid } }
}

/** A conversion of the affiliate that waits for a decision; `hidden` as its goal is, which pays nothing then. */
async function convert(made: Parameters<typeof makeOffer>[1] = {}, hidden = false) {
  const offer = await makeOffer(api.db, made)
  if (hidden) await api.db.updateTable('goal').set({ hidden: true }).where('id', '=', offer.goalId).execute()
  const terms = (await loadTerms(api.db, [offer.id])).get(offer.id)
  const goal = terms?.goals[0]
  if (!terms || !goal) throw new Error('no goal')
  const now = api.clock.now()
  const click = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: now - 60_000 })
  const told = { status: 'pending' as const, amount: null, currency: 'USD', converted: null, transactionId: null, reason: '' }
  const draft = draftConversion(terms, goal, click, told, now, now)
  const rows = await api.db.transaction().execute((trx) => createConversions(trx, draft === null ? [] : [draft], now))
  return { offer, rows }
}

/** What a receiver makes of a message by the library of Standard Webhooks; throws where the signature is wrong. */
function verified(one: Seen | undefined, secret: string): { type: string; data: Record<string, unknown> } {
  vi.useFakeTimers({ now: api.clock.now(), toFake: ['Date'] })
  try {
    return new Webhook(secret).verify(one?.body ?? '', one?.headers ?? {}) as ReturnType<typeof verified> // as it was written
  } finally {
    vi.useRealTimers()
  }
}

const conversionOf = async () => (await affiliate.call(conversionApi.list, { body: {} })).data.list[0]?.uuid ?? ''

test('hears once of what happened, signed, without what affiliates may not know, whoever looks at the same time', async () => {
  const { secret } = await make()
  const admin = await api.as('admin')
  const { offer } = await convert()
  await convert({ payout: '0' }, true)
  await work()
  const decided = await admin.call(conversionApi.decide, { body: { uuids: [await conversionOf()], status: 'approved' } })
  expect(decided.data.changed).toBe(1)
  await work()
  const ticket = { key: randomUUID(), subject: 'A question', body: 'How?', category: 'general' as const }
  const { uuid } = (await affiliate.call(ticketApi.create, { body: ticket })).data
  await admin.call(ticketApi.answer, { params: { uuid }, body: { key: randomUUID(), body: 'A note', internal: true } })
  await admin.call(ticketApi.answer, { params: { uuid }, body: { key: randomUUID(), body: 'So.' } })
  await work()
  const { name } = await api.db.selectFrom('advertiser').select('name').where('id', '=', offer.advertiserId).executeTakeFirstOrThrow()
  expect(seen.map((one) => verified(one, secret))).toMatchObject([
    { type: 'conversion.created', data: { status: 'pending', previous_status: null, payout: '10.0000', offer: { uuid: offer.uuid } } },
    { type: 'conversion.status_changed', data: { status: 'approved', previous_status: 'pending' } },
    { type: 'ticket.answered', data: { ticket_uuid: uuid, excerpt: 'So.' } },
  ])
  const text = JSON.stringify(seen)
  expect(text).not.toMatch(/revenue|advertiser|15\.0000|A note/)
  expect(text).not.toContain(name)
  expect(await api.db.selectFrom('webhook_event').selectAll().execute()).toEqual([])
})

test('hears only of what it asks for, nothing while paused, and neither event nor row of another affiliate', async () => {
  const { params } = await make(['ticket.answered'])
  await convert()
  await work()
  expect(seen).toEqual([])
  await affiliate.call(partnerApiWebhookApi.update, { params, body: { url: 'https://127.0.0.1/x', events: ['conversion.created'] } })
  await affiliate.call(partnerApiWebhookApi.setStatus, { params, body: { status: 'paused' } })
  await convert()
  await work()
  expect((await affiliate.call(partnerApiWebhookApi.deliveries)).data.data).toEqual([])
  const stranger = await api.as('affiliate')
  expect((await stranger.call(partnerApiWebhookApi.list)).data.data).toEqual([])
  expect((await stranger.call(partnerApiWebhookApi.test, { params })).status).toBe(404)
  const refused = async (url: string) =>
    (await affiliate.call(partnerApiWebhookApi.create, { body: { url, events: ['ticket.answered'] } })).fields
  expect(await refused('http://tracker.example/')).toEqual({ url: 'An address that starts with https://' })
  expect(Object.keys(await refused('https://10.0.0.1/'))).toEqual(['url'])
})

test('is tried again, suspended after fifty failures, told of, and hears of what was held once it is resumed', async () => {
  const { params, uuid } = await make()
  status = 500
  await affiliate.call(partnerApiWebhookApi.test, { params })
  await api.db.updateTable('webhook').set({ failures: 48 }).where('uuid', '=', uuid).execute()
  await work()
  const listed = async () => (await affiliate.call(partnerApiWebhookApi.deliveries)).data.data
  expect(await listed()).toMatchObject([{ state: 'queued', tries: 1, error: 'HTTP 500', next_try_at: '2026-11-21T10:00:10.000Z' }])
  api.clock.advance(10_000)
  await work()
  expect((await affiliate.call(partnerApiWebhookApi.list)).data.data).toMatchObject([{ status: 'suspended', failures: 50 }])
  expect(await listed()).toMatchObject([{ state: 'held', tries: 2 }])
  const told = (await affiliate.call(notificationApi.list, { body: {} })).data.list
  expect(told.map(({ kind }) => kind)).toEqual(['deliveries_given_up'])
  await convert()
  await work()
  expect((await listed()).map(({ state }) => state)).toEqual(['held', 'held'])
  status = 200
  await affiliate.call(partnerApiWebhookApi.setStatus, { params, body: { status: 'active' } })
  await work()
  const [, first] = await listed()
  expect((await listed()).map(({ state }) => state)).toEqual(['sent', 'sent'])
  const ids = seen.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(2)
  // sent again by hand: another delivery of the same message, once however often it is asked for
  const replay = () => affiliate.call(partnerApiWebhookApi.replay, { body: { delivery_uuids: [first?.uuid ?? ''] } })
  expect((await Promise.all([replay(), replay()])).reduce((sum, { data }) => sum + data.queued, 0)).toBe(1)
  await work()
  expect(seen.at(-1)?.headers['webhook-id']).toBe(first?.message)
  const detail = await affiliate.call(partnerApiWebhookApi.delivery, { params: { uuid: first?.uuid ?? '' } })
  expect(detail.data.attempts.map(({ http_status }) => http_status)).toEqual([500, 500, 200])
})

test('its page says what waits and what failed and why, sends all of that again once, and strangers see none of it', async () => {
  const manager = await api.as('manager')
  affiliate = await api.as('affiliate', { managerId: manager.managerId })
  const other = await api.as('affiliate')
  const { params, uuid } = await make()
  await affiliate.call(ownWebhookApi.test, { params })
  status = 500
  await work()
  await api.db.updateTable('webhook_delivery').set({ state: 'dead', next_try_at: null }).execute()
  await api.db.updateTable('webhook').set({ failures: 49 }).where('uuid', '=', uuid).execute()
  await affiliate.call(ownWebhookApi.test, { params })
  await work()
  const state = { uuid, status: 'suspended', held: 1, failed: 1, last_error: 'HTTP 500' }
  expect((await affiliate.call(ownWebhookApi.list)).data.list).toMatchObject([state])
  const theirs = { affiliate_uuid: affiliate.uuid, state: ['dead' as const] }
  const log = (await affiliate.call(ownWebhookApi.deliveries, { body: { sort: 'tries', webhook_uuid: [uuid] } })).data
  expect(log).toMatchObject({ summary: { rows: 2 }, list: [{ type: 'webhook.test' }, { type: 'webhook.test' }] })
  // staff of theirs look on, others do not
  expect((await manager.call(affiliateWebhookApi.list, { params: { uuid: affiliate.uuid } })).data.list).toMatchObject([state])
  expect((await manager.call(affiliateWebhookApi.deliveries, { body: theirs })).data.summary.rows).toBe(1)
  expect((await (await api.as('manager')).call(affiliateWebhookApi.list, { params: { uuid: affiliate.uuid } })).status).toBe(404)
  expect((await other.call(ownWebhookApi.list)).data.list).toEqual([])
  expect((await other.call(ownWebhookApi.replayFailed, { params })).status).toBe(404)
  const key = { uuid: log.list[0]?.uuid ?? '' }
  expect((await other.call(ownWebhookApi.delivery, { params: key })).status).toBe(404)
  expect((await affiliate.call(ownWebhookApi.delivery, { params: key })).data).toMatchObject({ attempts: [{ http_status: 500 }] })

  const again = () => affiliate.call(ownWebhookApi.replayFailed, { params })
  expect((await Promise.all([again(), again()])).reduce((sum, { data }) => sum + data.queued, 0)).toBe(1)
  status = 200
  expect((await affiliate.call(ownWebhookApi.setStatus, { params, body: { status: 'active' } })).data).toMatchObject({
    held: 0,
    failures: 0,
  })
  await work()
  expect(new Set(seen.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  expect((await affiliate.call(ownWebhookApi.list)).data.list).toMatchObject([{ failed: 0, last_error: '' }])
  expect((await again()).data.queued).toBe(0)
  const rotated = await affiliate.call(ownWebhookApi.rotate, { params, body: { keep_hours: 24 } })
  expect(rotated.data).toMatchObject({ secret: expect.stringMatching(/^whsec_/), webhook: { before_until: expect.any(String) } })
  expect(JSON.stringify((await affiliate.call(ownWebhookApi.list)).data)).not.toContain('whsec_')
})

test('hears of each change of a lead and of what its call centre says, and of nothing else that is written of it', async () => {
  const mock = await startMockAdvertiser()
  const admin = await api.as('admin')
  const advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product])
  const { secret } = await make(['lead.status_changed'])
  const { data } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { external_id: 'our-7' }) })
  const uuid = data.session_uuid
  await work()
  expect(seen.map((one) => verified(one, secret))).toMatchObject([
    {
      type: 'lead.status_changed',
      data: { session_uuid: uuid, external_id: 'our-7', status: 'accepted', previous_status: 'received', call_status: null },
    },
  ])
  seen = []
  const said = { call_status: 'no_answer' as const, reason: 'They told us by telephone', expected: null }
  expect((await admin.call(leadAuthorityApi.callStatus, { params: { uuid }, body: said })).status).toBe(200)
  await work()
  expect(seen.map((one) => verified(one, secret).data)).toMatchObject([{ status: 'accepted', call_status: 'no_answer' }])
  // neither a change that is none nor one of something else is news; one that is taken back is none
  seen = []
  const session = api.db.updateTable('user_session').where('uuid', '=', uuid)
  await session.set({ status: 'accepted', changed_at: new Date(api.clock.now()) }).execute()
  await session.set({ next_try_at: new Date(api.clock.now()) }).execute()
  await api.db
    .transaction()
    .execute(async (trx) => {
      await trx.updateTable('user_session').set({ status: 'closed' }).where('uuid', '=', uuid).execute()
      throw new Error('taken back')
    })
    .catch(() => undefined)
  await work()
  expect(seen).toEqual([])
  const told = await api.db.selectFrom('webhook_delivery').select('body').where('type', '=', 'lead.status_changed').execute()
  expect(JSON.stringify(told)).not.toMatch(/Zephyr|Product|Anna|@/)
  await mock.close()
})

test('is signed by the secret before too for as long as was said, and nobody is shown either again', async () => {
  const { params, secret } = await make()
  const rotated = await affiliate.call(partnerApiWebhookApi.rotate, { params, body: { keep_hours: 1 } })
  await affiliate.call(partnerApiWebhookApi.test, { params })
  await work()
  for (const key of [secret, rotated.data.secret]) expect(verified(seen[0], key).type).toBe('webhook.test')
  api.clock.advance(3_600_000)
  await affiliate.call(partnerApiWebhookApi.test, { params })
  await work()
  expect(verified(seen[1], rotated.data.secret).type).toBe('webhook.test')
  expect(() => verified(seen[1], secret)).toThrow()
  expect(JSON.stringify((await affiliate.call(partnerApiWebhookApi.list)).data)).not.toContain('whsec_')
  expect((await affiliate.call(partnerApiWebhookApi.remove, { params })).status).toBe(200)
  expect((await affiliate.call(partnerApiWebhookApi.list)).data.data).toEqual([])
})
