import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { landingApi } from '#contract/offers/landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { startSnapshotFeed, type SnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { startSweeping } from '#server/ingester/sweep.ts'
import { systemClock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { startInternal } from '#server/processes/roles/internal.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { INTERNAL_SECRET } from '#test/support/run/fake-api.ts'
import { makeLanding } from '#test/support/make/landings.ts'
import { makeOffer, offerForm, saveOffer } from '#test/support/make/offers.ts'
import { removeFolder, startTracker, until, type TestTracker } from '#test/support/run/tracker.ts'

const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
/** Far less than this where nothing else runs; how soon is for benches to say. */
const SOON = 15_000

let api: TestApi
let admin: Caller
let affiliate: Caller
let feed: SnapshotFeed
let internal: { stop(): Promise<void> }
let tracker: TestTracker
let apiUrl: string
let advertiser: { uuid: string }
beforeAll(async () => {
  api = await startApi({ clickhouse: true })
  admin = await api.as('admin')
  affiliate = await api.as('affiliate')
  advertiser = await makeAdvertiser(api.db)
  apiUrl = `http://127.0.0.1:${await freePort()}`
  feed = await startSnapshotFeed({ db: api.db, databaseUrl: api.databaseUrl, clock: api.clock })
  internal = await startInternal({
    url: apiUrl,
    secret: INTERNAL_SECRET,
    feed,
    receivePostbacks: async () => [],
    countStrays: async () => true,
    findClick: openClickFinder(api.clickhouse),
  })
  tracker = await startTracker({ url: apiUrl })
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
const ask = (path: string, agent = PHONE) => fetch(`${tracker.url}${path}`, { redirect: 'manual', headers: { 'user-agent': agent } })

test('clicks follow what the panel says of landings: weights, asking, pre-landings, stopping', async () => {
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
  const offer = await makeOffer(admin, advertiser.uuid, { landings, trafficback_url: 'https://back.example/?why={reason}&l={landing_id}' })
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
  await until(async () => ['much.example', 'little.example'].includes((await click()).hostname), SOON)

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
  const refused = (landing: number) => `https://back.example/?why=landing_inactive&l=${landing}`
  await until(async () => (await click(much.id)).href === refused(much.id), SOON)
  // what waits for a decision, or was turned down, is nobody's to find by asking for numbers
  const body = { name: 'Wish', url: page('wish'), type: 'landing', language: '', preview: null, weight: 100 } as const
  const { data: wish } = await admin.call(landingApi.propose, { params: { uuid: offer.uuid }, body })
  const { data: turned } = await admin.call(landingApi.propose, { params: { uuid: offer.uuid }, body: { ...body, name: 'Turned down' } })
  await admin.call(landingApi.decide, { body: { uuids: [turned.uuid], approve: false, reason: 'No' } })
  // let in with a word and stopped later, it is known
  const { data: let_in } = await admin.call(landingApi.propose, { params: { uuid: offer.uuid }, body: { ...body, name: 'Let in' } })
  await admin.call(landingApi.decide, { body: { uuids: [let_in.uuid], approve: true, reason: 'Fine' } })
  await admin.call(landingApi.setStatus, { body: { uuids: [let_in.uuid], status: 'stopped' } })
  await until(async () => (await click(let_in.id)).href === refused(let_in.id), SOON)
  const asked = [wish.id, turned.id, let_in.id, much.id]
  const found = await Promise.all(asked.map(async (id) => (await click(id)).href))
  expect(found).toEqual([refused(0), refused(0), refused(let_in.id), refused(much.id)])
  const ofSimulator = async (landing: number) =>
    (
      await admin.call(offerApi.simulate, {
        params: { uuid: offer.uuid },
        body: { affiliate_uuid: affiliate.uuid, geo: 'ZZ', device: 'mobile', landing: String(landing) },
      })
    ).data.destination
  expect(await Promise.all(asked.map(ofSimulator))).toEqual(found)
  expect([...(await hosts(40)).keys()]).toEqual(['little.example'])
  await admin.call(landingApi.setStatus, { body: { uuids: [little.uuid], status: 'deleted' } })
  await until(async () => (await click()).hostname === 'shop.example', SOON)
})

test('after a restart a pre-landing still leads to where its own click decided, with what its link carried', async () => {
  const [drawn, asked, before] = [
    await makeLanding(admin, { name: 'Drawn', url: 'https://drawn.example/?l={landing_id}&s={sub1}&g={geo}' }),
    await makeLanding(admin, { name: 'Asked', url: 'https://asked.example/?l={landing_id}&s={sub1}&a={aff_click_id}&o={os}&u={ua}' }),
    await makeLanding(admin, { name: 'First', url: 'https://first.example/?c={click_id}', type: 'prelanding' }),
  ]
  const weights = (first: number, second: number) => [
    { landing_uuid: drawn.uuid, weight: first },
    { landing_uuid: asked.uuid, weight: second },
    { landing_uuid: before.uuid, weight: 100 },
  ]
  const trafficback_url = 'https://back.example/?c={click_id}&i={ip}'
  const more = { trafficback_url, deep_link_hosts: ['shop.example'] }
  const offer = await makeOffer(admin, advertiser.uuid, { ...more, landings: weights(100, 0) })
  const click = async (parameters: string) => {
    const answer = await ask(`/click?offer_id=${offer.id}&pid=${affiliate.affiliateId}&sub1=kept&click_id=theirs${parameters}`)
    return new URL(answer.headers.get('location') ?? 'https://nowhere.example/')
  }
  const idOf = async (parameters: string) => (await click(parameters)).searchParams.get('c') ?? ''
  await until(async () => (await click('')).hostname === 'first.example', SOON)
  const [byWeight, byName, late] = [await idOf(''), await idOf(`&landing=${asked.id}`), await idOf('')]
  // two that are no way on: a refused click, and one that went straight to its landing
  const refused = await idOf('&landing=99999')
  const straight = await idOf('&deeplink=https%3A%2F%2Fshop.example%2Fp')
  await saveOffer(admin, offer.uuid, offerForm(advertiser.uuid, { ...more, landings: weights(0, 100) }))

  await tracker.stop()
  tracker = await startTracker({ url: apiUrl }, {}, tracker.dataDir)
  await tracker.ready()
  const on = async (id: string) => (await ask(`/go/${id}`, 'Asker/1')).headers.get('location')
  const { dataDir } = tracker
  const sweeper = startSweeping({
    db: api.clickhouse,
    spool: join(dataDir, 'spool'),
    quarantine: join(dataDir, 'quarantine'),
    log,
    clock: systemClock,
  })
  // continuation.test.ts has one that is asked for before its click is stored
  await until(async () => (await on(byName)) === `https://asked.example/?l=${asked.id}&s=kept&a=theirs&o=Android&u=Asker%2F1`, 30_000)
  expect(await on(byWeight)).toBe(`https://drawn.example/?l=${drawn.id}&s=kept&g=ZZ`)
  // those who may not see an offer hold the ids of their refused clicks: these lead where the clicks were sent
  for (const id of [refused, straight]) expect(await on(id)).toBe(`https://back.example/?c=${id}&i=127.0.0.1`)
  await sweeper.stop()

  // nobody to ask: what was found is remembered, nothing is guessed
  await internal.stop()
  expect(await on(byName)).toContain('https://asked.example/')
  expect(await on(late)).toBe(`https://back.example/?c=${late}&i=127.0.0.1`)
})
