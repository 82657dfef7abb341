import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { countRows } from '#server/platform/pg/paging.ts'

/** Where postbacks stand: those that wait for their click, the last one received, deliveries that are late or given up. */
export async function postbackQueues(db: DbOrTrx, now: number) {
  const [waiting, last, due, dead] = await Promise.all([
    countRows(db.selectFrom('postback_in').where('outcome', '=', 'waiting')),
    db.selectFrom('postback_in').select('received_at').orderBy('received_at', 'desc').limit(1).executeTakeFirst(),
    countRows(db.selectFrom('postback_delivery').where('state', '=', 'queued').where('next_try_at', '<=', new Date(now))),
    // of the last day: older ones have been seen
    countRows(
      db
        .selectFrom('postback_delivery')
        .where('state', '=', 'dead')
        .where('created_at', '>', new Date(now - 86_400_000)),
    ),
  ])
  return { waiting, last_at: last?.received_at ?? null, deliveries_due: due, deliveries_dead: dead }
}
