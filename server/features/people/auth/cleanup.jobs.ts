import type { Db } from '#server/platform/pg/database.ts'

const DAY = 86_400_000

/** Removes what has no use any more: ended sessions, links used or expired for a week, attempts older than a day. Answers how many rows. */
export async function cleanUpSignIns(db: Db, now: number): Promise<number> {
  const deletions = [
    db.deleteFrom('session').where('expires_at', '<', new Date(now)),
    db.deleteFrom('one_time_link').where('expires_at', '<', new Date(now - 7 * DAY)),
    // throttling looks back an hour
    db.deleteFrom('login_attempt').where('at', '<', new Date(now - DAY)),
  ]
  let rows = 0
  for (const deletion of deletions) rows += Number((await deletion.executeTakeFirst()).numDeletedRows)
  return rows
}
