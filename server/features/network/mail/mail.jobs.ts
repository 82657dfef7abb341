import type { Db } from '#server/platform/pg/database.ts'
import { deleteMailBefore } from './mail.queries.ts'

const KEPT_MS = 90 * 86_400_000

/** Removes messages of more than 90 days ago from the log; answers how many. */
export function deleteOldMail(db: Db, now: number): Promise<number> {
  return deleteMailBefore(db, new Date(now - KEPT_MS))
}
