import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { log } from '#server/platform/log.ts'

/** What a tracker tells about itself in `DATA_DIR/run/tracker-<name>.json`, once a second. Counts are since its start. */
export type TrackerStatus = {
  tracker: string
  pid: number
  started_at: string
  written_at: string
  /** Sent to an offer. */
  clicks: number
  refused: number
  /** Links that lead nowhere (404). */
  unknown: number
  /** Rows on disk. */
  stored: number
  /** Redirected but not stored: anything but 0 is an alarm. */
  lost: number
  /** When the last of them was lost, and whether the disk refuses rows at this moment. */
  lost_at: string | null
  spool_failing: boolean
  /** Sent on before the row was on disk, because the disk hung. */
  unconfirmed: number
  postbacks_waiting: number
  snapshot_seq: number
  /** Since the api was last heard of; null = never. */
  snapshot_silent_ms: number | null
  /** 99th percentile of the event loop's delay in the last second. */
  loop_delay_ms: number
  memory_bytes: number
}

const EVERY_MS = 1000

/** Writes the status file each second until the returned call, which writes it a last time. */
export function keepStatus(
  path: string,
  read: () => Omit<TrackerStatus, 'pid' | 'started_at' | 'written_at' | 'loop_delay_ms' | 'memory_bytes'>,
): () => Promise<void> {
  const startedAt = new Date().toISOString()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let writing: Promise<void> = Promise.resolve()
  let failed = false

  const save = async (): Promise<void> => {
    const status: TrackerStatus = {
      ...read(),
      pid: process.pid,
      started_at: startedAt,
      written_at: new Date().toISOString(),
      loop_delay_ms: Math.round(delay.percentile(99) / 1e4) / 100,
      memory_bytes: process.memoryUsage.rss(),
    }
    delay.reset()
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.${process.pid}`, JSON.stringify(status), { mode: 0o600 })
      await rename(`${path}.${process.pid}`, path)
      failed = false
    } catch (error) {
      if (await overwrite(path, JSON.stringify(status))) return
      if (!failed) log.error({ err: error, path }, 'the status of the tracker cannot be written')
      failed = true
    }
  }
  const timer = setInterval(() => {
    writing = writing.then(save)
  }, EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    delay.disable()
    await writing
    await save()
  }
}

/**
 * On a full disk there is no room for a new file, and that is when the tracker has most to tell: it writes over the one there is, in
 * the room that has, with blanks to its end. Whoever reads this very moment may find half of it, and reads again.
 */
async function overwrite(path: string, text: string): Promise<boolean> {
  try {
    await rm(`${path}.${process.pid}`, { force: true })
    const { size } = await stat(path)
    const file = await open(path, 'r+')
    try {
      await file.write(text.padEnd(size))
    } finally {
      await file.close()
    }
    return true
  } catch {
    return false
  }
}
