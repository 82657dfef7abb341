import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { settingApi } from '#contract/network/setting.ts'
import { affiliatePostbackApi } from '#contract/traffic/affiliate-postback.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { postbackApi, postbackLogFilters } from '#contract/traffic/postback.ts'
import { deliveryFilters, ownPostbackApi, type OwnPostbackInput } from '#contract/traffic/own-postback.ts'
import { readConfig } from '#server/platform/config.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import { createConversions, draftConversion } from '../conversion/draft.service.ts'
import { loadTerms } from '../conversion/terms.queries.ts'
import { openPostbackDeliverer } from './delivery.service.ts'
import { claimDeliveries } from './delivery.queries.ts'

const MINUTE = 60_000
type Seen = { method: string; url: string; body: string; delivery: string; at: number }
let api: TestApi
let keys: ClickIdKeys
let affiliate: Caller
let sink: Server
let port: number
let seen: Seen[] = []
let behave: (request: IncomingMessage, answer: (status: number, headers?: Record<string, string>) => void) => void

beforeAll(async () => {
  sink = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        body,
        delivery: String(request.headers['x-delivery-id']),
        at: performance.now(),
      })
      behave(request, (status, headers) => response.writeHead(status, headers).end('thanks'))
    })
  })
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  port = (sink.address() as AddressInfo).port // a TCP server has one
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
  behave = (_request, answer) => answer(200)
  affiliate = await api.as('affiliate')
  // what an earlier test left behind is not this one's
  await api.db.updateTable('postback_delivery').set({ state: 'dead' }).where('state', '=', 'queued').execute()
})

const policy = { allow: ['127.0.0.1'] }
const { secretKey } = readConfig({ DATABASE_URL: 'postgres://unused' }, 'test')
const deliverer = () => openPostbackDeliverer({ db: api.db, clock: api.clock, policy, secretKey, random: () => 0.5 })

async function deliverAll(): Promise<void> {
  const work = deliverer()
  // a host that fails has one place: the rest of what is due for it starts when that is free again
  while ((await work.tick()) > 0) await work.idle()
}

function input(changes: Partial<OwnPostbackInput> = {}): OwnPostbackInput {
  return {
    offer_uuid: null,
    goal: null,
    statuses: [],
    method: 'GET',
    url: `http://127.0.0.1:${port}/pb?c={aff_click_id}&s={status:approved=1,declined=2}&p={payout}&cur={currency}`,
    ...changes,
  }
}

async function own(changes: Partial<OwnPostbackInput> = {}) {
  const made = await affiliate.call(ownPostbackApi.create, { body: input(changes) })
  expect(made.status).toBe(200)
  return made.data
}

/** Approved conversions of the affiliate, made now. */
async function convert(count = 1, made: { holdDays?: number } = {}) {
  const offer = await makeOffer(api.db, made)
  const terms = (await loadTerms(api.db, [offer.id])).get(offer.id)
  const goal = terms?.goals[0]
  if (!terms || !goal) throw new Error('no goal')
  const now = api.clock.now()
  const drafts = Array.from({ length: count }, () => {
    const click = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: now - MINUTE })
    return draftConversion(
      terms,
      goal,
      click,
      { status: 'approved', amount: null, currency: 'USD', converted: null, transactionId: null, reason: '' },
      now,
      now,
    )
  })
  return api.db.transaction().execute((trx) =>
    createConversions(
      trx,
      drafts.flatMap((draft) => draft ?? []),
      now,
    ),
  )
}

const deliveries = async () => (await affiliate.call(ownPostbackApi.deliveries, { body: {} })).data

describe('a postback to an affiliate', () => {
  test('goes out with the values of its conversion and a stable id, as GET or as a form', async () => {
    await own()
    await own({ method: 'POST', statuses: ['approved'] })
    await own({ statuses: ['declined'] })
    await convert()
    await deliverAll()
    expect(seen.map(({ method, url, body }) => ({ method, url, body })).toSorted((a, b) => a.method.localeCompare(b.method))).toEqual([
      { method: 'GET', url: '/pb?c=aff-1&s=1&p=10.00&cur=USD', body: '' },
      { method: 'POST', url: '/pb', body: 'c=aff-1&s=1&p=10.00&cur=USD' },
    ])
    const { list } = await deliveries()
    expect(list).toHaveLength(2)
    expect(list.map((one) => [one.state, one.tries, one.http_status])).toEqual([
      ['sent', 1, 200],
      ['sent', 1, 200],
    ])
    expect(new Set(seen.map((one) => one.delivery))).toEqual(new Set(list.map((one) => one.uuid)))
  })

  test('does not repeat its call at the end of a hold, but whenever there is news, whoever else was told meanwhile', async () => {
    await own({ statuses: ['hold', 'approved'], url: `http://127.0.0.1:${port}/good?p={payout}` })
    await own({ statuses: ['declined'], url: `http://127.0.0.1:${port}/bad?p={payout}` })
    await own({ url: `http://127.0.0.1:${port}/told?s={status}` })
    const [made] = await convert(1, { holdDays: 5 })
    const admin = await api.as('admin')
    const decide = async (status: 'pending' | 'approved' | 'declined') => {
      const decided = await admin.call(conversionApi.decide, { body: { uuids: [made?.after.uuid ?? ''], status, reason: 'checked' } })
      expect(decided.data.changed).toBe(1)
    }
    const heard = async (path: string) => {
      await deliverAll()
      return seen.filter(({ url }) => url.startsWith(path)).length
    }
    await decide('approved')
    expect([await heard('/good'), await heard('/told')]).toEqual([1, 2])
    await decide('declined')
    await decide('approved')
    expect([await heard('/good'), await heard('/bad'), await heard('/told')]).toEqual([2, 1, 4])

    // a call that was lost has told nothing
    await api.db.updateTable('postback_delivery').set({ state: 'dead' }).where('url', 'like', '%/good%').execute()
    await decide('approved')
    expect(await heard('/good')).toBe(3)
  })

  test('is tried ten times within a day, never follows a redirect, and is dead afterwards', async () => {
    behave = (_request, answer) => answer(302, { location: `http://127.0.0.1:${port}/elsewhere` })
    await own()
    await convert()
    const began = api.clock.now()
    for (let round = 0; round < 20; round++) {
      await deliverAll()
      const next = await api.db
        .selectFrom('postback_delivery')
        .select('next_try_at')
        .where('affiliate_id', '=', affiliate.affiliateId ?? 0)
        .executeTakeFirst()
      if (next?.next_try_at) api.clock.set(next.next_try_at.getTime())
    }
    expect(seen).toHaveLength(10)
    expect(new Set(seen.map((one) => one.delivery)).size).toBe(1)
    expect(seen.every((one) => one.url.startsWith('/pb'))).toBe(true)
    const hours = (api.clock.now() - began) / 3_600_000
    expect(hours).toBeGreaterThan(20)
    expect(hours).toBeLessThanOrEqual(24)
    const [dead] = (await deliveries()).list
    expect(dead).toMatchObject({ state: 'dead', tries: 10, http_status: 302, error: 'HTTP 302' })
    const detail = await affiliate.call(ownPostbackApi.delivery, { params: { uuid: dead?.uuid ?? '' } })
    expect(detail.data.attempts).toHaveLength(10)
    behave = (_request, answer) => answer(204)
    expect((await affiliate.call(ownPostbackApi.replay, { body: { delivery_uuids: [dead?.uuid ?? ''] } })).data).toEqual({ queued: 1 })
    await deliverAll()
    expect((await deliveries()).list.map((one) => one.state)).toEqual(['sent', 'dead'])
  })

  test('that fails fifty times in a row is suspended; resuming sends what was held', async () => {
    behave = (request) => void request.socket.destroy()
    const postback = await own()
    await convert(60)
    await deliverAll()
    const [suspended] = (await affiliate.call(ownPostbackApi.list)).data.list
    expect(suspended).toMatchObject({ status: 'suspended', last_error: 'connection_reset' })
    expect(suspended?.failures).toBeGreaterThanOrEqual(50)
    await convert(3)
    expect((await affiliate.call(ownPostbackApi.list)).data.list[0]?.held).toBe(63)
    seen = []
    behave = (_request, answer) => answer(200)
    await deliverAll()
    expect(seen).toEqual([])
    expect(
      (await affiliate.call(ownPostbackApi.setStatus, { params: { uuid: postback.uuid }, body: { status: 'active' } })).data,
    ).toMatchObject({ status: 'active', failures: 0, held: 0 })
    await deliverAll()
    expect(seen).toHaveLength(63)
  })

  test('does not wait for slow hosts: healthy ones start within a second behind a hundred that never answer', async () => {
    behave = (request, answer) => {
      if (request.url === '/fast') answer(200)
    }
    const paths = [...Array.from({ length: 100 }, (_value, index) => `slow-${index}`), 'fast']
    await api.db
      .insertInto('affiliate_postback')
      .values(paths.map((path) => ({ affiliate_id: affiliate.affiliateId ?? 0, url: `http://127.0.0.1:${port}/${path}` })))
      .execute()
    await convert(5)
    // a hundred hosts, as far as the sender knows
    await api.db
      .updateTable('postback_delivery')
      .set({ host: sql<string>`split_part(url, '/', 4)` })
      .where('url', 'like', '%/slow-%')
      .execute()
    const began = performance.now()
    const work = deliverer()
    await expect
      .poll(
        async () => {
          await work.tick()
          return seen.filter((one) => one.url === '/fast').length
        },
        { timeout: 9_000 },
      )
      .toBe(5)
    const last = Math.max(...seen.filter((one) => one.url === '/fast').map((one) => one.at - began))
    expect(last).toBeLessThan(9_000) // half a second on quiet cores; a slow host's time-out alone takes ten
    sink.closeAllConnections()
    await work.idle()
  })

  test('that a dying worker had taken is sent by the next one, under the same id', async () => {
    await own()
    await convert()
    const [taken] = await api.db
      .selectFrom('postback_delivery')
      .selectAll()
      .where('affiliate_id', '=', affiliate.affiliateId ?? 0)
      .execute()
    const [claimed] = await claimDeliveries(api.db, api.clock.now(), { perHost: 4, loads: [], limit: 1 })
    expect(claimed?.id).toBe(taken?.id)
    await deliverAll()
    expect(seen).toEqual([])
    api.clock.advance(MINUTE)
    await deliverAll()
    expect(seen.map((one) => one.delivery)).toEqual([taken?.uuid])
  })
})

describe('an affiliate’s postbacks', () => {
  test.each([
    ['http://10.0.0.1/?c={click_id}', /private network/],
    ['http://169.254.169.254/latest/meta-data', /private network/],
    ['http://user:secret@example.com/', /user name|address/],
    ['ftp://example.com/', /http/],
    ['https://{sub1}.example.com/', /host/],
    ['https://example.com/?x={nope}', /no macro/],
  ])('refuse %s when saved', async (url, text) => {
    const answer = await affiliate.call(ownPostbackApi.create, { body: input({ url }) })
    expect(answer.status).toBe(422)
    expect(answer.fields['url']).toMatch(text)
  })

  test('are shown to nobody else, and changed by nobody else', async () => {
    const mine = await own()
    const other = await api.as('affiliate')
    expect((await other.call(ownPostbackApi.list)).data.list).toEqual([])
    expect((await other.call(ownPostbackApi.update, { params: { uuid: mine.uuid }, body: { ...input(), version: 1 } })).status).toBe(404)
    expect((await other.call(ownPostbackApi.remove, { params: { uuid: mine.uuid } })).status).toBe(404)
    await affiliate.call(ownPostbackApi.remove, { params: { uuid: mine.uuid } })
    expect((await affiliate.call(ownPostbackApi.list)).data.list).toEqual([])
  })

  test('log what was changed of them and nothing else, and refuse to undo what was saved in between', async () => {
    const offer = await makeOffer(api.db)
    const form = input({ offer_uuid: offer.uuid, goal: 'lead', statuses: ['approved', 'declined'] })
    const mine = await own(form)
    const save = (version: number, changes: Partial<OwnPostbackInput> = {}) =>
      affiliate.call(ownPostbackApi.update, { params: { uuid: mine.uuid }, body: { ...form, ...changes, version } })
    // a postback that fails meanwhile is no other one
    await api.db.updateTable('affiliate_postback').set({ failures: 3 }).where('uuid', '=', mine.uuid).execute()
    expect((await save(mine.version)).data).toMatchObject({ version: mine.version, failures: 3 })
    const changed = await save(mine.version, { goal: 'sale' })
    expect(changed.data).toMatchObject({ goal: 'sale', version: mine.version + 1 })
    expect((await save(mine.version)).status).toBe(409)
    const { rows } = await sql`
      select before, after from audit
       where entity = 'affiliate_postback' and action = 'update'
         and entity_id = (select id::text from affiliate_postback where uuid = ${mine.uuid}) order by id`.execute(api.db)
    expect(rows).toEqual([{ before: { goal: 'lead' }, after: { goal: 'sale' } }])
  })

  test('is neither made for an offer the affiliate is blocked from nor names it; one made before can still be changed', async () => {
    const offer = await makeOffer(api.db)
    const mine = await own({ offer_uuid: offer.uuid })
    const blocked = { offer_id: offer.id, affiliate_id: affiliate.affiliateId ?? 0, status: 'blocked' as const }
    await api.db.insertInto('offer_access').values(blocked).execute()
    const refused = await affiliate.call(ownPostbackApi.create, { body: input({ offer_uuid: offer.uuid }) })
    expect([refused.status, refused.fields]).toEqual([422, { offer_uuid: expect.any(String) }])
    const body = { ...input({ offer_uuid: offer.uuid, method: 'POST' }), version: mine.version }
    expect((await affiliate.call(ownPostbackApi.update, { params: { uuid: mine.uuid }, body })).data.method).toBe('POST')
  })

  test('can be tried in the lab: expanded, dry-run, sent, and filled with earlier conversions', async () => {
    const sample = await affiliate.call(ownPostbackApi.expand, {
      body: { url: 'https://example.com/?c={click_id}&x={nope}', conversion_uuid: null },
    })
    expect(sample.data).toMatchObject({ sample: true, errors: [expect.stringContaining('{nope}')] })
    const [made] = await convert(3)
    const url = `http://127.0.0.1:${port}/lab?id={conversion_id}&old={old_status}`
    const dry = await affiliate.call(ownPostbackApi.dryRun, { body: { url, conversion_uuid: made?.after.uuid ?? null } })
    expect(dry.data).toMatchObject({ sample: false, reachable: true, url: `http://127.0.0.1:${port}/lab?id=${made?.after.uuid}&old=` })
    expect((await affiliate.call(ownPostbackApi.dryRun, { body: { url: 'http://10.1.2.3/' } })).data).toMatchObject({ reachable: false })
    const address = async () => {
      const body = { url: 'https://example.com/?{_ip}', conversion_uuid: made?.after.uuid ?? null }
      return (await affiliate.call(ownPostbackApi.expand, { body })).data.url
    }
    expect(await address()).toBe('https://example.com/?203.0.113.0')
    const admin = await api.as('admin')
    const general = (await admin.call(settingApi.general)).data
    await admin.call(settingApi.updateGeneral, { body: { ...general, whole_addresses: true } })
    expect(await address()).toBe('https://example.com/?203.0.113.7')
    const listed = await affiliate.call(conversionApi.list, { body: {} })
    expect(listed.data.list.map((row) => row.ip)).toContain('203.0.113.7')
    expect(seen).toEqual([])
    expect((await affiliate.call(ownPostbackApi.send, { body: { url, conversion_uuid: made?.after.uuid ?? null } })).data).toMatchObject({
      http_status: 200,
      response: 'thanks',
    })
    expect(seen).toHaveLength(1)
    const stranger = await api.as('affiliate')
    expect((await stranger.call(ownPostbackApi.send, { body: { url, conversion_uuid: made?.after.uuid ?? null } })).status).toBe(404)

    const postback = await own()
    const conversions = await affiliate.call(conversionApi.list, { body: {} })
    const filled = await affiliate.call(ownPostbackApi.backfill, {
      body: { postback_uuid: postback.uuid, conversion_uuids: conversions.data.list.map((one) => one.uuid) },
    })
    expect(filled.data).toEqual({ queued: 3 })
    await deliverAll()
    expect(seen).toHaveLength(4)
  })

  test('stand in the log of staff with every attempt, and can be sent again from there', async () => {
    await own()
    await convert()
    await deliverAll()
    const admin = await api.as('admin')
    const { list } = (await admin.call(postbackApi.list, { body: { direction: 'out', count: 1 } })).data
    expect(list[0]).toMatchObject({ direction: 'out', outcome: 'sent', affiliate: { id: affiliate.affiliateId } })
    expect((await admin.call(postbackApi.attempts, { params: { uuid: list[0]?.id ?? '' } })).data.list).toHaveLength(1)
    const sorts = postbackLogFilters.shape.sort.unwrap().options
    for (const direction of ['in', 'out'] as const)
      for (const sort of sorts)
        expect((await admin.call(postbackApi.list, { body: { direction, sort, order: 'asc' } })).data.after).toBeNull()
    const byAnswer = await admin.call(postbackApi.list, { body: { direction: 'out', sort: 'http_status', order: 'asc' } })
    const answers = byAnswer.data.list.map(({ http_status }) => http_status ?? 999)
    expect(answers).toEqual(answers.toSorted((a, b) => a - b))
    const stranger = await api.as('team lead')
    expect((await stranger.call(postbackApi.attempts, { params: { uuid: list[0]?.id ?? '' } })).status).toBe(404)
    expect((await stranger.call(postbackApi.replay, { body: { direction: 'out', ids: [list[0]?.id ?? ''] } })).data).toEqual({
      replayed: 0,
      unauthorized: 0,
      failed: [],
    })
    expect((await admin.call(postbackApi.replay, { body: { direction: 'out', ids: [list[0]?.id ?? ''] } })).data).toEqual({
      replayed: 1,
      unauthorized: 0,
      failed: [],
    })
    await deliverAll()
    expect(seen).toHaveLength(2)
  })

  test('are seen and sent again by the affiliate’s manager, who sees no log, and by no other', async () => {
    const manager = await api.as('manager')
    affiliate = await api.as('affiliate', { managerId: manager.managerId })
    const made = await own()
    await convert()
    behave = (_request, answer) => answer(500)
    await deliverAll()
    const affiliate_uuid = affiliate.uuid
    const theirs = await manager.call(affiliatePostbackApi.list, { params: { uuid: affiliate_uuid } })
    expect(theirs.data.list).toMatchObject([{ uuid: made.uuid, url: made.url, status: 'active' }])
    const { list } = (await manager.call(affiliatePostbackApi.deliveries, { body: { affiliate_uuid } })).data
    expect(list).toMatchObject([{ postback_uuid: made.uuid, http_status: 500, tries: 1, state: 'queued' }])
    for (const sort of deliveryFilters.shape.sort.unwrap().options) {
      const body = { affiliate_uuid, sort, direction: 'asc' as const }
      expect((await manager.call(affiliatePostbackApi.deliveries, { body })).data.summary.rows).toBe(1)
    }
    const delivery_uuid = list[0]?.uuid ?? ''
    const detail = await manager.call(affiliatePostbackApi.delivery, { body: { affiliate_uuid, delivery_uuid } })
    expect(detail.data.attempts).toMatchObject([{ http_status: 500, response: 'thanks' }])

    await api.db.updateTable('postback_delivery').set({ state: 'dead' }).where('uuid', '=', delivery_uuid).execute()
    const again = (who: Caller, of = affiliate_uuid) =>
      who.call(affiliatePostbackApi.replay, { body: { affiliate_uuid: of, delivery_uuids: [delivery_uuid] } })
    const stranger = await api.as('manager')
    expect((await again(stranger)).status).toBe(404)
    // an affiliate of one's own opens nobody else's deliveries
    const other = await api.as('affiliate', { managerId: stranger.managerId })
    expect((await again(stranger, other.uuid)).data).toEqual({ queued: 0 })
    const peek = { affiliate_uuid: other.uuid, delivery_uuid }
    expect((await stranger.call(affiliatePostbackApi.delivery, { body: peek })).status).toBe(404)
    expect((await again(manager)).data).toEqual({ queued: 1 })
    behave = (_request, answer) => answer(200)
    await deliverAll()
    expect(seen).toHaveLength(2)
  })
})
