import { sql } from 'kysely'
import { isTold, shownGoal } from '#server/features/offers/offer/goal.queries.ts'
import type { Message } from '#server/rules/conversion/postback-message.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'

import type { Places } from '#server/platform/outbound/deliverer.ts'
import type { SealedSecrets } from './request.service.ts'

export type DueDelivery = {
  id: string
  uuid: string
  postback_id: number
  affiliate_id: number
  host: string
  tries: number
} & Message &
  SealedSecrets

/** A worker that dies keeps what it had taken from being sent for this long. */
const LEASE_MS = 60_000
const LOOKED_AT = 500

/**
 * Takes due deliveries, oldest first, at most `limit` and no more per host than it has places; a host with none is
 * passed over, so that those behind it are reached. What another worker holds is passed over too.
 */
export async function claimDeliveries(db: Db, now: number, places: Places): Promise<DueDelivery[]> {
  const full = places.loads.filter((load) => load.free <= 0).map((load) => load.host)
  const { rows } = await sql<DueDelivery>`
    with due as (
      select id, host from postback_delivery
       where state = 'queued' and next_try_at <= ${new Date(now)} and host <> all(${full}::text[])
       order by next_try_at limit ${LOOKED_AT} for update skip locked
    ), ranked as (
      select due.id, row_number() over (partition by due.host order by due.id) as place, coalesce(load.free, ${places.perHost}) as free
        from due left join unnest(${places.loads.map((load) => load.host)}::text[], ${places.loads.map((load) => load.free)}::int[]) as load (host, free) on load.host = due.host
    ), taken as (select id from ranked where place <= free limit ${places.limit})
    update postback_delivery d set next_try_at = ${new Date(now + LEASE_MS)} from taken, affiliate_postback p
     where d.id = taken.id and p.id = d.postback_id
    returning d.id, d.uuid, d.postback_id, d.affiliate_id, d.method, d.url, d.body_type, d.body, d.headers, d.host, d.tries,
              p.sealed_headers, p.signing_secret, p.signing_secret_before, p.signing_before_until`.execute(db)
  return rows
}

export type Attempt = { at: number; durationMs: number; httpStatus: number | null; error: string; response: string }

/** Logs an attempt of a delivery. */
export async function storeAttempt(db: DbOrTrx, deliveryId: string, attempt: Attempt): Promise<void> {
  await db
    .insertInto('postback_attempt')
    .values({
      delivery_id: deliveryId,
      at: new Date(attempt.at),
      duration_ms: attempt.durationMs,
      http_status: attempt.httpStatus,
      error: attempt.error,
      response: attempt.response.replace(/\u0000/g, '').slice(0, 500),
    })
    .execute()
}

/** Counts a failure in a row of a postback, or wipes them; answers how many there are now. The row stays locked. */
export async function countFailure(db: DbOrTrx, postbackId: number, failed: boolean): Promise<number> {
  const row = await db
    .updateTable('affiliate_postback')
    .set({ failures: failed ? sql<number>`failures + 1` : 0 })
    .where('id', '=', postbackId)
    .$if(!failed, (query) => query.where('failures', '<>', 0))
    .returning('failures')
    .executeTakeFirst()
  return row?.failures ?? 0
}

/** Notes what became of a delivery: sent, dead, or to be tried again at `nextTryAt`. One held meanwhile stays held until it is resumed. */
export async function settleDelivery(
  db: DbOrTrx,
  id: string,
  result: { sent: boolean; nextTryAt: number | null; httpStatus: number | null; error: string; now: number },
): Promise<void> {
  const done = result.sent ? 'sent' : result.nextTryAt === null ? 'dead' : null
  await db
    .updateTable('postback_delivery')
    .set({
      tries: sql<number>`tries + 1`,
      http_status: result.httpStatus,
      error: result.error,
      next_try_at: result.nextTryAt === null ? null : new Date(result.nextTryAt),
      ...(done === null ? {} : { state: done, done_at: new Date(result.now) }),
    })
    .where('id', '=', id)
    .execute()
}

/** Stops a postback that fails and fails; what waits is held for it. False when it was not active. */
export async function suspendPostback(db: DbOrTrx, id: number, now: number): Promise<boolean> {
  const suspended = await db
    .updateTable('affiliate_postback')
    .set({ status: 'suspended', suspended_at: new Date(now) })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .returning('id')
    .executeTakeFirst()
  if (suspended === undefined) return false
  await holdDeliveries(db, id)
  return true
}

/** Holds what waits for a postback. Lock the postback first. */
export async function holdDeliveries(db: DbOrTrx, postbackId: number): Promise<void> {
  await db
    .updateTable('postback_delivery')
    .set({ state: 'held' })
    .where('postback_id', '=', postbackId)
    .where('state', '=', 'queued')
    .execute()
}

/** Queues what was held for a postback, to be sent from now on. Lock the postback first. */
export async function resumeDeliveries(db: DbOrTrx, postbackId: number, now: number): Promise<void> {
  await db
    .updateTable('postback_delivery')
    .set({ state: 'queued', next_try_at: new Date(now) })
    .where('postback_id', '=', postbackId)
    .where('state', '=', 'held')
    .execute()
}

/** What was not sent of a removed postback never will be. Lock the postback first. */
export async function dropDeliveries(db: DbOrTrx, postbackId: number, now: number): Promise<void> {
  await db
    .updateTable('postback_delivery')
    .set({ state: 'dead', error: 'postback_removed', next_try_at: null, done_at: new Date(now) })
    .where('postback_id', '=', postbackId)
    .where('state', 'in', ['queued', 'held'])
    .execute()
}

/** Which deliveries: an affiliate's by uuid, or any by number for staff. */
type Which = { affiliateId: number; uuids: readonly string[] } | { ids: readonly string[] }

/**
 * Queues deliveries again as they were sent, each as a delivery of its own; what is still on its way is passed over.
 * Answers how many.
 */
export async function replayDeliveries(db: DbOrTrx, now: number, which: Which): Promise<number> {
  const chosen =
    'ids' in which
      ? sql`d.id = any(${which.ids}::bigint[])`
      : sql`d.affiliate_id = ${which.affiliateId} and d.uuid = any(${which.uuids}::uuid[])`
  const { rows } = await sql`
    insert into postback_delivery (postback_id, affiliate_id, conversion_id, history_seq, replay, method, url, body_type, body, headers, host, state, next_try_at, created_at)
    select d.postback_id, d.affiliate_id, d.conversion_id, d.history_seq,
           (select max(e.replay) from postback_delivery e where e.postback_id = d.postback_id and e.history_seq = d.history_seq)
             + row_number() over (partition by d.postback_id, d.history_seq order by d.id),
           d.method, d.url, d.body_type, d.body, d.headers, d.host, case when p.status = 'active' then 'queued' else 'held' end, ${new Date(now)}::timestamptz, ${new Date(now)}::timestamptz
      from postback_delivery d join affiliate_postback p on p.id = d.postback_id
     where ${chosen} and d.state in ('sent', 'dead') and p.status <> 'deleted'
     order by d.id
    on conflict on constraint postback_delivery_key do nothing
    returning id`.execute(db)
  return rows.length
}

/** Conversions with the last entry of their history, and the number the next replay of it would have. */
export function listLatestStates(trx: DbOrTrx, affiliateId: number, postbackId: number, uuids: readonly string[]) {
  return trx
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('affiliate as f', 'f.id', 'c.affiliate_id')
    .innerJoin('conversion_history as h', (join) =>
      join.onRef('h.conversion_id', '=', 'c.id').onRef('h.affiliate_id', '=', 'c.affiliate_id'),
    )
    .selectAll('c')
    .select(['h.seq', 'h.from_status', shownGoal('code').as('goal_code'), shownGoal('title').as('goal_title'), 'o.title as offer_title'])
    .select('f.external_id')
    .select(
      sql<number>`coalesce((select max(d.replay) + 1 from postback_delivery d where d.postback_id = ${postbackId} and d.history_seq = h.seq), 0)`.as(
        'next_replay',
      ),
    )
    .where('c.affiliate_id', '=', affiliateId)
    .where(isTold({ kind: 'affiliate' }))
    .where('c.uuid', 'in', [...new Set(uuids)])
    .where(sql<boolean>`not exists (select from conversion_history later where later.conversion_id = c.id and later.seq > h.seq)`)
    .orderBy('c.id')
    .execute()
}
