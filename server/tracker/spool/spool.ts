import { join } from 'node:path'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { LARGEST_SEGMENT, SEGMENT_HEADER, segmentFiles, type SegmentFiles } from './segment.ts'

/** Free space the writer of a row may count on after `room()`. */
export const ROOM = 32 * 1024

/** A segment that holds rows is handed over after this time; together with the insert a click is visible within 2 s. */
const SEGMENT_AGE_MS = 500
const INTERVAL_MS = 5
const RETRY_MS = 500
/** After this long a hanging disk keeps nobody waiting: the visitors go on, the rows stay in line. */
const PATIENCE_MS = 1000
const FIRST_BUFFER = 1024 * 1024
const LARGEST_BUFFER = 16 * 1024 * 1024
const SMALLEST_CAPACITY = 256 * 1024

export type SpoolCounters = {
  /** Rows on disk. */
  stored: number
  /** Rows that could not be stored; their visitors were redirected all the same. */
  lost: number
  /** When the last one was lost, in ms; null = none ever. */
  lostAt: number | null
  /** The disk refuses new segments at this moment. */
  failing: boolean
  /** Visitors sent on before their row was on disk because the disk hung. */
  unconfirmed: number
  syncs: number
}

export type Spool<Waiter> = {
  /** Where the next row goes: write it at `used`, then call `add`. Both change with every call. */
  buffer: Buffer
  used: number
  /** Makes sure that ROOM bytes are free behind `used`; false = the row cannot be taken and was counted as lost. */
  room(): boolean
  /** Takes the row that ends at `end`. With `group` durability the waiter is handed to `deliver` after the sync, otherwise at once. */
  add(end: number, waiter: Waiter): void
  counters: SpoolCounters
  /** Writes what is left, seals the segment. Nothing may be added afterwards. */
  close(): Promise<void>
}

export type SpoolOptions<Waiter> = {
  folder: string
  tracker: string
  durability: 'group' | 'interval'
  clock: Clock
  /** Answers the visitors whose rows are safe (or given up). */
  deliver(waiters: Waiter[]): void
  files?: SegmentFiles
}

type Segment = { path: string; fd: number; size: number; rows: number }

/**
 * The durable queue between tracker and ingester, by self-clocking group commit: while one synced write is under way,
 * all rows that arrive ride the next one, so a slow disk makes larger groups instead of a longer line. The next segment
 * is prepared in the background. When the disk refuses, rows are counted as lost and visitors go on.
 */
export async function openSpool<Waiter>(options: SpoolOptions<Waiter>): Promise<Spool<Waiter>> {
  const { folder, tracker, durability, clock, deliver, files = segmentFiles } = options
  const counters: SpoolCounters = { stored: 0, lost: 0, lostAt: null, failing: false, unconfirmed: 0, syncs: 0 }

  let spare: Buffer = Buffer.alloc(FIRST_BUFFER)
  let rows = 0
  let waiters: Waiter[] = []
  let flying: Waiter[] = []
  let writing = false
  let writeStarted = 0
  let scheduled = false
  /** A flush came due while the disk was busy. */
  let overdue = false
  let closing = false

  let segment: Segment | null = null
  let next: Segment | null = null
  let preparing: Promise<void> | null = null
  let rotateDue = false
  let rotateTimer: NodeJS.Timeout | undefined
  let capacity = SMALLEST_CAPACITY
  let lastMoment = 0
  let made = 0
  let lostToldAt = 0
  const sealing = new Set<Promise<void>>()
  let drained = () => {}

  const newSegment = async (): Promise<Segment> => {
    // Ids sort by time even when the clock is set back.
    lastMoment = Math.max(lastMoment, clock.now())
    const id = `${tracker}-${String(lastMoment).padStart(13, '0')}-${String(made++ % 1_000_000).padStart(6, '0')}`
    const path = join(folder, `${id}.open`)
    return { path, fd: await files.prepare(path, capacity), size: SEGMENT_HEADER.length, rows: 0 }
  }

  const prepare = (): void => {
    if (preparing !== null || next !== null || (closing && rows === 0)) return
    preparing = newSegment()
      .then((ready) => {
        if (counters.failing) log.warn({ tracker, lost: counters.lost }, 'the click spool can be written again')
        counters.failing = false
        if (segment === null) segment = ready
        else next = ready
      })
      .catch((error: unknown) => {
        if (!counters.failing) log.error({ err: error, tracker }, 'no new segment of the click spool can be prepared')
        counters.failing = true
        setTimeout(prepare, RETRY_MS).unref()
      })
      .finally(() => {
        preparing = null
        // What was due while there was no successor: without another click nobody else would hand the rows over.
        if (rotateDue && next !== null) rotate()
        if (segment !== null && next === null && !counters.failing) prepare()
        flush()
      })
  }

  const retire = (old: Segment): void => {
    const work = (
      old.rows > 0 ? files.seal(old.fd, old.path, old.path.replace(/\.open$/, '.seg'), old.size) : files.discard(old.fd, old.path)
    )
      // It stays as .open; the next start of this tracker seals it.
      .catch((error: unknown) => log.error({ err: error, path: old.path }, 'a segment of the click spool could not be sealed'))
      .finally(() => sealing.delete(work))
    sealing.add(work)
  }

  const rotate = (): void => {
    if (segment === null || writing) return
    capacity = Math.min(LARGEST_SEGMENT.bytes, Math.max(SMALLEST_CAPACITY, segment.size * 2))
    retire(segment)
    segment = next
    next = null
    rotateDue = false
    clearTimeout(rotateTimer)
    rotateTimer = undefined
    prepare()
  }

  const giveUp = (count: number): void => {
    counters.lost += count
    counters.lostAt = clock.now()
    const now = performance.now()
    if (lostToldAt === 0 || now - lostToldAt > 5000) {
      lostToldAt = now
      log.error({ tracker, lost: counters.lost }, 'clicks are redirected but cannot be stored')
    }
  }

  const written = (error: Error | null, count: number, bytes: number): void => {
    writing = false
    counters.syncs++
    const answered = flying
    flying = []
    const current = segment
    if (current !== null && error === null) {
      current.size += bytes
      current.rows += count
      counters.stored += count
      rotateTimer ??= setTimeout(() => {
        rotateDue = true
        if (!writing && next !== null) rotate()
      }, SEGMENT_AGE_MS)
    } else if (current !== null) {
      log.error({ err: error, tracker }, 'the click spool cannot be written')
      giveUp(count)
      rotate()
    }
    if (rotateDue && next !== null) rotate()
    // These first: on a single core the disk gets the next group no sooner, and they would wait for it to be handed over.
    // `interval` lets rows gather until they are due.
    if (answered.length > 0) deliver(answered)
    if (durability === 'group' || overdue) flush()
    if (!writing && rows === 0) drained()
  }

  const flush = (): void => {
    scheduled = false
    overdue = writing
    if (writing || rows === 0) return
    if (segment !== null && (segment.rows + rows > LARGEST_SEGMENT.rows || segment.size + spool.used > LARGEST_SEGMENT.bytes)) {
      // Full: without a prepared one the rows wait for it (its own end calls flush), unless the disk refuses to make one.
      if (next === null && !counters.failing) return prepare()
      rotate()
    }
    const count = rows
    const bytes = spool.used
    const full = spool.buffer
    rows = 0
    spool.used = 0
    if (segment === null) {
      giveUp(count)
      const answered = waiters
      waiters = []
      if (answered.length > 0) deliver(answered)
      drained()
      return
    }
    flying = waiters
    waiters = []
    spool.buffer = spare
    spare = full
    writing = true
    writeStarted = performance.now()
    files.write(segment.fd, full, bytes, segment.size, (error) => written(error, count, bytes))
  }

  const patience = setInterval(() => {
    if (!writing || performance.now() - writeStarted < PATIENCE_MS) return
    const tired = [...flying, ...waiters]
    flying = []
    waiters = []
    counters.unconfirmed += tired.length
    if (tired.length > 0) deliver(tired)
  }, PATIENCE_MS / 4)
  patience.unref()

  const spool: Spool<Waiter> = {
    buffer: Buffer.alloc(FIRST_BUFFER),
    used: 0,
    counters,
    room() {
      if (spool.used + ROOM <= spool.buffer.length) return true
      if (spool.buffer.length < LARGEST_BUFFER) {
        const larger = Buffer.alloc(spool.buffer.length * 2)
        spool.buffer.copy(larger, 0, 0, spool.used)
        spool.buffer = larger
        return true
      }
      giveUp(1)
      return false
    },
    add(end, waiter) {
      spool.used = end
      rows++
      if (durability === 'interval') {
        if (!scheduled) {
          scheduled = true
          setTimeout(flush, INTERVAL_MS)
        }
        deliver([waiter])
        return
      }
      waiters.push(waiter)
      if (!scheduled && !writing) {
        scheduled = true
        setImmediate(flush)
      }
    },
    async close() {
      closing = true
      clearInterval(patience)
      if (rows > 0 || writing) {
        await new Promise<void>((resolve) => {
          drained = resolve
          flush()
        })
      }
      clearTimeout(rotateTimer)
      await preparing
      for (const rest of [segment, next]) if (rest !== null) retire(rest)
      segment = null
      next = null
      await Promise.all(sealing)
    },
  }

  segment = await newSegment()
  prepare()
  return spool
}
