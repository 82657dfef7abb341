import { afterAll, beforeAll, expect, test } from 'vitest'
import { landingApi } from '#contract/offers/landing.ts'
import { startSnapshotFeed, type SnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { startInternal } from '#server/processes/roles/internal.ts'
import { startApi, type Caller, type TestApi } from '#test/support/api.ts'
import { makeAdvertiser } from '#test/support/factories.ts'
import { INTERNAL_SECRET } from '#test/support/fake-api.ts'
import { makeLanding } from '#test/support/landings.ts'
import { makeOffer } from '#test/support/offers.ts'
import { removeFolder, startTracker, until, type TestTracker } from '#test/support/tracker.ts'

const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
const WITHIN_A_SECOND = 1_000

let api: TestApi
let admin: Caller
let affiliate: Caller
let feed: SnapshotFeed
let internal: { stop(): Promise<void> }
let tracker: TestTracker
let advertiser: { uuid: string }
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
  affiliate = await api.as('affiliate')
  advertiser = await makeAdvertiser(api.db)
  const url = `http://127.0.0.1:${await freePort()}`
  feed = await startSnapshotFeed({ db: api.db, databaseUrl: api.databaseUrl, clock: api.clock })
  internal = await startInternal({ url, secret: INTERNAL_SECRET, feed, receivePostbacks: async () => [] })
  tracker = await startTracker({ url })
  await tracker.ready()
})
afterAll(async () => {
  await tracker.stop()
  await internal.stop()
  await feed.stop()
  await api.close()
  await removeFolder(tracker.dataDir)
})

const page = (name: string) => `https://${name}.example/?c={click_id}&l={landing_id}`
const ask = (path: string) => fetch(`${tracker.url}${path}`, { redirect: 'manual', headers: { 'user-agent': PHONE } })

test('clicks follow what the panel says of landings within a second: weights, asking, pre-landings, stopping', async () => {
  const [much, little, extra, before, hidden] = [
    await makeLanding(admin, { name: 'Much', url: page('much') }),
    await makeLanding(admin, { name: 'Little', url: page('little') }),
    await makeLanding(admin, { name: 'Extra', url: page('extra') }),
    await makeLanding(admin, { name: 'Before', url: 'https://before.example/?c={click_id}', type: 'prelanding' }),
    await makeLanding(admin, { name: 'Hidden', url: page('hidden'), privacy: 'private', affiliate_uuids: [affiliate.uuid] }),
  ]
  const weights = [
    [much, 300],
    [little, 100],
    [extra, 0],
    [before, 0],
    [hidden, 1000],
  ] as const
  const landings = weights.map(([{ uuid }, weight]) => ({ landing_uuid: uuid, weight }))
  const offer = await makeOffer(admin, advertiser.uuid, { landings, trafficback_url: 'https://back.example/?why={reason}' })
  const click = async (landing?: number) => {
    const answer = await ask(
      `/click?offer_id=${offer.id}&pid=${affiliate.affiliateId}${landing === undefined ? '' : `&landing=${landing}`}`,
    )
    return new URL(answer.headers.get('location') ?? 'https://nowhere.example/')
  }
  const hosts = async (count: number) => {
    const found = new Map<string, number>()
    for (let made = 0; made < count; made++) {
      const { hostname } = await click()
      found.set(hostname, (found.get(hostname) ?? 0) + 1)
    }
    return found
  }
  await until(async () => ['much.example', 'little.example'].includes((await click()).hostname), WITHIN_A_SECOND)

  const drawn = await hosts(400)
  expect([...drawn.keys()].toSorted()).toEqual(['little.example', 'much.example'])
  // six standard deviations of 400 draws at a quarter
  expect(Math.abs((drawn.get('little.example') ?? 0) - 100)).toBeLessThan(52)
  for (const asked of [extra, hidden]) expect((await click(asked.id)).href).toContain(`&l=${asked.id}`)

  const first = await click(before.id)
  expect(first.hostname).toBe('before.example')
  const on = await ask(`/go/${first.searchParams.get('c')}`)
  const reached = new URL(on.headers.get('location') ?? '')
  expect(['much.example', 'little.example']).toContain(reached.hostname)
  expect(reached.searchParams.get('c')).toBe(first.searchParams.get('c'))
  expect(await tracker.rows()).toContainEqual(
    expect.objectContaining({ prelanding: String(before.id), landing: reached.searchParams.get('l'), reason: '' }),
  )

  await admin.call(landingApi.setStatus, { body: { uuids: [much.uuid], status: 'stopped' } })
  await until(async () => (await click(much.id)).href === 'https://back.example/?why=landing_inactive', WITHIN_A_SECOND)
  expect([...(await hosts(40)).keys()]).toEqual(['little.example'])
  await admin.call(landingApi.setStatus, { body: { uuids: [little.uuid], status: 'deleted' } })
  await until(async () => (await click()).hostname === 'shop.example', WITHIN_A_SECOND)
})
