import type { Db } from '#server/platform/pg/database.ts'
import { deleteKeysBefore } from '../api-key/api-key.queries.ts'
import { deleteCountsBefore } from './limit.queries.ts'
import { deleteLinksBefore } from './link.queries.ts'
import { deleteSessionsBefore } from './session.queries.ts'
import { deleteAttemptsBefore, deletePlacesBefore } from './throttle.queries.ts'

const DAY = 86_400_000

/**
 * Removes what has no use any more: ended sessions, links used or expired for a week, attempts older than a day,
 * places unused for 90, API keys that ended a year ago. Answers how many rows.
 */
export async function cleanUpSignIns(db: Db, now: number): Promise<number> {
  const sessions = await deleteSessionsBefore(db, new Date(now))
  const links = await deleteLinksBefore(db, new Date(now - 7 * DAY))
  // throttling looks back an hour
  const attempts = await deleteAttemptsBefore(db, new Date(now - DAY))
  const places = await deletePlacesBefore(db, new Date(now - 90 * DAY))
  // none is counted for longer than a day
  const counts = await deleteCountsBefore(db, new Date(now - DAY))
  const keys = await deleteKeysBefore(db, new Date(now - 365 * DAY))
  return sessions + links + attempts + places + counts + keys
}
