import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { offerOf, snapshotOf } from '#test/support/make/snapshot.ts'
import { startFakeApi } from '#test/support/run/fake-api.ts'
import { removeFolder, startTracker, until, type TestTracker } from '#test/support/run/tracker.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function start(api: { url: string } | null, dataDir?: string): Promise<TestTracker> {
  const tracker = await startTracker(api, {}, dataDir)
  ends.push(() => removeFolder(tracker.dataDir))
  return tracker
}
const statusOf = async (tracker: TestTracker, offerId: number) =>
  (await fetch(`${tracker.url}/click?offer_id=${offerId}&pid=5`, { redirect: 'manual' })).status

describe('the snapshot of a tracker', () => {
  it('follows changes as they are pushed', async () => {
    const api = await startFakeApi()
    ends.push(() => api.stop())
    const tracker = await start(api)
    ends.push(() => tracker.stop())
    await tracker.ready()
    expect(await statusOf(tracker, 2)).toBe(404)
    api.push({ kind: 'offer', value: offerOf({ id: 2 }) })
    await until(async () => (await statusOf(tracker, 2)) === 302, 1000)
    api.push({ kind: 'affiliate', value: { id: 5, active: false } })
    await until(async () => (await statusOf(tracker, 2)) === 200, 1000)
    api.push({ kind: 'trafficback', value: { url: 'https://back.example/', groups: {} } })
    await until(async () => (await statusOf(tracker, 2)) === 302, 1000)
    api.push({ kind: 'delete', entity: 'offer', key: '2' })
    await until(async () => (await statusOf(tracker, 2)) === 404, 1000)
    expect(api.fetches).toBe(1)
  })

  it('is fetched whole again after a gap or a broken stream', async () => {
    const api = await startFakeApi()
    ends.push(() => api.stop())
    const tracker = await start(api)
    ends.push(() => tracker.stop())
    await tracker.ready()
    api.snapshot.offers.push(offerOf({ id: 3 }))
    api.snapshot.offers = api.snapshot.offers.filter((offer) => offer.id !== 1)
    api.push({ kind: 'offer', value: offerOf({ id: 2 }) }, 7)
    await until(async () => (await statusOf(tracker, 3)) === 302)
    expect(await statusOf(tracker, 1)).toBe(404)
    await api.stop()
    api.snapshot.offers.push(offerOf({ id: 4 }))
    expect(await statusOf(tracker, 3)).toBe(302)
    await api.start()
    await until(async () => (await statusOf(tracker, 4)) === 302)
  })

  it('comes from the copy on disk while the api is down, readable by nobody else', async () => {
    const api = await startFakeApi(snapshotOf({ links: [{ code: 'x', offer_id: 1, affiliate_id: 5, params: {} }] }))
    const first = await start(api)
    await first.ready()
    await first.stop()
    await api.stop()
    expect((await stat(join(first.dataDir, 'run', 'snapshot.json'))).mode & 0o777).toBe(0o600)
    const second = await start(api, first.dataDir)
    ends.push(() => second.stop())
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
    expect(await statusOf(second, 1)).toBe(302)
    expect((await fetch(`${second.url}/c/x`, { redirect: 'manual' })).status).toBe(302)
  })

  it('that is missing altogether is an honest 503, not a wrong redirect', async () => {
    const tracker = await start(null)
    ends.push(() => tracker.stop())
    expect((await fetch(`${tracker.url}/readyz`)).status).toBe(503)
    expect(await statusOf(tracker, 1)).toBe(503)
  })

  it('of 20,000 offers is taken in without holding up clicks', async () => {
    const offers = Array.from({ length: 20_000 }, (_value, index) =>
      offerOf({ id: index + 1, access: [1, 2, 3], targeting: { ...offerOf().targeting, geo: { mode: 'include', values: ['ZZ', 'UA'] } } }),
    )
    const api = await startFakeApi(snapshotOf({ offers }))
    ends.push(() => api.stop())
    const tracker = await start(api)
    ends.push(() => tracker.stop())
    await tracker.ready()
    // Ready means all of it: no click may be turned away because its offer has not been read yet.
    expect(await statusOf(tracker, 20_000)).toBe(302)
    expect(await statusOf(tracker, 12_345)).toBe(302)
  })
})
