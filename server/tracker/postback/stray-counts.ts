import { randomUUID } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { LONGEST_STRAY_PATH, type StrayCounts } from '#server/rules/conversion/postback-hand-over.ts'
import { askInternal, type InternalApi } from '../internal-api.ts'

const EVERY_MS = 30_000
const WITHIN_MS = 5_000
/** So many paths are told apart between two hand-overs. */
const MOST_PATHS = 200

/**
 * Counts calls on paths nobody serves, by day (UTC) and path, and hands the counts to the api every half minute: never a call
 * each. While the api is away they wait in memory: what dies with the process is what it had not handed over.
 */
export function openStrayCounts({ api, clock }: { api: InternalApi | null; clock: Clock }) {
  let counted = new Map<string, StrayCounts['paths'][number]>()
  // sent as it is until the api has taken it, which knows a batch by its id
  let batch: StrayCounts | null = null
  let handing: Promise<void> = Promise.resolve()

  const handOver = async (): Promise<void> => {
    if (api === null || (batch === null && counted.size === 0)) return
    if (batch === null) {
      batch = { id: randomUUID(), paths: [...counted.values()] }
      counted = new Map()
    }
    try {
      const body = JSON.stringify(batch)
      const answer = await askInternal(api, '/internal/strays', { body, signal: AbortSignal.timeout(WITHIN_MS) })
      if (answer.status !== 200) throw new Error(`the api answered ${answer.status} to counts of paths`)
      batch = null
    } catch (error) {
      log.info({ err: error }, 'counts of paths could not be handed over')
    }
  }
  /** One after the other, so that none is sent twice at once. */
  const handOverNext = () => (handing = handing.then(handOver))
  const timer = setInterval(handOverNext, EVERY_MS)
  timer.unref()

  return {
    count(path: string): void {
      if (api === null) return
      const last_at = new Date(clock.now()).toISOString()
      const day = last_at.slice(0, 10)
      const shown = path.slice(0, LONGEST_STRAY_PATH).replace(/[^\x21-\x7e]/g, '?')
      const known = counted.get(`${day} ${shown}`)
      const named = known !== undefined || counted.size < MOST_PATHS ? shown : ''
      const key = `${day} ${named}`
      counted.set(key, { day, path: named, calls: (counted.get(key)?.calls ?? 0) + 1, last_at })
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await handOverNext()
    },
  }
}
