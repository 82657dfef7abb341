import { sql } from 'kysely'
import type { Places } from '#server/platform/outbound/deliverer.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

export type DueWebhook = {
  id: string
  uuid: string
  webhook_id: number
  affiliate_id: number
  message: string
  body: string
  url: string
  host: string
  tries: number
  secret: Buffer
  secret_before: Buffer | null
  before_until: Date | null
}

/** A worker that dies keeps what it had taken from being sent for this long. */
const LEASE_MS = 60_000
const LOOKED_AT = 500

/** Takes due deliveries, oldest first, no more per host than it has places; what another worker holds is passed over. */
export async function claimWebhooks(db: Db, now: number, places: Places): Promise<DueWebhook[]> {
  const full = places.loads.filter((load) => load.free <= 0).map((load) => load.host)
  const { rows } = await sql<DueWebhook>`
    with due as (
      select id, host from webhook_delivery
       where state = 'queued' and next_try_at <= ${new Date(now)} and host <> all(${full}::text[])
       order by next_try_at limit ${LOOKED_AT} for update skip locked
    ), ranked as (
      select due.id, row_number() over (partition by due.host order by due.id) as place, coalesce(load.free, ${places.perHost}) as free
        from due left join unnest(${places.loads.map((load) => load.host)}::text[], ${places.loads.map((load) => load.free)}::int[]) as load (host, free) on load.host = due.host
    ), taken as (select id from ranked where place <= free limit ${places.limit})
    update webhook_delivery d set next_try_at = ${new Date(now + LEASE_MS)} from taken, webhook w
     where d.id = taken.id and w.id = d.webhook_id
    returning d.id, d.uuid, d.webhook_id, w.affiliate_id, d.message, d.body, w.url, d.host, d.tries, w.secret, w.secret_before, w.before_until`.execute(
    db,
  )
  return rows
}

type Tried = { at: number; durationMs: number; httpStatus: number | null; error: string; response: string }

/** Logs an attempt of a delivery. */
export async function storeWebhookAttempt(trx: Trx, deliveryId: string, tried: Tried): Promise<void> {
  await trx
    .insertInto('webhook_attempt')
    .values({
      delivery_id: deliveryId,
      at: new Date(tried.at),
      duration_ms: tried.durationMs,
      http_status: tried.httpStatus,
      error: tried.error,
      response: tried.response.replace(/\u0000/g, '').slice(0, 500),
    })
    .execute()
}

/** Counts a failure in a row of a webhook, or wipes them; answers how many there are now. The row stays locked. */
export async function countWebhookFailure(db: DbOrTrx, id: number, failed: boolean): Promise<number> {
  const row = await db
    .updateTable('webhook')
    .set({ failures: failed ? sql<number>`failures + 1` : 0 })
    .where('id', '=', id)
    .returning('failures')
    .executeTakeFirst()
  return row?.failures ?? 0
}

type Settled = { sent: boolean; nextTryAt: number | null; httpStatus: number | null; error: string; now: number }

/** Notes what became of a delivery: sent, dead, or to be tried again. One held meanwhile stays held, one whose webhook is gone stays dead. */
export async function settleWebhook(trx: Trx, id: string, { sent, nextTryAt, httpStatus, error, now }: Settled): Promise<void> {
  const done = sent ? 'sent' : nextTryAt === null ? 'dead' : null
  await trx
    .updateTable('webhook_delivery')
    .set({
      tries: sql<number>`tries + 1`,
      http_status: httpStatus,
      error,
      next_try_at: nextTryAt === null ? null : new Date(nextTryAt),
      ...(done !== null && { state: done, done_at: new Date(now) }),
    })
    .where('id', '=', id)
    .where('state', 'in', sent ? ['queued', 'held', 'dead'] : ['queued', 'held'])
    .execute()
}

/** Stops a webhook that fails and fails; false when it was not active. */
export async function suspendWebhook(trx: Trx, id: number, at: Date): Promise<boolean> {
  const suspended = await trx
    .updateTable('webhook')
    .set({ status: 'suspended', suspended_at: at })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .returning('id')
    .executeTakeFirst()
  return suspended !== undefined
}
