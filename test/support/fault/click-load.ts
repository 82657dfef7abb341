import { mkdtemp } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '#server/processes/supervisor/child.ts'
import { startFakeApi } from '../run/fake-api.ts'
import { readClicks, removeFolder, trackerEnv, until } from '../run/tracker.ts'

/**
 * Kills a tracker under load, `rounds` times, and compares what was acknowledged with what is stored: nonces that are
 * lost, the number of rows that are there twice, and nonces nobody sent. All three must be empty.
 */
export async function killUnderLoad(rounds: number): Promise<{ lost: string[]; doubled: number; invented: string[] }> {
  const api = await startFakeApi()
  const dataDir = await mkdtemp(join(tmpdir(), 'tracker-crash-'))
  const env = await trackerEnv(dataDir, api)
  const sent = new Set<string>()
  const acknowledged = new Set<string>()
  try {
    for (let round = 0; round < rounds; round++) {
      const child = startChild('tracker', env)
      await child.ready
      const before = acknowledged.size
      const load = startLoad(Number(env['TRACKER_PORT']), round, sent, acknowledged)
      await until(() => acknowledged.size > before + 800, 120_000)
      child.signal('SIGKILL')
      await child.exited
      await load.stop()
    }
    // One more start saves what the last kill left open.
    const child = startChild('tracker', env)
    await child.ready
    await child.stop(10_000)
    const stored = (await readClicks(dataDir)).map((row) => row.sub1)
    const unique = new Set(stored)
    return {
      lost: [...acknowledged].filter((nonce) => !unique.has(nonce)),
      doubled: stored.length - unique.size,
      invented: [...unique].filter((nonce) => !sent.has(nonce)),
    }
  } finally {
    await api.stop()
    await removeFolder(dataDir)
  }
}

/** Clicks over 32 connections, each with a nonce, until the connections fail or it is stopped. */
export function startLoad(port: number, round: number, sent: Set<string>, acknowledged: Set<string>): { stop(): Promise<void> } {
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
