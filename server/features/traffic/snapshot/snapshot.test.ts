import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OfferCap } from '#contract/offers/offer-cap.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { settingApi, trafficbackSetting } from '#contract/network/setting.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { startInternal } from '#server/processes/roles/internal.ts'
import { readClickIdKeys } from '#server/rules/click/click-id.ts'
import type { Snapshot, SnapshotChange } from '#server/rules/offer/snapshot.ts'
import { cloneDatabase } from '#test/support/run/database.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { affiliateInput, makeAdvertiser } from '#test/support/make/factories.ts'
import { announce } from './snapshot.queries.ts'
import { startSnapshotFeed, type SnapshotFeed } from './snapshot-feed.ts'

const SECRET = 'secret-of-the-test-0123456789'
let api: TestApi
let admin: Caller
let feed: SnapshotFeed
let internal: { stop(): Promise<void> }
let url: string
let received: unknown

beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
  url = `http://127.0.0.1:${await freePort()}`
  feed = await startSnapshotFeed({ db: api.db, databaseUrl: api.databaseUrl, clock: api.clock })
  internal = await startInternal({
    url,
    secret: SECRET,
    feed,
    heartbeatMs: 50,
    countStrays: async () => true,
    receivePostbacks: async (handovers) => {
      received = handovers
      return [{ status: 422, body: { status: 'refused' } }]
    },
    findClick: async () => null,
  })
})
afterAll(async () => {
  await internal.stop()
  await feed.stop()
  await api.close()
})

const ask = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, { ...init, headers: { 'x-internal-secret': SECRET } })
const fetchSnapshot = async () => (await (await ask('/internal/snapshot')).json()) as Snapshot // what a tracker reads it as

/** A tracker as far as the stream goes: every line, and a wait for the first that fits. */
async function follow(from: number) {
  const response = await ask(`/internal/changes?from=${from}`)
  const lines: string[] = []
  const waiters: (() => void)[] = []
  const stream = response.body === null ? null : Readable.fromWeb(response.body)
  stream?.on('error', () => {})
  if (stream) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const wake of waiters.splice(0)) wake()
    })
  }
  const changes = () => lines.filter(Boolean).map((line) => JSON.parse(line) as { seq: number; change: SnapshotChange }) // written by the feed
  return {
    status: response.status,
    lines,
    changes,
    async until(fits: (change: SnapshotChange) => boolean) {
      for (;;) {
        const found = changes().find(({ change }) => fits(change))
        if (found) return found
        await new Promise<void>((resolve) => waiters.push(resolve))
      }
    },
    async heartbeat() {
      while (!lines.includes('')) await new Promise<void>((resolve) => waiters.push(resolve))
    },
    close: () => stream?.destroy(),
  }
}

async function makeOffer(
  changes: { status?: 'active' | 'paused'; privacy?: 'public' | 'private'; caps?: OfferCap[]; timeZone?: string } = {},
) {
  const advertiser = await makeAdvertiser(api.db)
  const offer = await api.db
    .insertInto('offer')
    .values({
      type: 'direct',
      title: 'Shop',
      status: changes.status ?? 'active',
      privacy: changes.privacy ?? 'private',
      advertiser_id: advertiser.id,
      currency: 'USD',
      tracking_url: 'https://shop.example/?c={click_id}',
      caps: JSON.stringify(changes.caps ?? []),
      time_zone: changes.timeZone ?? 'UTC',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: offer.id, advertiserId: advertiser.id, advertiserUuid: advertiser.uuid }
}

describe('the whole snapshot', () => {
  test('holds offers with access, affiliates, links, keys and trafficback', async () => {
    const offer = await makeOffer()
    const [let_in, kept_out, asking] = [
      await api.as('affiliate'),
      await api.as('affiliate'),
      await api.as('affiliate', { status: 'inactive' }),
    ]
    const rows = [
      [let_in, 'approved'],
      [kept_out, 'blocked'],
      [asking, 'pending'],
    ] as const
    for (const [person, status] of rows) {
      await api.db
        .insertInto('offer_access')
        .values({
          offer_id: offer.id,
          affiliate_id: person.affiliateId ?? 0,
          status,
          requested_at: null,
          decided_at: null,
          decided_by: null,
        })
        .execute()
    }
    await api.db
      .insertInto('link')
      .values({ code: 'abc', offer_id: offer.id, affiliate_id: let_in.affiliateId ?? 0, params: JSON.stringify({ sub1: 'x' }) })
      .execute()
    const snapshot = await fetchSnapshot()
    expect(snapshot.offers.find((one) => one.id === offer.id)).toEqual({
      id: offer.id,
      name: 'Shop',
      advertiser_id: offer.advertiserId,
      advertiser_active: true,
      active: true,
      start_at: null,
      stop_at: null,
      open: false,
      access: [let_in.affiliateId],
      denied: [kept_out.affiliateId],
      url: 'https://shop.example/?c={click_id}',
      landings: [],
      targeting: { geo: null, device: null, os: null, browser: null, language: null },
      deep_link_hosts: [],
      trafficback_url: null,
      redirect: '302',
      cap_until: null,
    })
    expect(snapshot.affiliates).toContainEqual({ id: asking.affiliateId, active: false })
    expect(snapshot.links).toContainEqual({ code: 'abc', offer_id: offer.id, affiliate_id: let_in.affiliateId, params: { sub1: 'x' } })
    expect(readClickIdKeys(snapshot.keys).current).toBe(1)
    expect(snapshot.keys.visitor).toMatch(/^[0-9a-f]{32}$/)
  })

  test('a used-up cap lasts until the end of the day in the offer’s zone', async () => {
    const cap = { period: 'day', scope: 'offer', measure: 'conversions', limit: '2' } as const
    const own = { period: 'week', scope: 'affiliate', measure: 'payout', limit: '100.5' } as const
    const offer = await makeOffer({ caps: [cap, own], timeZone: 'Pacific/Auckland' })
    // 10:00 UTC is the evening of the 21st in Auckland (UTC+13)
    const count = async (starts: string, used: string, more: { affiliate_id?: number; period?: 'week'; measure?: 'payout' } = {}) => {
      const counter = { offer_id: offer.id, affiliate_id: 0, period: 'day', measure: 'conversions', ...more } as const
      await api.db
        .insertInto('cap_counter')
        .values({ ...counter, starts: new Date(starts), used })
        .execute()
    }
    const shown = async () => {
      const one = (await fetchSnapshot()).offers.find(({ id }) => id === offer.id)
      return [one?.cap_until, one?.capped]
    }
    await count('2026-11-19T11:00:00Z', '2')
    await count('2026-11-15T11:00:00Z', '100.4999', { affiliate_id: 8, period: 'week', measure: 'payout' })
    expect(await shown()).toEqual([null, undefined])
    await count('2026-11-20T11:00:00Z', '2')
    await count('2026-11-15T11:00:00Z', '100.5', { affiliate_id: 7, period: 'week', measure: 'payout' })
    expect(await shown()).toEqual([Date.parse('2026-11-21T11:00:00Z'), [[7, Date.parse('2026-11-22T11:00:00Z')]]])
  })

  test('needs the secret, and nothing else exists on this port', async () => {
    expect((await fetch(`${url}/internal/snapshot`)).status).toBe(401)
    expect((await fetch(`${url}/internal/snapshot`, { headers: { 'x-internal-secret': `${SECRET}x` } })).status).toBe(401)
    expect((await ask('/api/auth/v1/me')).status).toBe(404)
  })
})

describe('changes', () => {
  test('reach a tracker within a second, numbered without gaps', async () => {
    const { seq } = await fetchSnapshot()
    const tracker = await follow(seq)
    const { data } = await admin.call(affiliateApi.create, { body: affiliateInput() })
    const started = performance.now()
    await tracker.until((change) => change.kind === 'affiliate' && change.value.id === data.id && change.value.active)
    expect(performance.now() - started).toBeLessThan(1000)
    await admin.call(affiliateApi.setStatus, { body: { uuids: [data.uuid], status: 'banned' } })
    await tracker.until((change) => change.kind === 'affiliate' && change.value.id === data.id && !change.value.active)
    await admin.call(settingApi.updateTrafficback, {
      body: { ...trafficbackSetting.defaults, url: 'https://else.example/?o={offer_id}', cap_url: 'https://full.example/', version: 0 },
    })
    await tracker.until(
      (change) =>
        change.kind === 'trafficback' &&
        change.value.url === 'https://else.example/?o={offer_id}' &&
        change.value.groups.cap === 'https://full.example/',
    )
    expect(tracker.changes().map((change) => change.seq)).toEqual(tracker.changes().map((_change, index) => seq + 1 + index))
    await tracker.heartbeat()
    tracker.close()
  })

  test('of an advertiser change all its offers, and what is gone is deleted', async () => {
    const offer = await makeOffer()
    const tracker = await follow((await fetchSnapshot()).seq)
    await api.db.updateTable('advertiser').set({ status: 'inactive' }).where('id', '=', offer.advertiserId).execute()
    await announce(api.db, 'advertiser', [offer.advertiserId])
    await tracker.until((change) => change.kind === 'offer' && change.value.id === offer.id && !change.value.advertiser_active)
    await api.db.deleteFrom('offer').where('id', '=', offer.id).execute()
    await announce(api.db, 'offer', [offer.id])
    await tracker.until((change) => change.kind === 'delete' && change.entity === 'offer' && change.key === String(offer.id))
    tracker.close()
  })

  test('a change that is rolled back is never announced', async () => {
    const tracker = await follow((await fetchSnapshot()).seq)
    const offer = await makeOffer()
    await api.db
      .transaction()
      .execute(async (trx) => {
        await announce(trx, 'offer', [offer.id])
        throw new Error('undo')
      })
      .catch(() => {})
    await announce(api.db, 'affiliate', [1])
    await tracker.until((change) => change.kind === 'affiliate' || change.kind === 'delete')
    expect(tracker.changes().some(({ change }) => change.kind === 'offer')).toBe(false)
    tracker.close()
  })

  test('a tracker that was away for a moment gets what it missed; one that missed more starts over', async () => {
    const { seq } = await fetchSnapshot()
    const first = await follow(seq)
    const offer = await makeOffer()
    await announce(api.db, 'offer', [offer.id])
    const { seq: seen } = await first.until((change) => change.kind === 'offer')
    first.close()
    const back = await follow(seq)
    expect((await back.until((change) => change.kind === 'offer')).seq).toBe(seen)
    back.close()
    for (const from of [0, seq - 1_000_000, seen + 1]) expect((await follow(from)).status).toBe(409)
    expect((await follow(Number.NaN)).status).toBe(400)
  })

  test('after the database connection broke, trackers are sent back to the snapshot', async () => {
    const { seq } = await fetchSnapshot()
    const response = await ask(`/internal/changes?from=${seq}`)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ohma-listen' and datname = current_database()`.execute(
      api.db,
    )
    // the stream ends in order
    await response.text()
    expect((await follow(seq)).status).toBe(409)
    const again = await follow((await fetchSnapshot()).seq)
    const offer = await makeOffer()
    await announce(api.db, 'offer', [offer.id])
    await again.until((change) => change.kind === 'offer' && change.value.id === offer.id)
    again.close()
  })

  test('numbers of an earlier run are a gap', async () => {
    const { seq } = await feed.snapshot()
    api.clock.advance(1000)
    const next = await startSnapshotFeed({ db: api.db, databaseUrl: api.databaseUrl, clock: api.clock })
    expect(next.follow(seq, { deliver: () => {}, end: () => {} })).toBeNull()
    expect((await next.snapshot()).keys).toEqual((await feed.snapshot()).keys)
    await next.stop()
  })
})

test('a new month has a new visitor key, and click ids keep theirs', async () => {
  const { keys } = await feed.snapshot()
  api.clock.set('2026-12-01T00:00:01Z')
  const later = await feed.snapshot()
  expect(later.keys.visitor).not.toBe(keys.visitor)
  expect(later.keys.keys).toEqual(keys.keys)
})

test('a batch of postbacks is handed over, and its verdicts passed back', async () => {
  const hand = (body: string) =>
    fetch(`${url}/internal/postbacks`, {
      method: 'POST',
      body,
      headers: { 'x-internal-secret': SECRET, 'content-type': 'application/json' },
    })
  const answer = await hand(JSON.stringify([{ id: 'p1', query: 'click_id=1' }]))
  expect([answer.status, await answer.json()]).toEqual([200, [{ status: 422, body: { status: 'refused' } }]])
  expect(received).toEqual([{ id: 'p1', query: 'click_id=1' }])
  expect((await hand('{')).status).toBe(400)
  expect((await hand('{}')).status).toBe(400)
  expect((await hand('x'.repeat(11 * 1024 * 1024))).status).toBe(413)
})

test('a snapshot of 5,000 offers with access for 500 affiliates is ready within a second', async () => {
  const { db, url: databaseUrl, drop } = await cloneDatabase()
  const { id } = await makeAdvertiser(db)
  await sql`insert into offer (type, title, status, privacy, advertiser_id, currency, tracking_url)
    select 'direct', 'Offer ' || n, 'active', 'premoderation', ${id}, 'USD', 'https://shop.example/' || n || '?c={click_id}' from generate_series(1, 5000) n`.execute(
    db,
  )
  await sql`with made as (insert into account (role, email, name) select 'affiliate', 'bulk' || n || '@example.com', 'Bulk' from generate_series(1, 500) n returning id)
    insert into affiliate (account_id, status) select id, 'active' from made`.execute(db)
  await sql`insert into offer_access (offer_id, affiliate_id, status) select o.id, f.id, 'approved' from offer o join affiliate f on (o.id + f.id) % 100 = 0`.execute(
    db,
  )
  await sql`analyze`.execute(db)
  const bulk = await startSnapshotFeed({ db, databaseUrl, clock: api.clock })
  // the best of three: other tests run on the same machine
  const times: number[] = []
  let snapshot: Awaited<ReturnType<typeof bulk.snapshot>> | undefined
  for (let round = 0; round < 3 && !times.some((ms) => ms < 1000); round++) {
    const started = performance.now()
    snapshot = await bulk.snapshot()
    times.push(performance.now() - started)
  }
  await bulk.stop()
  await drop()
  expect(snapshot?.offers).toHaveLength(5000)
  expect(snapshot?.offers[0]?.access).toHaveLength(5)
  expect(Math.min(...times)).toBeLessThan(1000)
})
