import { mkdtemp } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startChild } from '#server/processes/child.ts'
import { startFakeApi } from '#test/support/fake-api.ts'
import { readClicks, removeFolder, trackerEnv, until } from '#test/support/tracker.ts'

const ROUNDS = process.env['TORTURE'] ? 20 : 3

describe('a tracker that is killed under load', () => {
  it('has stored every acknowledged click exactly once, and none that was not sent', { timeout: 30_000 + ROUNDS * 10_000 }, async () => {
    const api = await startFakeApi()
    const dataDir = await mkdtemp(join(tmpdir(), 'tracker-crash-'))
    const env = await trackerEnv(dataDir, api)
    const sent = new Set<string>()
    const acknowledged = new Set<string>()
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const child = startChild('tracker', env)
        await child.ready
        const load = startLoad(Number(env['TRACKER_PORT']), round, sent, acknowledged)
        const before = acknowledged.size
        await until(() => acknowledged.size > before + 800)
        child.signal('SIGKILL')
        await child.exited
        await load.stop()
      }
      const child = startChild('tracker', env)
      await child.ready
      await child.stop(10_000)
    } finally {
      await api.stop()
    }
    const stored = (await readClicks(dataDir)).map((row) => row.sub1)
    const unique = new Set(stored)
    expect(acknowledged.size).toBeGreaterThan(ROUNDS * 800)
    expect(stored).toHaveLength(unique.size)
    expect([...acknowledged].filter((nonce) => !unique.has(nonce))).toEqual([])
    expect([...unique].filter((nonce) => !sent.has(nonce))).toEqual([])
    await removeFolder(dataDir)
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

/** Clicks over 32 connections, each with a nonce, until the connections fail or it is stopped. */
function startLoad(port: number, round: number, sent: Set<string>, acknowledged: Set<string>): { stop(): Promise<void> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  let going = true
  let next = 0
  const click = (nonce: string) =>
    new Promise<boolean>((resolve) => {
      sent.add(nonce)
      const call = request(
        { port, host: '127.0.0.1', agent, path: `/click?offer_id=1&pid=5&sub1=${nonce}`, headers: { 'user-agent': 'load' } },
        (response) => {
          if (response.statusCode === 302) acknowledged.add(nonce)
          response.resume().once('close', () => resolve(true))
        },
      )
      call.once('error', () => resolve(false))
      call.end()
    })
  const workers = Array.from({ length: 32 }, async () => {
    while (going && (await click(`r${round}-${next++}`)));
  })
  return {
    async stop() {
      going = false
      await Promise.all(workers)
      agent.destroy()
    },
  }
}
