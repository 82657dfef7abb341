import { z } from 'zod'
import { conversionStatus } from './conversion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, reference, uuid, version, someOf } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { DELIVERY_STATES } from './postback.ts'
import {
  attempt,
  conversionLink,
  expanded,
  KEPT_KEY_HOURS,
  messageInput,
  POSTBACK_BODIES,
  POSTBACK_METHODS,
  sentMessage,
  shownHeaders,
  trial,
} from './postback-message.ts'

export const OWN_POSTBACK_STATUSES = ['active', 'paused', 'suspended'] as const

export const ownPostback = z.object({
  uuid,
  /** null = every offer. */
  offer: reference.nullable(),
  goal: z.string().nullable(),
  /** Empty = every status. */
  statuses: z.array(conversionStatus),
  method: z.enum(POSTBACK_METHODS),
  url: z.string(),
  body_type: z.enum(POSTBACK_BODIES),
  body: z.string(),
  headers: shownHeaders,
  /** Whether bodies are signed as Standard Webhooks says, and until when the key before signs beside the new one. */
  signed: z.boolean(),
  signing_before_until: moment.nullable(),
  status: z.enum(OWN_POSTBACK_STATUSES),
  /** Failures in a row; 50 suspend it. */
  failures: z.int(),
  suspended_at: moment.nullable(),
  /** Deliveries that wait for it to be resumed. */
  held: z.int(),
  last_error: z.string(),
  created_at: moment,
  version,
})

export const ownPostbackInput = z.object({
  /** An offer the affiliate may run; null = every offer. */
  offer_uuid: uuid.nullable(),
  goal: line(64).nullable(),
  statuses: z.array(conversionStatus).max(5),
  url: line(2000),
  ...messageInput,
})
export type OwnPostbackInput = z.input<typeof ownPostbackInput>

export const delivery = z.object({
  uuid,
  created_at: moment,
  postback_uuid: uuid,
  offer: reference,
  conversion: conversionLink,
  status: conversionStatus,
  method: z.enum(POSTBACK_METHODS),
  url: z.string(),
  state: z.enum(DELIVERY_STATES),
  tries: z.int(),
  next_try_at: moment.nullable(),
  http_status: z.int().nullable(),
  error: z.string(),
})

/** One delivery with what was sent beside its address, and every attempt, the first one first. */
export const deliveryDetail = delivery.extend({ ...sentMessage, attempts: z.array(attempt) })

export const deliveryFilters = z.object({
  ...paging,
  ...sorting(['created_at', 'state', 'conversion', 'http_status', 'tries', 'next_try_at']),
  postback_uuid: uuid.nullable().default(null),
  state: someOf(z.enum(DELIVERY_STATES)),
})

/** An affiliate's own postbacks, their deliveries, and the lab. */
export const ownPostbackApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/postback/v1/own-list',
    access: 'postback.own',
    summary: 'The own postbacks, global ones first.',
    response: z.object({ list: z.array(ownPostback) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-create',
    access: 'postback.own',
    summary: 'Makes a postback; at most 200.',
    body: ownPostbackInput,
    response: ownPostback,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-update/:uuid',
    access: 'postback.own',
    summary: 'Changes a postback; what was queued before goes out as it was.',
    params: z.object({ uuid }),
    body: ownPostbackInput.extend({ version }),
    response: ownPostback,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-set-status/:uuid',
    access: 'postback.own',
    summary: 'Pauses a postback, or resumes it: what was held meanwhile is sent.',
    params: z.object({ uuid }),
    body: z.object({ status: z.enum(['active', 'paused']) }),
    response: ownPostback,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-remove/:uuid',
    access: 'postback.own',
    summary: 'Removes a postback; what was not sent stays unsent.',
    params: z.object({ uuid }),
    response: z.object({}),
  }),
  sign: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-sign/:uuid',
    access: 'postback.own',
    summary: 'Makes a key that signs the bodies of a postback as Standard Webhooks says, and tells it this once.',
    params: z.object({ uuid }),
    /** `keep_hours`: so long the key before signs too. */
    body: z.object({ version, keep_hours: z.literal([...KEPT_KEY_HOURS]).default(0) }),
    response: z.object({ secret: z.string() }),
  }),
  unsign: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-unsign/:uuid',
    access: 'postback.own',
    summary: 'Forgets the keys of a postback: it is not signed any more.',
    params: z.object({ uuid }),
    body: z.object({ version }),
    response: ownPostback,
  }),
  deliveries: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-deliveries',
    access: 'postback.own',
    reads: true,
    summary: 'What was sent, newest first.',
    body: deliveryFilters,
    response: listOf(delivery),
  }),
  delivery: endpoint({
    method: 'GET',
    path: '/api/postback/v1/own-delivery/:uuid',
    access: 'postback.own',
    summary: 'One delivery with every attempt.',
    params: byUuid,
    response: deliveryDetail,
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-replay',
    access: 'postback.own',
    summary: 'Sends up to 1,000 deliveries again, as they were.',
    body: z.object({ delivery_uuids: z.array(uuid).min(1).max(1000) }),
    response: z.object({ queued: z.int() }),
  }),
  backfill: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-backfill',
    access: 'postback.own',
    summary: 'Sends the present state of up to 1,000 conversions to one postback, also of those from before it was made.',
    body: z.object({ postback_uuid: uuid, conversion_uuids: z.array(uuid).min(1).max(1000) }),
    response: z.object({ queued: z.int() }),
  }),
  expand: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-expand',
    access: 'postback.own',
    reads: true,
    summary: 'Shows what an address becomes; nothing is sent.',
    body: trial,
    response: expanded,
  }),
  dryRun: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-dry-run',
    access: 'postback.own',
    reads: true,
    summary: 'The same, and whether its host can be reached by our rules; nothing is sent.',
    body: trial,
    response: expanded.extend({ reachable: z.boolean(), problem: z.string() }),
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/postback/v1/own-send',
    access: 'postback.own',
    summary: 'Sends a pasted address once, at most 30 a minute, and shows the answer.',
    body: trial,
    response: z.object({ url: z.string(), http_status: z.int().nullable(), error: z.string(), duration_ms: z.int(), response: z.string() }),
  }),
}
