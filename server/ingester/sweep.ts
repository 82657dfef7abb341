import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Clock } from '#server/platform/clock.ts'
import { listTrackers, sealAbandoned, sealedSegments } from './folder.ts'
import { createdAt } from './segment.ts'
import { sendSegment } from './send.ts'

export type SweepOptions = { db: Clickhouse; spool: string; quarantine: string; log: Logger; clock: Clock }

/** What the system page shows; written to `run/ingester.json` every second. Times in ms since 1970. */
export type IngesterStatus = {
  at: number
  started_at: number
  /** Age of the oldest segment not yet stored, in ms; 0 when nothing waits. */
  lag_ms: number
  segments_waiting: number
  segments_sent: number
  rows_sent: number
  rows_quarantined: number
  /** Segments of trackers that are gone, sealed by the ingester. */
  segments_recovered: number
  last_sent_at: number | null
  /** Since when the engine takes no inserts; null while it does. */
  engine_away_since: number | null
  last_error: string | null
}

export type Sweeper = {
  status(): Promise<IngesterStatus>
  /** Ends after the inserts in flight. */
  stop(): Promise<void>
}

const LOOK_MS = 50
const SEAL_MS = 1_000
const BACKOFF_MS = { first: 100, most: 5_000 }
// Fewer than the embedded server's insert connections; another insert (facts, say) always finds one free.
const AT_ONCE = 3

/** Stores the segments of every tracker's folder: oldest first within a tracker, several trackers side by side. */
export function startSweeping({ db, spool, quarantine, log, clock }: SweepOptions): Sweeper {
  const stopping = new AbortController()
  const { signal } = stopping
  const busy = new Map<string, Promise<void>>()
  const counts = { segments_sent: 0, rows_sent: 0, rows_quarantined: 0, segments_recovered: 0 }
  const started_at = clock.now()
  let last_sent_at: number | null = null
  let engine_away_since: number | null = null
  let last_error: string | null = null

  const drain = async (tracker: string) => {
    const folder = join(spool, tracker)
    let backoff = BACKOFF_MS.first
    // The list is taken once a round: a segment that fails is tried again before anything newer.
    for (const id of await sealedSegments(folder)) {
      for (let sent = false; !sent && !signal.aborted;) {
        try {
          // An insert in flight is not aborted by a stop: its answer would be lost for nothing.
          const { rows, quarantinedRows } = await sendSegment(
            { db, folder, quarantine, tracker, log, signal: new AbortController().signal },
            id,
          )
          sent = true
          backoff = BACKOFF_MS.first
          counts.segments_sent += 1
          counts.rows_sent += rows
          counts.rows_quarantined += quarantinedRows
          last_sent_at = clock.now()
          engine_away_since = null
        } catch (error) {
          last_error = error instanceof Error ? error.message : String(error)
          engine_away_since ??= clock.now()
          log.warn({ segment: id, error: last_error }, 'segment not stored, trying again')
          await wait(backoff, undefined, { signal }).catch(() => {})
          backoff = Math.min(backoff * 2, BACKOFF_MS.most)
        }
      }
    }
  }
  const forEachTracker = async (work: (tracker: string) => Promise<void>) => {
    for (const tracker of await listTrackers(spool)) await work(tracker)
  }
  // Whoever was served last stands last in line.
  let line: string[] = []
  const look = async () => {
    const trackers = await listTrackers(spool)
    line = [...line.filter((tracker) => trackers.includes(tracker)), ...trackers.filter((tracker) => !line.includes(tracker))]
    for (const tracker of line) {
      if (busy.size >= AT_ONCE) return
      if (busy.has(tracker) || (await sealedSegments(join(spool, tracker))).length === 0) continue
      busy.set(
        tracker,
        drain(tracker)
          .catch(report)
          .finally(() => busy.delete(tracker)),
      )
      line = [...line.filter((other) => other !== tracker), tracker]
    }
  }
  const seal = () =>
    forEachTracker(async (tracker) => {
      const sealed = await sealAbandoned(join(spool, tracker))
      counts.segments_recovered += sealed.length
      if (sealed.length > 0) log.warn({ tracker, segments: sealed }, 'sealed what a tracker left behind')
    })
  const report = (error: unknown) => {
    last_error = error instanceof Error ? error.message : String(error)
    log.error({ err: error }, 'the spool cannot be read')
  }
  const repeat = async (every: number, work: () => Promise<void>) => {
    while (!signal.aborted) {
      await work().catch(report)
      await wait(every, undefined, { signal }).catch(() => {})
    }
  }
  const loops = [repeat(LOOK_MS, look), repeat(SEAL_MS, seal)]
  return {
    async status() {
      const ids: string[] = []
      await forEachTracker(async (tracker) => void ids.push(...(await sealedSegments(join(spool, tracker)))))
      const at = clock.now()
      const oldest = Math.min(...ids.map(createdAt).filter(Number.isFinite), at)
      return { at, started_at, lag_ms: at - oldest, segments_waiting: ids.length, ...counts, last_sent_at, engine_away_since, last_error }
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await Promise.all(busy.values())
    },
  }
}
