import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { moment, reference, uuid, version } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { listOf, paging } from '#contract/paging.ts'
import { conversionStatus } from './conversion.ts'
import { dialect, DIALECT_MEANINGS, type Dialect } from './dialect.ts'

/** Whose calls: a right token came with them, or nothing says that they are an advertiser's. */
export const SHAPE_SENDERS = ['known', 'unproven'] as const

const shape = z.string().regex(/^[\w-]{16}$/)
const named = { advertiser_uuid: uuid, shape }
const anyDialect = z.custom<Dialect>((value) => typeof value === 'object' && value !== null)
const reasons = z.array(z.object({ reason: z.string(), parameter: z.string(), calls: z.int() }))

const rehearsal = z.object({
  /** Kept calls of the shape, and how many of them were looked at: the newest 500. */
  calls: z.int(),
  looked: z.int(),
  /** Those that find a conversion, also one that is already as they say. */
  applied: z.int(),
  sums: z.array(z.object({ status: conversionStatus, currency, conversions: z.int(), payout: z.string(), revenue: z.string() })),
  /** Of those declined: by offers whose cap is full, the most first; what a second person or a larger cap does is said there. */
  full: z.array(z.object({ offer: reference, conversions: z.int() })),
  /** Nothing authorises them. */
  unauthorized: z.int(),
  failed: reasons,
})

/** Kept calls that look alike, and what they would be with a mapping. */
export const shapeApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/shape/v1/list',
    access: 'postback.log',
    reads: true,
    summary:
      'Calls of advertisers that were not understood, those that look alike together, the latest first: of known senders (a right token came with them, or they were authorised), or of those nobody can vouch for, of whom the latest 10 of an advertiser, 5 of an address and 3 of a click are shown.',
    body: z.object({ ...paging, sender: z.enum(SHAPE_SENDERS).default('known') }),
    response: listOf(
      z.object({
        shape: z.string(),
        advertiser: reference,
        calls: z.int(),
        first_at: moment,
        last_at: moment,
        /** Codes of POSTBACK_REFUSALS. */
        reasons: z.array(z.string()),
        /** The latest call, and the beginning of its body. */
        call: z.string(),
        body: z.string(),
      }),
    ).extend({ senders: z.record(z.enum(SHAPE_SENDERS), z.int()) }),
  }),
  propose: endpoint({
    method: 'POST',
    path: '/api/shape/v1/propose',
    access: 'postback.log',
    reads: true,
    summary: 'How calls of one shape are probably to be read, out of the newest 200 of them; nothing is saved.',
    body: z.object(named),
    response: z.object({
      /** Of the advertiser's dialect, for `apply`. */
      version,
      dialect: anyDialect,
      /** The system it is taken for; '' = none that is known. */
      preset_title: z.string(),
      /** What calls of this advertiser were read as until now and would not be any more, by name; '' = what people said by hand, null = nothing is lost. */
      replaces: z.string().nullable(),
      fields: z.array(
        z.object({ name: z.string(), means: z.enum(DIALECT_MEANINGS).nullable(), samples: z.array(z.string()), calls: z.int() }),
      ),
      /** Words to be confirmed; with neither a status nor a goal nobody can guess what they mean. */
      words: z.array(
        z.object({ word: z.string(), calls: z.int(), field: z.string(), status: conversionStatus.nullable(), goal: z.string().nullable() }),
      ),
      goals: z.array(z.object({ code: z.string(), title: z.string() })),
      /** Offers of these calls that have no goal `rebill`, which some of them report: further payments need one that converts several times; at most 5. */
      rebills: z.array(reference),
      /** An amount of which nobody has said what it is: none of the fixed prices of the advertiser's goals, at most 20, or where goals share the sale one that may be what it brings (`shares`). */
      amount: z
        .object({
          name: z.string(),
          samples: z.array(z.string()),
          shares: z.boolean(),
          prices: z.array(z.object({ offer: z.string(), goal: z.string(), currency, payout: z.string(), revenue: z.string() })),
        })
        .nullable(),
    }),
  }),
  rehearse: endpoint({
    method: 'POST',
    path: '/api/shape/v1/rehearse',
    access: 'postback.log',
    reads: true,
    summary: 'What the kept calls of a shape would book with a dialect; nothing is saved or booked.',
    body: z.object({ ...named, dialect }),
    response: rehearsal,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/shape/v1/apply',
    access: 'postback.log',
    summary: 'Saves a dialect of the advertiser and applies up to 500 kept calls of the shape by it, each once whoever else does so.',
    body: z.object({
      ...named,
      version,
      dialect,
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .nullable()
        .default(null),
    }),
    response: z.object({
      version,
      replayed: z.int(),
      unauthorized: z.int(),
      failed: reasons,
      /** Calls from here on are still to be looked at; null = none. */
      before: z.string().nullable(),
    }),
  }),
}
