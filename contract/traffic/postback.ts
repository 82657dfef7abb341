import { z } from 'zod'
import { conversionStatus } from './conversion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, reference, someOf, uuid, version } from '#contract/fields.ts'
import { lastChange, sectionOf } from '#contract/network/define-setting.ts'
import { currency } from '#contract/money/amount.ts'
import { listOf, paging, rawListOf, rawPaging, sorting } from '#contract/paging.ts'
import { stored } from '#contract/shape.ts'
import { KEPT_KEY_HOURS, messageInput, POSTBACK_BODIES, POSTBACK_METHODS, sentMessage, shownHeaders } from './postback-message.ts'
import { POSTBACK_OUTCOMES } from './postback-outcome.ts'
import { testCallAnswer, testCallInput } from './test-call.ts'

export const DELIVERY_STATES = ['queued', 'sent', 'dead', 'held'] as const

const direction = z.enum(['in', 'out'])
const conversionLink = z.object({ uuid, id: z.string() })

export const postbackLogRow = z.object({
  id: z.string(),
  direction,
  at: moment,
  method: z.string(),
  /** in: path and query as they came, secrets cut out; out: the address called. */
  address: z.string(),
  body: z.string(),
  ip: z.string(),
  /** in: POSTBACK_OUTCOMES; out: DELIVERY_STATES. */
  outcome: z.string(),
  /** in: a code of POSTBACK_REFUSALS; out: the last error. */
  reason: z.string(),
  /** in: the parameter that was not understood; '' = none. */
  parameter: z.string(),
  /** in: what it held, or what it contradicts, in at most 200 characters; '' = nothing to say. */
  detail: z.string(),
  /** in: refused for one of NEEDS_MAPPING, and it named a click of ours or came from somebody known. */
  needs_mapping: z.boolean(),
  /** Since when and by whose word nobody has to do anything about it. */
  dismissed: z.object({ at: moment, by: z.string() }).nullable(),
  http_status: z.int().nullable(),
  tries: z.int(),
  next_try_at: moment.nullable(),
  click_id: z.string(),
  transaction_id: z.string(),
  goal: z.string(),
  offer: reference.nullable(),
  affiliate: reference.nullable(),
  advertiser: reference.nullable(),
  conversion: conversionLink.nullable(),
})

export const postbackLogFilters = z.object({
  ...rawPaging,
  /** Newest first pages have a cursor, in any other order none. Names one may not know come last; `tries` is of `out`. */
  sort: sorting([
    'at',
    'outcome',
    'reason',
    'http_status',
    'tries',
    'next_try_at',
    'offer',
    'goal',
    'affiliate',
    'advertiser',
    'conversion',
    'click_id',
    'transaction_id',
  ]).sort,
  /** Of the sorting: `direction` is whose postbacks they are. */
  order: z.enum(['asc', 'desc']).default('desc'),
  direction: direction.default('in'),
  from: moment.nullable().default(null),
  to: moment.nullable().default(null),
  /** needs_mapping: those that have it so. */
  outcome: someOf(z.enum([...POSTBACK_OUTCOMES, 'needs_mapping', ...DELIVERY_STATES])),
  reason: z.array(line(64)).max(50).default([]),
  /** in: paths nobody serves, their first 200 characters. */
  path: z.array(line(200)).max(50).default([]),
  offer_uuid: z.array(uuid).max(100).default([]),
  affiliate_uuid: z.array(uuid).max(100).default([]),
  /** A click id or transaction id, whole. */
  search: line(255).default(''),
})

const attempt = z.object({ at: moment, duration_ms: z.int(), http_status: z.int().nullable(), error: z.string(), response: z.string() })

const MOST_WORDS = 200

/** How advertisers may report: beside each offer's and advertiser's own token. */
const incomingFields = {
  /** Accepted for every offer; null = none. */
  token: z.string().nullable(),
  /** Addresses and networks every postback must come from; empty = any. */
  allowed_ips: z.array(line(64)).max(200),
  /** The advertiser's words → ours, beside those known anyway, such as {"sale": "approved"}. */
  statuses: z
    .record(line(40), conversionStatus)
    .refine((words) => Object.keys(words).length <= MOST_WORDS, `At most ${MOST_WORDS} values`)
    .meta({ maxProperties: MOST_WORDS }),
}
const incomingSettings = z.object({ ...stored(incomingFields), version, changed: lastChange })
/** `token`: "keep" leaves it as it is, "new" makes a fresh one, "none" takes it away. `version` is that of the answer that was read. */
const incomingUpdate = z.object({ ...incomingFields, token: z.enum(['keep', 'new', 'none']), version })
export type IncomingUpdate = z.output<typeof incomingUpdate>

/** The section of the settings they stand in. */
export const incomingSetting = sectionOf('postback', incomingFields, { token: null, allowed_ips: [], statuses: {} })

const incomingIds = z
  .array(z.string().regex(/^\d{1,18}$/))
  .min(1)
  .max(200)

/** Incoming calls that stay refused, each with its reason as it is now: a code of POSTBACK_REFUSALS, or waiting = its click is not stored. */
const stillRefused = z.array(z.object({ id: z.string(), reason: z.string(), parameter: z.string() }))

/** Postbacks as staff see them. */
export const postbackApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/postback/v1/list',
    access: 'postback.log',
    reads: true,
    summary: 'Postbacks of one direction, newest first: also refused and unmatched ones.',
    body: postbackLogFilters,
    response: rawListOf(postbackLogRow),
  }),
  attempts: endpoint({
    method: 'GET',
    path: '/api/postback/v1/attempts/:uuid',
    access: 'postback.log',
    summary: 'What was sent with one delivery to an affiliate, and every attempt, by the number it has in the list.',
    params: byUuid,
    response: z.object({ ...sentMessage, list: z.array(attempt) }),
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/postback/v1/replay',
    access: 'postback.log',
    summary: 'Applies refused or unmatched postbacks again, or sends deliveries again; up to 1,000.',
    body: z.object({
      direction,
      ids: z
        .array(z.string().regex(/^\d{1,18}$/))
        .min(1)
        .max(1000),
    }),
    /** `unauthorized`: what came without the token or from an address it may not come from, and still is not authorised. */
    response: z.object({
      replayed: z.int(),
      unauthorized: z.int(),
      failed: stillRefused,
    }),
  }),
  strays: endpoint({
    method: 'GET',
    path: '/api/postback/v1/strays',
    access: 'postback.stray',
    summary:
      'How often the tracking domain was called on which path nobody serves: the 200 most frequent ones, all others under "" at the end.',
    response: z.object({
      /** `sampled`: at least one call is kept in the list. */
      list: z.array(z.object({ path: z.string(), calls: z.int(), last_at: moment, sampled: z.boolean() })),
    }),
  }),
  rehearse: endpoint({
    method: 'POST',
    path: '/api/postback/v1/rehearse',
    access: 'postback.confirm',
    reads: true,
    summary: 'What up to 200 postbacks of advertisers would book if they were confirmed, by status and currency; nothing is booked.',
    body: z.object({ ids: incomingIds }),
    response: z.object({
      list: z.array(z.object({ status: conversionStatus, currency, conversions: z.int(), payout: z.string(), revenue: z.string() })),
    }),
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/postback/v1/confirm',
    access: 'postback.confirm',
    summary: 'Applies up to 200 refused postbacks of advertisers again although nothing authorises them.',
    body: z.object({ ids: incomingIds }),
    response: z.object({ replayed: z.int(), failed: stillRefused }),
  }),
  testCall: endpoint({
    method: 'POST',
    path: '/api/postback/v1/test-call',
    access: 'setting.general',
    summary: 'Reports a result of a test click as its advertiser would, and says how it is read; nothing is booked, whatever it says.',
    body: testCallInput,
    response: testCallAnswer,
  }),
  incoming: endpoint({
    method: 'GET',
    path: '/api/postback/v1/incoming',
    access: 'setting.general',
    summary: 'Settings of incoming postbacks.',
    response: incomingSettings,
  }),
  updateIncoming: endpoint({
    method: 'POST',
    path: '/api/postback/v1/update-incoming',
    access: 'setting.general',
    summary: 'Changes them; `token` "new" makes a fresh one, "none" removes it. Refused when somebody changed them in between.',
    body: incomingUpdate,
    response: incomingSettings,
  }),
}

export const OWN_POSTBACK_STATUSES = ['active', 'paused', 'suspended'] as const
const method = z.enum(POSTBACK_METHODS)

export const ownPostback = z.object({
  uuid,
  /** null = every offer. */
  offer: reference.nullable(),
  goal: z.string().nullable(),
  /** Empty = every status. */
  statuses: z.array(conversionStatus),
  method,
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
  method,
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

/**
 * A pasted address with what goes along and the conversion to try it with; without one the newest own one, or made-up values. The
 * secrets and keys are those of the postback that is named.
 */
const trial = z.object({
  url: line(2000),
  ...messageInput,
  method: method.default('GET'),
  postback_uuid: uuid.nullable().default(null),
  conversion_uuid: uuid.nullable().default(null),
})
export type PostbackTrial = z.input<typeof trial>
const expanded = z.object({
  url: z.string(),
  body: z.string().nullable(),
  /** Of a secret the value is null, of a signature what it is like. */
  headers: z.record(z.string(), z.string().nullable()),
  macros: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Mistakes of the address, in sentences; empty = it may be saved. */
  errors: z.array(z.string()),
  /** Whether the values are made up, because there is no conversion yet. */
  sample: z.boolean(),
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
