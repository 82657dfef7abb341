import type { z } from 'zod'
import type { webhook, webhookDelivery } from '#contract/traffic/webhook.ts'
import type { WebhookDeliveryRow, WebhookRow } from './webhook.queries.ts'

/** A webhook as its affiliate sees it: nothing of its secret. */
export function presentWebhook({ id: _id, ...row }: WebhookRow): z.output<typeof webhook> {
  return {
    ...row,
    events: row.events as z.output<typeof webhook>['events'], // the contract let only these in
    status: row.status as z.output<typeof webhook>['status'], // removed ones are not listed
    suspended_at: row.suspended_at?.toISOString() ?? null,
    before_until: row.before_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

/** One delivery in the log. */
export function presentWebhookDelivery({ id: _id, ...row }: WebhookDeliveryRow): z.output<typeof webhookDelivery> {
  return {
    ...row,
    type: row.type as z.output<typeof webhookDelivery>['type'], // nothing else is written
    state: row.state as z.output<typeof webhookDelivery>['state'], // nothing else is written
    next_try_at: row.next_try_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
