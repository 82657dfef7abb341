import { z } from 'zod'
import { bounded } from '#contract/fields.ts'
import { CALL_STATUSES } from './call-status.ts'

/** What a try to sell a lead came to. `ambiguous`: nobody knows; it is neither tried again nor offered to the next one. */
export const OUTCOMES = ['accepted', 'rejected', 'duplicate', 'no_capacity', 'temporary', 'config_error', 'ambiguous'] as const
export const outcome = z.enum(OUTCOMES)
export type Outcome = z.output<typeof outcome>

/** How what an advertiser's server answered is compared; numbers, truths and texts of one meaning are alike: 1, "1"; true, "true". */
export const CONDITION_OPS = ['exists', 'absent', 'eq', 'ne', 'in', 'contains', 'matches', 'truthy', 'falsy', 'gt', 'lt'] as const

/** Text with macros in double braces, each with pure transforms behind it: `{{lead.phone | national}}`. */
const template = (most: number) => z.string().max(most)
/** Where something stands: `data.lead.0.id`, `errors.*` (each), `header:location`, `text` (all of it), `values.$json.id` (JSON inside a text), `matches:id=(\d+)` (what a pattern finds in all of it). */
const place = z.string().trim().min(1, 'Required').max(200)
const name = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Small letters, digits and _, a letter first')

export const integrationPair = z.object({
  name: template(200).min(1, 'Required'),
  value: template(2000),
  omit_if_empty: z.boolean().default(false),
})

export const NODE_TYPES = ['string', 'number', 'bool', 'object', 'array', 'null'] as const
/** One value of a body. `path` of JSON and XML `data.phone`, `0.source_uid`, `PHONE.0.VALUE`, `Lead.@id`; of forms the name as it stands. */
export const integrationNode = z.object({
  path: z.string().trim().min(1, 'Required').max(200),
  type: z.enum(NODE_TYPES).default('string'),
  value: template(2000),
  /** Without a value the lead is not sent: it is refused with the names of what is missing. */
  required: z.boolean().default(false),
  omit_if_empty: z.boolean().default(true),
})

export const BODY_KINDS = ['none', 'json', 'form', 'multipart', 'xml', 'raw'] as const

/** A call of an advertiser's server. */
export const requestSpec = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH']),
  url: template(2000).min(1, 'Required'),
  query: z.array(integrationPair).max(100).default([]),
  headers: z.array(integrationPair).max(40).default([]),
  body: z.enum(BODY_KINDS).default('none'),
  nodes: z.array(integrationNode).max(200).default([]),
  /** Of `raw` only. */
  raw: template(20_000).default(''),
  /** Instead of the one the body's kind has; '' = that one. */
  content_type: z.string().trim().max(100).default(''),
  timeout_ms: z.int().min(1000).max(120_000).default(15_000),
})
export type RequestSpec = z.output<typeof requestSpec>

/** All conditions of a rule hold, or it is passed over; `at` = '' looks at the status of the answer. */
export const condition = z.object({
  at: z.string().trim().max(200).default(''),
  op: z.enum(CONDITION_OPS),
  /** Of `in` one per line; of the status `2xx` too. */
  value: z.string().max(1000).default(''),
})
export const responseRule = z.object({
  when: z.array(condition).min(1).max(10),
  outcome,
  /** What is kept as the reason; '' = what stands at the places of the error's text. */
  reason: z.string().trim().max(200).default(''),
})
export const EXTRACTED = ['external_id', 'redirect_url', 'error_text', 'price', 'password'] as const
/** What an answer means: the first rule that fits decides, none = ambiguous. Of the places of each text the first that holds one counts. */
export const responseSpec = z.object({
  rules: z.array(responseRule).max(50),
  extract: z.partialRecord(z.enum(EXTRACTED), z.array(place).max(20)).default({}),
})
export type ResponseSpec = z.output<typeof responseSpec>

/** A call before the main one: a log-in, a click, a ping. What it gives is `{{step.<name>.<text>}}` afterwards. */
export const stepSpec = z.object({
  name,
  request: requestSpec,
  response: responseSpec,
  give: bounded(name, z.array(place).min(1).max(10), 10),
  /** For so long at most what it gave is used again, for every lead and pull of the product; 0 = for this one only. */
  keep_seconds: z.int().min(0).max(2_592_000).default(0),
  /** Where its answer says when what it gave ends: seconds from now, unix time, or a moment. */
  expires: z.array(place).max(10).optional(),
})
export type StepSpec = z.output<typeof stepSpec>

/** A secret or a plain parameter of a product: its account at the advertiser. */
export const credentialField = z.object({
  key: name,
  label: z.string().trim().min(1, 'Required').max(60),
  secret: z.boolean(),
  required: z.boolean().default(true),
})

/** How what became of leads is asked for. What a step gives that says nothing of a lead stands in it as well. Macros: `poll.from`, `poll.to`, `poll.page`, `poll.offset`, `poll.cursor`, `poll.ids`. */
export const pullSpec = z.object({
  request: requestSpec,
  /** ids: so many at once, joined; window: from and to are built of our own days of sending. */
  by: z.enum(['ids', 'window']),
  ids_at_once: z.int().min(1).max(1000).default(50),
  ids_between: z.string().max(10).default(','),
  window_days: z.int().min(1).max(31).default(7),
  /** Hours a window is wider at both ends: some read times by a clock of their own. */
  slack_hours: z.int().min(0).max(48).default(48),
  paging: z
    .discriminatedUnion('by', [
      z.object({ by: z.literal('none') }),
      z.object({ by: z.literal('page'), first: z.int().min(0).max(1).default(1), size: z.int().min(1).max(5000) }),
      z.object({ by: z.literal('offset'), size: z.int().min(1).max(5000) }),
      z.object({ by: z.literal('cursor'), at: place }),
    ])
    .default({ by: 'none' }),
  /** An answer of this shape is an error, never "no rows". */
  error_when: z.array(z.array(condition).min(1).max(5)).max(10).default([]),
  /** The first place that holds a list, or an object of rows by id (`$key` is then the row's id). */
  rows: z.array(place).min(1).max(10),
  /** What a row is wrapped in; '' = nothing. */
  wrapped: z.string().trim().max(100).default(''),
  id: z.array(place).min(1).max(10),
  /** Whose id that is: the one their answer named, or ours. */
  id_is: z.enum(['external_id', 'lead_id']).default('external_id'),
  status: z.array(place).max(10).default([]),
  /** Any that holds means a deposit or a sale, whatever the status says. */
  sale_when: z.array(condition).max(20).default([]),
  amount: z.array(place).max(10).default([]),
  /** What they call a payment: by it further deposits of a lead are told from the first. */
  transaction: z.array(place).max(10).optional(),
  /** The first place of a row that holds a list: each of it is read as a row of its own, of the same lead. */
  deposits: z.array(place).max(10).optional(),
  at: z.array(place).max(10).default([]),
})
export type PullSpec = z.output<typeof pullSpec>

/** How a lead is sent to an advertiser's system. */
export const integrationSpec = z.object({
  credentials: z.array(credentialField).max(30).default([]),
  /** Tables values are looked up in, by name: `{{lead.country | lookup:countries}}`. */
  tables: bounded(name, bounded(z.string().max(200), z.string().max(200), 1000), 20).default({}),
  steps: z.array(stepSpec).max(5).default([]),
  request: requestSpec,
  response: responseSpec,
  pull: pullSpec.nullable().default(null),
  /** Their words for a status, written small with single spaces, and ours. What is in neither waits for a person. */
  statuses: bounded(z.string().max(100), z.enum(CALL_STATUSES), 500).default({}),
})
export type IntegrationSpec = z.output<typeof integrationSpec>
