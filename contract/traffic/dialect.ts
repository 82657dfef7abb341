import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, requiredLine, version } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { postbackWord } from '#contract/people/advertiser.ts'

/** What a parameter of an advertiser's call can say; `sale` is an amount that goals may share whatever its name, `revenue` and `payout` are what it brings us and the affiliate, in place of a fixed price, `ignored` says nothing, `test` that the call is none of money where it holds a yes. */
export const DIALECT_MEANINGS = [
  'click_id',
  'goal',
  'status',
  'amount',
  'sale',
  'revenue',
  'payout',
  'currency',
  'txn_id',
  'reason',
  'rejection',
  'token',
  'test',
  'ignored',
] as const
export type DialectMeaning = (typeof DIALECT_MEANINGS)[number]

/** How amounts are written: `auto` refuses what can be read in two ways, `minor` are cents or whatever the currency has. */
export const DIALECT_NUMBERS = ['auto', 'point', 'comma', 'minor'] as const
export type DialectNumbers = (typeof DIALECT_NUMBERS)[number]
/** Meanings that are amounts. */
export const AMOUNT_MEANINGS: ReadonlySet<string> = new Set<DialectMeaning>(['amount', 'sale', 'revenue', 'payout'])
export const DIALECT_METHODS = ['GET', 'POST', 'PUT', 'PATCH'] as const
const SEGMENT = String.raw`(?:\*\*|[\w.~-]+(?:[*#][\w.~-]*)?|[*#][\w.~-]*)`
const PATH = `(?:(?:/${SEGMENT})+/?|/)`
const PATHS = new RegExp(`^(?:${PATH}(?: ${PATH})*)?$`)
/** Of all paths of a dialect together. */
const LONGEST_PATH = 200
const MOST_NAMES = 100
const MOST_WORDS = 200

/**
 * How one advertiser's system reports, as it is kept: the name of a parameter, or its path in JSON (`order.total`,
 * `items.0.price`, `note_attributes[name=click].value`), with `?name` for a parameter of an address that stands in it.
 */
export const dialect = z.object({
  /** Of PRESETS it was made of; '' = of its own. */
  preset: line(40),
  /** Of that preset, which grows: more by now than what was saved has something new. */
  preset_version: z.int().min(0).max(9_999).default(0),
  /**
   * Where calls come beside /postback, one path or several with spaces between: `*` is any segment or part of one, `#` a number, one of
   * them in a segment at most; `**` at the end is further segments of `name:value`; '' = nowhere else.
   */
  path: line(LONGEST_PATH).regex(PATHS, 'Paths such as /aff_lsr or /*/postback, with a space between two'),
  methods: z.array(z.enum(DIALECT_METHODS)).min(1).max(DIALECT_METHODS.length),
  names: z
    .array(
      z.object({
        name: requiredLine(120),
        means: z.enum(DIALECT_MEANINGS),
        /** How the amounts of this name are written, whatever the others are; none = as the dialect says of all. */
        numbers: z.enum(DIALECT_NUMBERS).nullish(),
      }),
    )
    .max(MOST_NAMES)
    .refine((names) => new Set(names.map(({ name }) => name.toLowerCase())).size === names.length, 'Each name once'),
  /** What no name speaks of: `ask` reads it as without a dialect, and refuses what may matter; `pass` does not look at it. */
  others: z.enum(['ask', 'pass']),
  /** After the advertiser's own. */
  words: z
    .array(postbackWord)
    .max(MOST_WORDS)
    .refine((words) => new Set(words.map(({ word }) => word.toLowerCase())).size === words.length, 'Each word once'),
  /**
   * How amounts are written under names that do not say so themselves. `minor` is of the names that are listed here; where none of them is an
   * amount, of every amount. Under any other name such an amount is asked about.
   */
  numbers: z.enum(DIALECT_NUMBERS),
  /** Of amounts that name none; null = the offer's. */
  currency: currency.nullable(),
  /** Where a list of results stands in JSON: '.' is the body itself, '' = one call is one result. */
  list: line(60).regex(/^(\.|[\w$-]+(\.[\w$-]+)*)?$/, 'A path such as events or data.rows'),
  /** A header with the HMAC-SHA256 of the body; null = none. */
  signature: z
    .object({
      header: z.enum(['x-shopify-hmac-sha256', 'x-wc-webhook-signature', 'x-signature', 'x-postback-signature']),
      encoding: z.enum(['hex', 'base64']),
    })
    .nullable(),
})
export type Dialect = z.output<typeof dialect>

/** The paths a dialect lists. */
export function pathsIn(path: string): string[] {
  return path.split(' ').filter((one) => one !== '')
}

/** A dialect's path with further ones, each once; as it was where all would be too long. */
export function withPaths(path: string, further: readonly string[]): string {
  const all = [...new Set([...pathsIn(path), ...further])].join(' ')
  return all.length > LONGEST_PATH ? path : all
}

/** Whether the name of a parameter says that its amounts are in hundredths: `amount_cents`, `totalMinor`. */
export function isMinorName(name: string): boolean {
  return /(_|\.|(?<=[a-z])(?=[A-Z]))(cents?|minor|minor_?units?|pence|kopecks|subunits?)$/i.test(name)
}

/** How the amounts under a name are written by a dialect; `unsaid` = in hundredths or not, it does not say which. */
export function numbersUnder({ names, numbers }: Pick<Dialect, 'names' | 'numbers'>, name: string): DialectNumbers | 'unsaid' {
  const amounts = names.filter(({ means }) => AMOUNT_MEANINGS.has(means))
  const named = amounts.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (named?.numbers) return named.numbers
  if (named !== undefined && numbers !== 'auto') return numbers
  if (isMinorName(name)) return 'minor'
  return named === undefined && numbers === 'minor' && amounts.some((one) => !one.numbers) ? 'unsaid' : numbers
}

/** One that reads as without any. */
export const BLANK_DIALECT: Dialect = {
  preset: '',
  preset_version: 0,
  path: '',
  methods: ['GET', 'POST', 'PUT'],
  names: [],
  others: 'ask',
  words: [],
  numbers: 'auto',
  currency: null,
  list: '',
  signature: null,
}

/** What is kept of a dialect may be older than the rules for typing one. */
const storedDialect = z.custom<Dialect>((value) => typeof value === 'object' && value !== null)

export const PRESET_KINDS = ['network', 'tracker', 'measurement', 'shop'] as const
const preset = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(PRESET_KINDS),
  /** What our id is put into, in the link of an offer. */
  link: z.string(),
  /** What its owner pastes behind our address, in the macros of that system; '' = it sends what it likes. */
  query: z.string(),
  /** What webhooks to set up there, by the names they have there; empty = there is but one kind. */
  topics: z.array(z.string()),
  dialect: storedDialect,
  /** When the first real call in its words was taken; null = known from documentation. */
  seen_at: moment.nullable(),
})

const advertiserDialect = z.object({
  /** 0 = none was ever saved. */
  version,
  /** null = read as from anybody. */
  dialect: storedDialect.nullable(),
  /** Whether bodies may be signed with a secret of the advertiser's own system. */
  has_secret: z.boolean(),
  changed: z.object({ at: moment, by: z.string() }).nullable(),
  /** Codes of goals in the advertiser's offers that are not archived, the most usual first; at most 50. */
  goals: z.array(z.object({ code: z.string(), title: z.string(), offers: z.int(), is_default: z.boolean() })),
})

/** How advertisers report. */
export const dialectApi = {
  presets: endpoint({
    method: 'GET',
    path: '/api/dialect/v1/presets',
    access: 'advertiser.read',
    summary: 'Systems whose calls are known, with their dialects.',
    response: z.object({ list: z.array(preset) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/dialect/v1/get/:uuid',
    access: 'advertiser.read',
    summary: 'How one advertiser reports, and the goals it may report of.',
    params: byUuid,
    response: advertiserDialect,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/dialect/v1/update/:uuid',
    access: 'advertiser.write',
    summary: 'Saves how an advertiser reports, as a version of its own; refused when somebody saved another one in between.',
    params: byUuid,
    body: z.object({
      version,
      dialect: dialect.nullable(),
      /** What signs bodies beside the tokens; null = as before, '' = none. */
      secret: z.string().max(500).nullable().default(null),
    }),
    response: advertiserDialect,
  }),
  calls: endpoint({
    method: 'GET',
    path: '/api/dialect/v1/calls/:uuid',
    access: 'postback.log',
    summary: 'The newest calls of an advertiser since a moment, at most 5: what a test of its postback waits for.',
    params: byUuid,
    /** null = of the last hour, which is as far back as it looks. */
    query: z.object({ since: moment.nullable().default(null) }),
    response: z.object({
      list: z.array(
        z.object({
          id: z.string(),
          at: moment,
          /** Method, path and query, secrets cut out. */
          call: z.string(),
          body: z.string(),
          outcome: z.string(),
          reason: z.string(),
          parameter: z.string(),
          detail: z.string(),
          conversion_uuid: z.uuid().nullable(),
        }),
      ),
    }),
  }),
}
