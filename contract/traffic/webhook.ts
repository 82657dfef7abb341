import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, uuid } from '#contract/fields.ts'
import { commaList, cursorPageOf, cursorPaging } from '#contract/partner-page.ts'
import { DELIVERY_STATES } from './postback.ts'
import { attempt, KEPT_KEY_HOURS } from './postback-message.ts'

/** What webhooks tell of. */
export const WEBHOOK_EVENTS = ['conversion.created', 'conversion.status_changed', 'lead.status_changed', 'ticket.answered'] as const
/** The same, and what is sent by hand to see that it arrives. */
export const MESSAGE_TYPES = [...WEBHOOK_EVENTS, 'webhook.test'] as const
export const MOST_WEBHOOKS = 20

/** Where an affiliate's systems hear what happens. Fifty failures in a row suspend it: what happens meanwhile is held. */
export const webhook = z.object({
  uuid,
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  status: z.enum(['active', 'paused', 'suspended']),
  failures: z.int(),
  suspended_at: moment.nullable(),
  /** Until then the secret before signs too. */
  before_until: moment.nullable(),
  created_at: moment,
})

const webhookInput = z.object({
  url: line(2000).refine((text) => /^https:\/\/[^\s/?#\\@]+([/?#]|$)/i.test(text), 'An address that starts with https://'),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1, 'Choose at least one')
    .max(WEBHOOK_EVENTS.length)
    .overwrite((chosen) => [...new Set(chosen)]),
})

export const webhookDelivery = z.object({
  uuid,
  webhook_uuid: uuid,
  /** `webhook-id` of the message: the same whenever it is sent. */
  message: uuid,
  type: z.enum(MESSAGE_TYPES),
  state: z.enum(DELIVERY_STATES),
  tries: z.int(),
  next_try_at: moment.nullable(),
  http_status: z.int().nullable(),
  error: z.string(),
  created_at: moment,
})

const one = z.object({ uuid })
const withSecret = z.object({ webhook, secret: z.string() })

/** Webhooks, for programs of affiliates: signed messages as Standard Webhooks says. */
export const partnerApiWebhookApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/partner/v1/webhooks',
    access: 'partner.api',
    summary: 'Your webhooks; there are at most 20.',
    response: z.object({ data: z.array(webhook) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/partner/v1/webhooks',
    access: 'partner.api',
    summary: 'Makes a webhook and tells the secret that signs its messages, this once.',
    body: webhookInput,
    response: withSecret,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/partner/v1/webhooks/:uuid',
    access: 'partner.api',
    summary: 'Changes where a webhook leads and what it tells of; what waits goes to the new address.',
    params: one,
    body: webhookInput,
    response: webhook,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/partner/v1/webhook-status/:uuid',
    access: 'partner.api',
    summary: 'Pauses a webhook, which then hears of nothing, or resumes it: what was held is sent.',
    params: one,
    body: z.object({ status: z.enum(['active', 'paused']) }),
    response: webhook,
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/partner/v1/webhook-secret/:uuid',
    access: 'partner.api',
    summary: 'Makes a new secret and tells it this once; the one before signs too for `keep_hours`.',
    params: one,
    body: z.object({ keep_hours: z.literal([...KEPT_KEY_HOURS]).default(0) }),
    response: withSecret,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/partner/v1/webhooks/:uuid',
    access: 'partner.api',
    summary: 'Removes a webhook; what was not sent stays unsent.',
    params: one,
    response: z.object({}),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/partner/v1/webhook-test/:uuid',
    access: 'partner.api',
    summary: 'Sends a message of the type `webhook.test`.',
    params: one,
    response: z.object({ message: uuid }),
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/api/partner/v1/webhook-deliveries',
    access: 'partner.api',
    summary: 'What was sent to your webhooks, the newest first; kept for 30 days.',
    query: z.object({
      ...cursorPaging,
      webhook_uuid: uuid.optional(),
      state: commaList(z.enum(DELIVERY_STATES), DELIVERY_STATES.length),
    }),
    response: cursorPageOf(webhookDelivery),
  }),
  delivery: endpoint({
    method: 'GET',
    path: '/api/partner/v1/webhook-deliveries/:uuid',
    access: 'partner.api',
    summary: 'One delivery with its body and every attempt.',
    params: byUuid,
    response: webhookDelivery.extend({ body: z.string(), attempts: z.array(attempt) }),
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/partner/v1/webhook-replay',
    access: 'partner.api',
    summary: 'Sends up to 1,000 deliveries again, under the id of their message.',
    body: z.object({ delivery_uuids: z.array(uuid).min(1).max(1000) }),
    response: z.object({ queued: z.int() }),
  }),
}
