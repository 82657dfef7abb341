import type { Db } from '#server/platform/pg/database.ts'
import { dropStuck } from './stuck.queries.ts'

const DAY = 86_400_000
/** What was settled is kept for so long, and what nobody settled: older money is found in the advertiser's own report. */
const SETTLED_DAYS = 30
const OPEN_DAYS = 90
const BATCH = 2_000

/** Drops what is stuck no more, or too long; part by part. Answers how many. May end at any point and run again. */
export async function forgetStuck(db: Db, now: number): Promise<number> {
  let dropped = 0
  for (;;) {
    const count = await dropStuck(db, new Date(now - SETTLED_DAYS * DAY), new Date(now - OPEN_DAYS * DAY), BATCH)
    dropped += count
    if (count < BATCH) return dropped
  }
}
