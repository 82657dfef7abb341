import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { log } from '#server/platform/log.ts'
import type { Snapshot, SnapshotChange } from '#server/rules/offer/snapshot.ts'
import { openInternal, readText, type InternalApi } from './internal-request.ts'
import type { Knowledge } from './knowledge.ts'
import { changesTowards } from './snapshot-store.ts'

/** The api sends a blank line every 5 s; three missing ones mean that nobody is there. */
const SILENCE_MS = 16_000
const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
/** A whole snapshot is applied in slices of this length, so that no click waits for it. */
const SLICE_MS = 4

export type Following = {
  /** Milliseconds since the api was last heard of; null = never. */
  silentFor(): number | null
  stop(): Promise<void>
}

/**
 * Keeps the knowledge in step with the api: a whole snapshot, then its numbered changes as they come. Any gap, silence or
 * error starts over with a whole snapshot; meanwhile clicks are decided by what is known. `changed` is called after each.
 */
export function followSnapshot(api: InternalApi, knowledge: Knowledge, changed: () => void): Following {
  const abort = new AbortController()
  let heardAt: number | null = null

  const heard = () => {
    heardAt = performance.now()
  }
  const once = async (): Promise<void> => {
    const answer = await openInternal(api, { path: '/internal/snapshot', timeoutMs: 30_000, signal: abort.signal })
    const text = await readText(answer)
    if (answer.statusCode !== 200) throw new Error(`the api answered ${answer.statusCode} instead of a snapshot`)
    const snapshot = JSON.parse(text) as Snapshot // our own api, of the same version
    heard()
    await applySnapshot(knowledge, snapshot)
    changed()

    const stream = await openInternal(api, { path: `/internal/changes?from=${snapshot.seq}`, timeoutMs: SILENCE_MS, signal: abort.signal })
    if (stream.statusCode !== 200) {
      stream.resume()
      throw new Error(`the api answered ${stream.statusCode} instead of changes`)
    }
    stream.setEncoding('utf8')
    let rest = ''
    for await (const chunk of stream) {
      heard()
      const lines = (rest + (chunk as string)).split('\n') // an encoding was set, so chunks are strings
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.trim() === '') continue
        const { seq, change } = JSON.parse(line) as { seq: number; change: SnapshotChange } // our own api, of the same version
        if (seq <= knowledge.store.seq) continue
        if (seq !== knowledge.store.seq + 1) throw new Error(`change ${knowledge.store.seq + 1} is missing before ${seq}`)
        knowledge.apply(change)
        knowledge.store.seq = seq
        changed()
      }
    }
    throw Object.assign(new Error('the api closed the stream of changes'), { code: 'CLOSED' })
  }

  const loop = async (): Promise<void> => {
    let delay = FIRST_DELAY_MS
    while (!abort.signal.aborted) {
      const started = performance.now()
      try {
        await once()
      } catch (error) {
        if (abort.signal.aborted) return
        // An api that restarts is everyday; what it says wrongly is not.
        const everyday = (error as NodeJS.ErrnoException).code !== undefined // what sockets throw has a code
        log[everyday ? 'info' : 'warn']({ err: error }, 'the snapshot is fetched again')
      }
      if (performance.now() - started > LONGEST_DELAY_MS) delay = FIRST_DELAY_MS
      // Jitter keeps many trackers from asking at the same moment.
      await pause(delay * (0.75 + Math.random() / 2), undefined, { signal: abort.signal }).catch(() => {})
      delay = Math.min(delay * 2, LONGEST_DELAY_MS)
    }
  }
  const running = loop()

  return {
    silentFor: () => (heardAt === null ? null : performance.now() - heardAt),
    async stop() {
      abort.abort()
      await running
    },
  }
}

/** Turns the knowledge into a snapshot without holding up clicks. */
export async function applySnapshot(knowledge: Knowledge, snapshot: Snapshot): Promise<void> {
  let started = performance.now()
  for (const change of changesTowards(knowledge.store, snapshot)) {
    knowledge.apply(change)
    if (performance.now() - started > SLICE_MS) {
      await nextTurn()
      started = performance.now()
    }
  }
  knowledge.store.seq = snapshot.seq
}
