import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { linkInput } from '#contract/offers/link.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { clickApi } from '#contract/traffic/click.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { startSnapshotFeed, type SnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { startSweeping } from '#server/ingester/sweep.ts'
import { systemClock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { startInternal } from '#server/processes/roles/internal.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLanding } from '#test/support/make/landings.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { INTERNAL_SECRET } from '#test/support/run/fake-api.ts'
import { removeFolder, startTracker, until, type TestTracker } from '#test/support/run/tracker.ts'

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let feed: SnapshotFeed
let internal: { stop(): Promise<void> }
let tracker: TestTracker
beforeAll(async () => {
  mock = await startMockAdvertiser()
  const url = `http://127.0.0.1:${await freePort()}`
  api = await startApi({ clickhouse: true, env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  // trackers live by the real clock
  api.clock.set(Date.now())
  feed = await startSnapshotFeed({ db: api.db, databaseUrl: api.databaseUrl, clock: api.clock })
  internal = await startInternal({
    url,
    secret: INTERNAL_SECRET,
    feed,
    receivePostbacks: async () => [],
    countStrays: async () => true,
    findClick: openClickFinder(api.clickhouse),
  })
  tracker = await startTracker({ url })
  await tracker.ready()
})
afterAll(async () => {
  await tracker.stop()
  await internal.stop()
  await feed.stop()
  await api.close()
  await mock.close()
  await removeFolder(tracker.dataDir)
})

test('a visitor of a link of an API offer is led to a landing, and the lead that names the click is sold and booked as its own', async () => {
  const advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product])
  const params = { uuid: offer.uuid }
  const marks = linkInput.parse({ sub1: 'spring', click_id: 'theirs-1', source: 'mail' })
  const links = () =>
    Promise.all([
      affiliate.call(partnerOfferApi.link, { params, body: marks }),
      affiliate.call(partnerOfferApi.createShortLink, { params, body: marks }),
      admin.call(offerApi.affiliateLink, { params, body: { ...marks, affiliate_uuid: affiliate.uuid } }),
    ])
  for (const refused of await links())
    expect(refused).toMatchObject({ status: 422, fields: { landing: 'This offer has no landing yet: a link would lead nowhere' } })
  const click = async (link: string) => {
    const { pathname, search } = new URL(link)
    const answer = await fetch(`${tracker.url}${pathname}${search}`, { redirect: 'manual', headers: { 'user-agent': PHONE } })
    return answer.headers.get('location') ?? String(answer.status)
  }
  const address = `/click?offer_id=${offer.id}&pid=${affiliate.affiliateId}`
  // there is no trafficback, so a person gets the plain page at 200. A tracker that has not heard of the offer yet counts another
  // reason: whoever waits goes on clicking
  const refusedByReason = async () => {
    const status = await click(`http://track.example${address}`)
    return status === '200' && (await tracker.rows()).some(({ reason }) => reason === 'landing_inactive')
  }
  await until(refusedByReason, SOON)

  const landing = await makeLanding(admin, { url: 'https://form.example/?c={click_id}&s={sub1}' })
  await api.db.insertInto('offer_landing').values({ offer_id: offer.id, landing_id: landing.id, weight: 100, position: 0 }).execute()
  await announce(api.db, 'offer', [offer.id])
  const [own, short, staff] = await links()
  expect([own.status, short.status, staff.status]).toEqual([200, 200, 200])
  expect(staff.data).toMatchObject({ refused: null, deep_link_hosts: [], landings: [{ id: landing.id }] })
  await until(async () => (await click(short.data.url)).startsWith('https://form.example/'), SOON)
  const reached = new URL(await click(own.data.url))
  expect(reached.searchParams.get('s')).toBe('spring')
  const clickId = reached.searchParams.get('c') ?? ''
  const { dataDir } = tracker
  const folders = { spool: join(dataDir, 'spool'), quarantine: join(dataDir, 'quarantine') }
  const sweeper = startSweeping({ db: api.clickhouse, ...folders, log, clock: systemClock })
  const stored = async () => (await admin.call(clickApi.get, { params: { uuid: clickId } })).status === 200
  await until(stored, 30_000)
  await sweeper.stop()

  api.clock.set(Date.now())
  const sent = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { click_id: clickId, sub1: 'not of the click' }) })
  expect(sent).toMatchObject({ status: 201, data: { status: 'accepted', click_id: clickId } })
  const conversion = await api.db.selectFrom('conversion').selectAll().where('click_id', '=', clickId).executeTakeFirstOrThrow()
  expect(conversion).toMatchObject({
    advertiser_id: advertiser.id,
    landing: landing.id,
    aff_click_id: 'theirs-1',
    source: 'mail',
    subs: expect.arrayContaining(['spring']),
    os: 'Android',
  })
  const shown = await affiliate.call(clickApi.get, { params: { uuid: clickId } })
  expect(shown).toMatchObject({ status: 200, data: { conversions: [{ uuid: conversion.uuid }] } })
  for (const { data } of [shown, own, short]) expect(JSON.stringify(data)).not.toContain('Zephyr')
})

const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
/** Far less than this where nothing else runs. */
const SOON = 15_000
