import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { log } from '#server/platform/log.ts'
import type { Snapshot, SnapshotChange } from '#server/rules/offer/snapshot.ts'
import { askInternal, type InternalApi } from '../internal-api.ts'
import type { TrackerSnapshot } from './tracker-snapshot.ts'
import { changesTowards } from './snapshot-store.ts'

/** The api sends a blank line every 5 s; three missing ones mean that nobody is there. */
const SILENCE_MS = 16_000
const SNAPSHOT_WITHIN_MS = 30_000
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
 * Keeps the tracker's snapshot in step with the api: a whole snapshot, then its numbered changes as they come. Any gap, silence or
 * error starts over with a whole snapshot; meanwhile clicks are decided by what it holds. `changed` is called after each.
 */
export function followSnapshot(api: InternalApi, snapshot: TrackerSnapshot, changed: () => void): Following {
  const abort = new AbortController()
  let heardAt: number | null = null

  const heard = () => {
    heardAt = performance.now()
  }
  const once = async (): Promise<void> => {
    const fetching = AbortSignal.any([abort.signal, AbortSignal.timeout(SNAPSHOT_WITHIN_MS)])
    const answer = await askInternal(api, '/internal/snapshot', { signal: fetching })
    if (answer.status !== 200) throw new Error(`the api answered ${answer.status} instead of a snapshot`)
    const whole = (await answer.json()) as Snapshot // our own api, of the same version
    heard()
    await applySnapshot(snapshot, whole)
    changed()
    await applyChanges(whole.seq)
  }
  const applyChanges = async (from: number): Promise<void> => {
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(new DOMException('the api is silent', 'TimeoutError')), SILENCE_MS)
    try {
      const signal = AbortSignal.any([abort.signal, silence.signal])
      const answer = await askInternal(api, `/internal/changes?from=${from}`, { signal })
      if (answer.status !== 200 || answer.body === null) throw new Error(`the api answered ${answer.status} instead of changes`)
      let rest = ''
      for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
        heard()
        timer.refresh()
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line !== '') applyLine(line)
      }
    } finally {
      clearTimeout(timer)
    }
  }
  const applyLine = (line: string): void => {
    const { seq, change } = JSON.parse(line) as { seq: number; change: SnapshotChange } // our own api, of the same version
    const known = snapshot.store.seq
    if (seq <= known) return
    if (seq !== known + 1) throw new Error(`change ${known + 1} is missing before ${seq}`)
    snapshot.apply(change)
    snapshot.store.seq = seq
    changed()
  }

  const loop = async (): Promise<void> => {
    let delay = FIRST_DELAY_MS
    while (!abort.signal.aborted) {
      const started = performance.now()
      try {
        await once()
        log.info('the api closed the stream of changes')
      } catch (error) {
        if (abort.signal.aborted) return
        // An api that restarts is everyday: `fetch` throws a TypeError. What it says wrongly is not.
        const isEveryday = error instanceof TypeError || error instanceof DOMException
        log[isEveryday ? 'info' : 'warn']({ err: error }, 'the snapshot is fetched again')
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

/** Turns what the tracker knows into the whole snapshot of the api, without holding up clicks. */
export async function applySnapshot(snapshot: TrackerSnapshot, whole: Snapshot): Promise<void> {
  let started = performance.now()
  for (const change of changesTowards(snapshot.store, whole)) {
    snapshot.apply(change)
    if (performance.now() - started > SLICE_MS) {
      await nextTurn()
      started = performance.now()
    }
  }
  snapshot.store.seq = whole.seq
}
