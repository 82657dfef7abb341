import type { Db } from '#server/platform/pg/database.ts'
import { dropCalls } from './kept-calls.queries.ts'

/** What was said to advertisers and answered is kept for so long: enough to find out what went wrong. */
const CALL_DAYS = 30
const BATCH = 2_000

/** Drops what was called and where people went on of sends older than that, part by part; answers how many. May end at any point and run again. */
export async function forgetCalls(db: Db, now: number): Promise<number> {
  let dropped = 0
  for (let after = '0'; ;) {
    const { last, count } = await dropCalls(db, new Date(now - CALL_DAYS * 86_400_000), after, BATCH)
    dropped += count
    if (last === null) return dropped
    after = last
  }
}
