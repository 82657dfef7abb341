import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { DELIVERY_STATES } from './postback.ts'
import { attempt } from './postback-message.ts'
import { partnerApiWebhookApi, webhook, webhookDelivery } from './webhook.ts'

/** A webhook as its page shows it. */
export const ownWebhook = webhook.extend({
  /** How many messages wait until it is resumed. */
  held: z.int(),
  /** How many were given up within the days the log is kept, and never arrived since. */
  failed: z.int(),
  /** What the last call that failed came to; empty where none did. */
  last_error: z.string(),
})
export type OwnWebhook = z.output<typeof ownWebhook>

const delivery = webhookDelivery.extend({ url: z.string() })
export type OwnWebhookDelivery = z.output<typeof delivery>

const detail = delivery.extend({ body: z.string(), attempts: z.array(attempt) })

const deliveryFilters = z.object({
  ...paging,
  ...sorting(['created_at', 'state', 'type', 'http_status', 'tries', 'next_try_at']),
  webhook_uuid: z.array(uuid).max(20).default([]),
  state: someOf(z.enum(DELIVERY_STATES)),
})

const one = z.object({ uuid })
const withSecret = z.object({ webhook: ownWebhook, secret: z.string() })
const { create, update, setStatus, rotate } = partnerApiWebhookApi

/** The webhooks of an affiliate on its page of the panel; programs have the same at `partnerApiWebhookApi`. */
export const ownWebhookApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/webhook/v1/own-list',
    access: 'postback.own',
    summary: 'The own webhooks, with what waits and what failed.',
    response: z.object({ list: z.array(ownWebhook) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/webhook/v1/own-create',
    access: 'postback.own',
    summary: create.summary,
    body: create.body,
    response: withSecret,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/webhook/v1/own-update/:uuid',
    access: 'postback.own',
    summary: update.summary,
    params: one,
    body: update.body,
    response: ownWebhook,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/webhook/v1/own-status/:uuid',
    access: 'postback.own',
    summary: setStatus.summary,
    params: one,
    body: setStatus.body,
    response: ownWebhook,
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/webhook/v1/own-secret/:uuid',
    access: 'postback.own',
    summary: rotate.summary,
    params: one,
    body: rotate.body,
    response: withSecret,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/webhook/v1/own-delete/:uuid',
    access: 'postback.own',
    summary: partnerApiWebhookApi.remove.summary,
    params: one,
    response: z.object({}),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/webhook/v1/own-test/:uuid',
    access: 'postback.own',
    summary: partnerApiWebhookApi.test.summary,
    params: one,
    response: z.object({ message: uuid }),
  }),
  deliveries: endpoint({
    method: 'POST',
    path: '/api/webhook/v1/own-deliveries',
    access: 'postback.own',
    reads: true,
    summary: 'What was sent to the own webhooks, newest first; kept for 30 days.',
    body: deliveryFilters,
    response: listOf(delivery),
  }),
  delivery: endpoint({
    method: 'GET',
    path: '/api/webhook/v1/own-delivery/:uuid',
    access: 'postback.own',
    summary: partnerApiWebhookApi.delivery.summary,
    params: byUuid,
    response: detail,
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/webhook/v1/own-replay',
    access: 'postback.own',
    summary: partnerApiWebhookApi.replay.summary,
    body: partnerApiWebhookApi.replay.body,
    response: z.object({ queued: z.int() }),
  }),
  replayFailed: endpoint({
    method: 'POST',
    path: '/api/webhook/v1/own-replay-failed/:uuid',
    access: 'postback.own',
    summary: 'Sends what one webhook was never reached with again: the newest 1,000.',
    params: one,
    response: z.object({ queued: z.int() }),
  }),
}

/** What staff see of the webhooks of an affiliate in their scope: to change them they act as the affiliate. */
export const affiliateWebhookApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/webhook/v1/affiliate-list/:uuid',
    access: 'affiliate.read',
    summary: 'The webhooks of an affiliate, with what waits and what failed.',
    params: byUuid,
    response: z.object({ list: z.array(ownWebhook) }),
  }),
  deliveries: endpoint({
    method: 'POST',
    path: '/api/webhook/v1/affiliate-deliveries',
    access: 'affiliate.read',
    reads: true,
    summary: 'What was sent to the webhooks of an affiliate, newest first.',
    body: deliveryFilters.extend({ affiliate_uuid: uuid }),
    response: listOf(delivery),
  }),
}
