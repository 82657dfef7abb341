import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startChild } from '#server/processes/supervisor/child.ts'
import { killUnderLoad, startLoad } from '#test/support/fault/click-load.ts'
import { startFakeApi } from '#test/support/run/fake-api.ts'
import { readClicks, removeFolder, trackerEnv, until } from '#test/support/run/tracker.ts'

describe('a tracker that is killed under load', () => {
  it('has stored every acknowledged click exactly once, and none that was not sent', { timeout: 90_000 }, async () => {
    expect(await killUnderLoad(1)).toEqual({ lost: [], doubled: 0, invented: [] })
  })

  it('answers everybody and seals its segment when it is asked to stop', async () => {
    const api = await startFakeApi()
    const dataDir = await mkdtemp(join(tmpdir(), 'tracker-stop-'))
    const env = await trackerEnv(dataDir, api, { TRACKER_DURABILITY: 'interval' })
    const sent = new Set<string>()
    const acknowledged = new Set<string>()
    const child = startChild('tracker', env)
    await child.ready
    const load = startLoad(Number(env['TRACKER_PORT']), 0, sent, acknowledged)
    await until(() => acknowledged.size > 500)
    await child.stop(10_000)
    await load.stop()
    await api.stop()
    expect(await child.exited).toBe('ended with code 0')
    const stored = new Set((await readClicks(dataDir)).map((row) => row.sub1))
    expect([...acknowledged].filter((nonce) => !stored.has(nonce))).toEqual([])
    await removeFolder(dataDir)
  })
})

describe('two trackers', () => {
  it('share one port, each with a spool of its own; a second one of the same name is refused', { timeout: 60_000 }, async () => {
    const api = await startFakeApi()
    const dataDir = await mkdtemp(join(tmpdir(), 'tracker-pair-'))
    const env = await trackerEnv(dataDir, api, { TRACKERS: '2' })
    const names = ['t1', 't2']
    const children = names.map((name) => startChild('tracker', { ...env, TRACKER_NAME: name }))
    await Promise.all(children.map((child) => child.ready))
    const third = startChild('tracker', { ...env, TRACKER_NAME: 't2' }, () => {})
    await expect(third.ready).rejects.toThrow('belongs to process')
    const sent = new Set<string>()
    const acknowledged = new Set<string>()
    const load = startLoad(Number(env['TRACKER_PORT']), 0, sent, acknowledged)
    await until(() => acknowledged.size > 500, 20_000)
    await load.stop()
    await Promise.all(children.map((child) => child.stop(10_000)))
    await api.stop()
    const [first = [], second = []] = await Promise.all(names.map((name) => readClicks(dataDir, name)))
    expect(first.length).toBeGreaterThan(0)
    expect(second.length).toBeGreaterThan(0)
    expect(new Set([...first, ...second].map((row) => row.sub1))).toEqual(acknowledged)
    await removeFolder(dataDir)
  })
})
