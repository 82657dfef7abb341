import type { Db } from '#server/platform/pg/database.ts'
import { nextToTell, tellSome } from './tell.queries.ts'

/** So many people are told in one transaction: a few milliseconds, whatever the size of the network. */
const BATCH = 1000

/**
 * Lets the bell tell the audience of one news that is out, a batch of people at a time, and answers whether there is more to do.
 *
 * A job and not the request that publishes: a row for each of ten thousand affiliates would keep whoever publishes waiting, and
 * what is scheduled has no request at all. The list, the number beside it and the dashboard need none of this: they ask by a
 * condition. How far it has come is kept with the news in the same transaction as the rows, so that a worker that dies leaves a
 * batch either told or not; and a person is told of a news once, whatever is withdrawn and published again.
 */
export function tellNews(db: Db, now: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const news = await nextToTell(trx, now)
    if (news === undefined) return false
    await tellSome(trx, now, news, BATCH)
    return true
  })
}
