import { sql } from 'kysely'
import type { z } from 'zod'
import type { ownWebhookApi } from '#contract/traffic/own-webhook.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'

/** So many messages are sent again at once, the newest first. */
const MOST_REPLAYED = 1000

/** No message with the same id arrived or is on its way. */
const NEVER_ARRIVED = sql<boolean>`d.state = 'dead' and not exists (
  select from webhook_delivery o where o.webhook_id = d.webhook_id and o.message = d.message and o.state <> 'dead')`

/** The webhooks of an affiliate, or one of them, with what waits and what failed. */
export function listWebhooksWithState(db: DbOrTrx, affiliateId: number, uuid?: string) {
  return db
    .selectFrom('webhook as w')
    .select(['w.id', 'w.uuid', 'w.url', 'w.events', 'w.status', 'w.failures', 'w.suspended_at', 'w.before_until', 'w.created_at'])
    .select([
      sql<number>`(select count(*)::int from webhook_delivery d where d.webhook_id = w.id and d.state = 'held')`.as('held'),
      sql<number>`(select count(distinct d.message)::int from webhook_delivery d where d.webhook_id = w.id and ${NEVER_ARRIVED})`.as(
        'failed',
      ),
      sql<string>`case when w.failures = 0 then '' else coalesce(
        (select d.error from webhook_delivery d where d.webhook_id = w.id and d.error <> '' order by d.id desc limit 1), '') end`.as(
        'last_error',
      ),
    ])
    .where('w.affiliate_id', '=', affiliateId)
    .where('w.status', '<>', 'deleted')
    .$if(uuid !== undefined, (query) => query.where('w.uuid', '=', uuid ?? ''))
    .orderBy('w.id')
    .execute()
}
export type WebhookStateRow = Awaited<ReturnType<typeof listWebhooksWithState>>[number]

type Asked = z.output<typeof ownWebhookApi.deliveries.body>

/** One page of what was sent to an affiliate’s webhooks. */
export function pageWebhookDeliveries(db: Db, affiliateId: number, asked: Asked) {
  return listPage(
    deliveriesOf(db, affiliateId)
      .$if(asked.webhook_uuid.length > 0, (query) => query.where('w.uuid', 'in', asked.webhook_uuid))
      .$if(asked.state.length > 0, (query) => query.where('d.state', 'in', asked.state))
      .select(sql<number>`d.id::float8`.as('id')),
    { id: 'd.id', [asked.sort]: `d.${asked.sort}` },
    asked,
  )
}
export type WebhookLogRow = Awaited<ReturnType<typeof pageWebhookDeliveries>>['list'][number]

/** One delivery of an affiliate with what was sent. */
export function findWebhookMessage(db: Db, affiliateId: number, key: string) {
  return deliveriesOf(db, affiliateId)
    .select(['d.id', 'd.body'])
    .where(keyIs(key, { uuid: 'd.uuid', id: 'd.id' }))
    .executeTakeFirst()
}

/** What a webhook was never reached with, the newest first: one delivery of each message. */
export async function failedDeliveries(trx: Trx, affiliateId: number, uuid: string): Promise<string[]> {
  const rows = await deliveriesOf(trx, affiliateId)
    .where('w.uuid', '=', uuid)
    .where(NEVER_ARRIVED)
    .orderBy('d.id', 'desc')
    .limit(MOST_REPLAYED)
    .execute()
  return rows.map((row) => row.uuid)
}

function deliveriesOf(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook as w', 'w.id', 'd.webhook_id')
    .select(['d.uuid', 'd.message', 'd.type', 'd.state', 'd.tries', 'd.next_try_at', 'd.http_status', 'd.error', 'd.created_at'])
    .select(['w.uuid as webhook_uuid', 'w.url'])
    .where('w.affiliate_id', '=', affiliateId)
}
