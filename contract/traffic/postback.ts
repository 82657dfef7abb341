import { z } from 'zod'
import { conversionStatus } from './conversion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, reference, someOf, uuid, version } from '#contract/fields.ts'
import { lastChange, sectionOf } from '#contract/network/define-setting.ts'
import { currency } from '#contract/money/amount.ts'
import { rawListOf, rawPaging, sorting } from '#contract/paging.ts'
import { stored } from '#contract/shape.ts'
import { attempt, conversionLink, sentMessage } from './postback-message.ts'
import { POSTBACK_OUTCOMES } from './postback-outcome.ts'
import { testCallAnswer, testCallInput } from './test-call.ts'

export const DELIVERY_STATES = ['queued', 'sent', 'dead', 'held'] as const

const direction = z.enum(['in', 'out'])

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
