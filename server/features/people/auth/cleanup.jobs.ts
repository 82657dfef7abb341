import type { Db } from '#server/platform/pg/database.ts'
import { SIGN_IN_DAYS } from '#contract/people/sign-in.ts'
import { deleteDevicesBefore, deleteSignIns } from '../sign-in/sign-in.queries.ts'
import { deleteKeysBefore } from '../api-key/api-key.queries.ts'
import { deleteAnswersBefore } from '../api-key/kept-answer.queries.ts'
import { deleteCountsBefore } from './limit.queries.ts'
import { deleteLinksBefore } from './link.queries.ts'
import { deleteSessionsBefore } from './session.queries.ts'
import { deleteAttemptsBefore, deletePlacesBefore } from './throttle.queries.ts'

const DAY = 86_400_000

/**
 * Removes what has no use any more: ended sessions, links used or expired for a week, attempts older than a day,
 * places unused for 90, API keys that ended a year ago, answers kept for a day, the history of sign-ins and their devices after 180 days and above what an account may have. Answers how many rows.
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
  const answers = await deleteAnswersBefore(db, new Date(now - DAY))
  const history = await deleteSignIns(db, new Date(now - SIGN_IN_DAYS * DAY), new Date(now - DAY / 24), { in: 1000, failed: 300 })
  const devices = await deleteDevicesBefore(db, new Date(now - SIGN_IN_DAYS * DAY))
  return history + devices + sessions + links + attempts + places + counts + keys + answers
}
