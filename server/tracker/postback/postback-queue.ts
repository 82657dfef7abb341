import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import type { HandOver } from './hand-over.ts'
import { openQueueFiles, type Stored } from './queue-files.ts'

const WITHIN_MS = 10_000
const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 2_000
/** So often may one fail while others are taken: long enough to outwait a lock that PostgreSQL ends after 30 s. */
const MOST_FAILURES = 10
/** One request holds so many postbacks, or so many characters. */
const LARGEST_BATCH = 1_024
const LONGEST_BATCH = 8 * 1024 * 1024

export type PostbackQueue = {
  /** How many wait, those included that are still being written. */
  count(): number
  /**
   * Resolves with true when nothing waits any more, with false when that is not near: the api is away, a great many wait,
   * or `withinMs` have passed. Whoever stored behind the last few instead would keep the queue alive for ever under steady traffic.
   */
  emptied(withinMs: number): Promise<boolean>
  /** Puts a postback (a line of JSON) at the end at once; resolves when it is on disk. */
  store(line: string): Promise<void>
  close(): Promise<void>
}

type Waiting = Stored & { failures: number }

/**
 * Postbacks that wait for the api, first in, first out, on disk. Batches grow as long as the api answers, so that it takes
 * them faster than new ones come. At least once: the api knows repeats by their id, and keeps the order of those about one
 * click. One that fails ten times while the api takes others, or for what it says itself, is set aside with an alarm, so that it does not hold
 * up the rest, however many such there are.
 */
export async function openPostbackQueue(options: {
  folder: string
  tracker: string
  clock: Clock
  handOver: HandOver
}): Promise<PostbackQueue> {
  const { files, found } = await openQueueFiles(options.folder, options.tracker, options.clock)
  let count = found
  /** The oldest, read from disk. */
  let head: Waiting[] = []
  let batchSize = 1
  let draining: Promise<void> | null = null
  let stopped = false
  let wake = () => {}
  /** Whether the last hand-over came to nothing; at the start nobody knows better. */
  let stuck = found > 0
  const listeners = new Set<() => void>()
  const tell = () => listeners.forEach((listener) => listener())

  const nextBatch = async (): Promise<Waiting[]> => {
    while (head.length < batchSize) {
      const read = await files.readNext()
      if (read.length === 0) break
      head.push(...read.map((stored) => ({ ...stored, failures: 0 })))
    }
    let length = 0
    return head.slice(0, batchSize).filter(({ line }, index) => (length += line.length) <= LONGEST_BATCH || index === 0)
  }

  /** Hands the oldest over. False = the api is not there, or not well. */
  const handOverBatch = async (): Promise<boolean> => {
    const batch = await nextBatch()
    if (batch.length === 0) return false
    const verdicts = await options.handOver(
      batch.map(({ line }) => line),
      WITHIN_MS,
    )
    const isAway = verdicts.every((verdict) => verdict === 'later')
    const tookSome = verdicts.some((verdict) => typeof verdict === 'object')
    // An api that is away is not rushed when it comes back.
    batchSize = isAway ? 1 : Math.min(batchSize * 4, LARGEST_BATCH)
    const left: Waiting[] = []
    for (const [index, waiting] of batch.entries()) {
      const verdict = verdicts[index] ?? 'later'
      // when all fail the api is ill, and none of them is to blame, unless it says so of it
      if (verdict === 'faulty' || (verdict === 'failed' && tookSome)) waiting.failures++
      const isDone = typeof verdict === 'object' || waiting.failures >= MOST_FAILURES
      if (!isDone) left.push(waiting)
      else {
        await (typeof verdict === 'object' ? files.remove(waiting) : files.setAside(waiting)).catch(logTrouble)
        count--
      }
    }
    head = [...left, ...head.slice(batch.length)]
    const goesOn = tookSome || left.length < batch.length
    stuck = !goesOn
    if (stuck || count === 0) tell()
    return goesOn
  }

  const drain = async (): Promise<void> => {
    let delay = FIRST_DELAY_MS
    while (!stopped && count > 0) {
      const goesOn = await handOverBatch().catch(logTrouble)
      if (goesOn) {
        delay = FIRST_DELAY_MS
        continue
      }
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, delay).unref()
      })
      delay = Math.min(delay * 2, LONGEST_DELAY_MS)
    }
    draining = null
  }
  if (count > 0) draining = drain()

  return {
    count: () => count,
    async store(line) {
      // one begins a queue because the api has just not taken it: nobody need wait for the queue to empty
      if (count === 0) stuck = true
      count++
      try {
        await files.append(line)
      } catch (error) {
        count--
        throw error
      }
      if (stopped || count === 0) return
      draining ??= drain()
      if (!stuck) wake()
    },
    emptied(withinMs) {
      if (count === 0) return Promise.resolve(true)
      if (stuck || stopped || withinMs <= 0 || count > LARGEST_BATCH) return Promise.resolve(false)
      return new Promise((resolve) => {
        const settle = () => {
          clearTimeout(timer)
          listeners.delete(settle)
          resolve(count === 0)
        }
        const timer = setTimeout(settle, withinMs)
        listeners.add(settle)
      })
    },
    async close() {
      stopped = true
      wake()
      await draining
      await files.close()
    },
  }
}

/** What goes wrong on our own disk is tried again like an api that is away. */
function logTrouble(error: unknown): false {
  log.error({ err: error }, 'waiting postbacks cannot be read or removed')
  return false
}
