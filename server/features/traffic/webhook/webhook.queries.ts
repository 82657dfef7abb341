import { sql, type Insertable, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { partnerApiWebhookApi } from '#contract/traffic/webhook.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { countRows } from '#server/platform/pg/paging.ts'

/** The webhooks of an affiliate, or one of them. */
export function listWebhooks(db: DbOrTrx, affiliateId: number, uuid?: string) {
  return db
    .selectFrom('webhook')
    .select(['id', 'uuid', 'url', 'events', 'status', 'failures', 'suspended_at', 'before_until', 'created_at'])
    .where('affiliate_id', '=', affiliateId)
    .where('status', '<>', 'deleted')
    .$if(uuid !== undefined, (query) => query.where('uuid', '=', uuid ?? ''))
    .orderBy('id')
    .execute()
}
export type WebhookRow = Awaited<ReturnType<typeof listWebhooks>>[number]

/** One of an affiliate's webhooks, locked: whoever changes its deliveries holds it. */
export function lockWebhook(trx: Trx, affiliateId: number, uuid: string) {
  return trx
    .selectFrom('webhook')
    .selectAll()
    .where('affiliate_id', '=', affiliateId)
    .where('uuid', '=', uuid)
    .where('status', '<>', 'deleted')
    .forUpdate()
    .executeTakeFirst()
}

/** How many webhooks an affiliate has; two who ask before they add one wait for each other. */
export async function countWebhooks(trx: Trx, affiliateId: number): Promise<number> {
  await trx.selectFrom('affiliate').select('id').where('id', '=', affiliateId).forNoKeyUpdate().execute()
  return countRows(trx.selectFrom('webhook').where('affiliate_id', '=', affiliateId).where('status', '<>', 'deleted'))
}

export function insertWebhook(trx: Trx, values: Insertable<Tables['webhook']>) {
  return trx.insertInto('webhook').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateWebhook(trx: Trx, id: number, values: Updateable<Tables['webhook']>): Promise<void> {
  await trx.updateTable('webhook').set(values).where('id', '=', id).execute()
}

/** Leads what waits for a webhook to another host. Lock the webhook first. */
export async function moveDeliveries(trx: Trx, webhookId: number, host: string): Promise<void> {
  await trx
    .updateTable('webhook_delivery')
    .set({ host })
    .where('webhook_id', '=', webhookId)
    .where('state', 'in', ['queued', 'held'])
    .execute()
}

/** Holds what waits for a webhook, sends what was held from now on, or drops both. Lock the webhook first. */
export async function settleWaiting(trx: Trx, webhookId: number, what: 'hold' | 'resume' | 'drop', at: Date): Promise<void> {
  const { from, ...values } = WAITING[what](at)
  await trx.updateTable('webhook_delivery').set(values).where('webhook_id', '=', webhookId).where('state', 'in', from).execute()
}

const WAITING = {
  hold: () => ({ state: 'held' as const, from: ['queued' as const] }),
  resume: (at: Date) => ({ state: 'queued' as const, next_try_at: at, from: ['held' as const] }),
  drop: (at: Date) => ({
    state: 'dead' as const,
    error: 'webhook_removed',
    next_try_at: null,
    done_at: at,
    from: ['queued' as const, 'held' as const],
  }),
}

export async function insertDeliveries(trx: Trx, rows: Insertable<Tables['webhook_delivery']>[]): Promise<void> {
  if (rows.length > 0) await trx.insertInto('webhook_delivery').values(rows).execute()
}

type Asked = Pick<z.output<typeof partnerApiWebhookApi.deliveries.query>, 'state' | 'webhook_uuid'>

/** Deliveries of an affiliate, the newest first; with `before` only those of lower numbers. */
export function listWebhookDeliveries(
  db: DbOrTrx,
  affiliateId: number,
  { state, webhook_uuid }: Asked,
  before: string | null,
  limit: number,
) {
  return deliveriesOf(db, affiliateId)
    .$if(before !== null, (query) => query.where('d.id', '<', before ?? '0'))
    .$if(state.length > 0, (query) => query.where('d.state', 'in', state))
    .$if(webhook_uuid !== undefined, (query) => query.where('w.uuid', '=', webhook_uuid ?? ''))
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute()
}
export type WebhookDeliveryRow = Awaited<ReturnType<typeof listWebhookDeliveries>>[number]

/** One delivery of an affiliate, by uuid or number. */
export function findWebhookDelivery(db: DbOrTrx, affiliateId: number, key: string) {
  return deliveriesOf(db, affiliateId)
    .select('d.body')
    .where(keyIs(key, { uuid: 'd.uuid', id: 'd.id' }))
    .executeTakeFirst()
}

/** The attempts of a delivery, the first one first. */
export function listWebhookAttempts(db: DbOrTrx, deliveryId: string) {
  return db
    .selectFrom('webhook_attempt')
    .select(['at', 'duration_ms', 'http_status', 'error', 'response'])
    .where('delivery_id', '=', deliveryId)
    .orderBy('id')
    .execute()
}

/** Queues deliveries of an affiliate again under the ids of their messages; what is still on its way is passed over. Answers how many. */
export async function replayWebhookDeliveries(trx: Trx, affiliateId: number, uuids: readonly string[], at: Date): Promise<number> {
  const { rows } = await sql`
    insert into webhook_delivery (webhook_id, message, replay, type, body, host, state, next_try_at, created_at)
    select d.webhook_id, d.message, max(e.replay) + 1, d.type, d.body, d.host,
           case when w.status = 'active' then 'queued' else 'held' end, ${at}::timestamptz, ${at}::timestamptz
      from (select distinct on (d.webhook_id, d.message) d.* from webhook_delivery d
             where d.uuid = any(${[...uuids]}::uuid[]) and d.state in ('sent', 'dead')) d
      join webhook w on w.id = d.webhook_id and w.affiliate_id = ${affiliateId} and w.status <> 'deleted'
      join webhook_delivery e on e.webhook_id = d.webhook_id and e.message = d.message
     where not exists (select from webhook_delivery o where o.webhook_id = d.webhook_id and o.message = d.message and o.state in ('queued', 'held'))
     group by d.webhook_id, d.message, d.type, d.body, d.host, w.status
    on conflict on constraint webhook_delivery_key do nothing
    returning id`.execute(trx)
  return rows.length
}

/** Removes deliveries made before a moment that nothing is awaited of; answers how many. */
export async function deleteWebhookDeliveries(db: DbOrTrx, before: Date): Promise<number> {
  const gone = await db
    .deleteFrom('webhook_delivery')
    .where('created_at', '<', before)
    .where('state', 'in', ['sent', 'dead'])
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}

function deliveriesOf(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook as w', 'w.id', 'd.webhook_id')
    .select(['d.id', 'd.uuid', 'd.message', 'd.type', 'd.state', 'd.tries', 'd.next_try_at', 'd.http_status', 'd.error', 'd.created_at'])
    .select('w.uuid as webhook_uuid')
    .where('w.affiliate_id', '=', affiliateId)
}
