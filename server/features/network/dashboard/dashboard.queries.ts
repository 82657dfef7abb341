import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { countRows } from '#server/platform/pg/paging.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { countPending } from '#server/features/offers/access/access.queries.ts'
import { countWaiting as countWaitingLandings } from '#server/features/offers/landing/landing.queries.ts'

/** How many requests for access, applications, conversions and, if asked for, landings wait for a decision. */
export async function countWaiting(db: DbOrTrx, scope: Scope, withLandings: boolean) {
  const [access_requests, affiliates_in_moderation, landings_in_moderation, pending_conversions] = await Promise.all([
    countPending(db, scope),
    countRows(
      db
        .selectFrom('affiliate as f')
        .where('f.status', '=', 'moderation')
        .where(inScope(scope, { affiliateManager: 'f.manager_id' })),
    ),
    withLandings ? countWaitingLandings(db, scope) : 0,
    countRows(
      db
        .selectFrom('conversion as c')
        .innerJoin('affiliate as f', 'f.id', 'c.affiliate_id')
        .innerJoin('advertiser as v', 'v.id', 'c.advertiser_id')
        .where('c.status', '=', 'pending')
        .where('c.test', '=', false)
        .where(inScope(scope, { affiliateManager: 'f.manager_id', advertiserManager: 'v.manager_id' })),
    ),
  ])
  return { access_requests, affiliates_in_moderation, landings_in_moderation, pending_conversions }
}

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
