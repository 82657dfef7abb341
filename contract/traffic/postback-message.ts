import { z } from 'zod'
import { line, moment, uuid } from '#contract/fields.ts'

/*
 * What a postback to an affiliate is made of beside its address. POST alone has a body: the query of the address as a form, or a form
 * or JSON of its own.
 */

export const POSTBACK_METHODS = ['GET', 'POST'] as const
export const POSTBACK_BODIES = ['query', 'form', 'json'] as const

const MOST_HEADERS = 20
/** The transport writes these, or Ohma does. */
const TAKEN = new Set(
  [
    'accept-encoding connection content-encoding content-length content-type date expect host keep-alive te trailer',
    'transfer-encoding upgrade via forwarded x-delivery-attempt x-delivery-id webhook-id webhook-timestamp webhook-signature',
  ].flatMap((names) => names.split(' ')),
)

const headerName = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(64, 'At most 64 characters')
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]*$/, 'Letters, digits and hyphens only')
  .refine((name) => !TAKEN.has(name.toLowerCase()) && !/^(proxy|sec)-/i.test(name), 'This header is set for you')

/** `value` null of a secret one leaves it as it is; a secret is sent as typed, in all others macros are filled in. */
const headerInput = z.object({
  name: headerName,
  value: z
    .string()
    .max(1000, 'At most 1000 characters')
    .regex(/^[\x20-\x7e]*$/, 'Only Latin letters, digits and signs')
    .nullable(),
  secret: z.boolean().default(false),
})
export type HeaderInput = z.output<typeof headerInput>

/** As they are shown: of a secret one `value` is null. */
export const shownHeaders = z.array(z.object({ name: z.string(), value: z.string().nullable(), secret: z.boolean() }))

/** The message of a postback as it is typed. */
export const messageInput = {
  method: z.enum(POSTBACK_METHODS),
  /** Of POST: `query` sends the query of the address as a form, `form` and `json` what `body` says. */
  body_type: z.enum(POSTBACK_BODIES).default('query'),
  /** A template with macros. In JSON a macro within quotes is a text; without quotes a number stays one, what is missing is null. */
  body: z.string().max(8000, 'At most 8000 characters').default(''),
  headers: z
    .array(headerInput)
    .max(MOST_HEADERS, `At most ${MOST_HEADERS} headers`)
    .refine((list) => new Set(list.map(({ name }) => name.toLowerCase())).size === list.length, 'A name stands there twice')
    .default([]),
}

/** `value` null where it is a secret. */
const sentHeader = z.object({ name: z.string(), value: z.string().nullable() })
export type SentHeader = z.output<typeof sentHeader>

/** What left with a delivery beside its address; of secret headers the names. */
export const sentMessage = { body: z.string(), headers: z.array(sentHeader) }

/** A conversion as postbacks name it. */
export const conversionLink = z.object({ uuid, id: z.string() })

/** One try of a delivery. */
export const attempt = z.object({
  at: moment,
  duration_ms: z.int(),
  http_status: z.int().nullable(),
  error: z.string(),
  response: z.string(),
})

/** How long the key before may go on signing beside a new one, in hours. */
export const KEPT_KEY_HOURS = [0, 1, 24, 168] as const

/**
 * A pasted address with what goes along and the conversion to try it with; without one the newest own one, or made-up values. The
 * secrets and keys are those of the postback that is named.
 */
export const trial = z.object({
  url: line(2000),
  ...messageInput,
  method: z.enum(POSTBACK_METHODS).default('GET'),
  postback_uuid: uuid.nullable().default(null),
  conversion_uuid: uuid.nullable().default(null),
})
export type PostbackTrial = z.input<typeof trial>
/** What a trial becomes. */
export const expanded = z.object({
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
