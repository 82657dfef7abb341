import { sql, type Updateable } from 'kysely'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'

/** What came of the last look at the daily address. */
export async function getFeed(db: DbOrTrx) {
  return db
    .selectFrom('rate_feed')
    .select(['next_at', 'at', 'ok_at', 'problem', 'changed', 'without', 'failures'])
    .select(sql<string | null>`to_char(day, 'YYYY-MM-DD')`.as('day'))
    .executeTakeFirstOrThrow()
}

/** Takes the look that is due for a while, so that one worker looks; false where none is due. */
export async function takeFeed(db: DbOrTrx, now: Date, until: Date): Promise<boolean> {
  const result = await db.updateTable('rate_feed').set({ next_at: until }).where('next_at', '<=', now).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Says when is looked next, and what came of this look. */
export async function keepFeed(db: DbOrTrx, values: Updateable<Tables['rate_feed']>): Promise<void> {
  await db.updateTable('rate_feed').set(values).execute()
}

/** A failure of the daily address, as what waits for somebody. */
export function feedFailures(db: DbOrTrx) {
  const found = db.selectFrom('rate_feed as r').where('r.problem', '<>', '')
  const list = found.select([sql<string>`'feed'`.as('id'), 'r.at', 'r.problem as reason']).orderBy('r.id')
  return { found, list }
}
