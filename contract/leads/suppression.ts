import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { line, moment, reference, requiredLine, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'

/** By what people are kept from being offered: a domain with those below it; an address, of IPv6 with its line of /64. */
export const SUPPRESSION_KINDS = ['email', 'phone', 'domain', 'ip'] as const
export const suppressionKind = z.enum(SUPPRESSION_KINDS)
export type SuppressionKind = z.output<typeof suppressionKind>

export const SUPPRESSION_REASONS = ['opt_out', 'dnc', 'complaint', 'litigator', 'manual', 'erasure'] as const
export const suppressionReason = z.enum(SUPPRESSION_REASONS)
export type SuppressionReason = z.output<typeof suppressionReason>

/** Reasons somebody may give; `erasure` comes by erasing alone. */
export const GIVEN_REASONS = ['opt_out', 'dnc', 'complaint', 'litigator', 'manual'] as const
const givenReason = z.enum(GIVEN_REASONS)

/** How somebody came to be on the list. */
export const SUPPRESSION_SOURCES = ['staff', 'file', 'api', 'link', 'erasure', 'call'] as const
export const suppressionSource = z.enum(SUPPRESSION_SOURCES)

/** Where it holds. */
export const SUPPRESSION_SCOPES = ['everywhere', 'advertiser', 'offer'] as const

export const MOST_SUPPRESSION_ROWS = 20_000

/** An entry; contacts are masked, the value itself is kept nowhere. */
const suppression = z.object({
  uuid,
  id: z.int(),
  kind: suppressionKind,
  shown: z.string(),
  /** To whom it must not be offered; null in both = to nobody. */
  advertiser: reference.nullable(),
  offer: reference.nullable(),
  reason: suppressionReason,
  source: suppressionSource,
  note: z.string(),
  /** null = for ever. */
  expires_at: moment.nullable(),
  created_at: moment,
  by: z.string().nullable(),
})
export type Suppression = z.output<typeof suppression>

/** Nobody, one advertiser, or one offer. */
const scope = {
  advertiser_uuid: uuid.nullable().default(null),
  offer_uuid: uuid.nullable().default(null),
}

const refused = z.object({ line: z.int(), value: z.string(), problem: z.string() })
const file = z.object({
  name: line(200).default(''),
  /** What every row is; by_row = a column named kind says it, else what a value looks like. */
  kind: z.enum(['by_row', ...SUPPRESSION_KINDS]).default('by_row'),
  reason: givenReason.default('dnc'),
  advertiser_uuid: uuid.optional(),
  offer_uuid: uuid.optional(),
})

export const SUPPRESSION_SORTS = ['created_at', 'kind', 'shown', 'reason', 'expires_at'] as const

/** Whom nobody may offer again, asked when leads come, at each step of the cascade and before each cold send. */
export const suppressionApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/suppression/v1/list',
    access: 'person.manage',
    reads: true,
    summary: 'Suppressed contacts, masked, found by their whole value.',
    body: z.object({
      ...paging,
      ...sorting(SUPPRESSION_SORTS),
      kind: someOf(suppressionKind),
      reason: someOf(suppressionReason),
      source: someOf(suppressionSource),
      scope: someOf(z.enum(SUPPRESSION_SCOPES)),
      /** A part of a domain or note, or a whole contact or address. */
      search: line(254).default(''),
    }),
    response: listOf(suppression),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/suppression/v1/add',
    access: 'person.manage',
    summary:
      'Suppresses one contact; one that is suppressed there already takes the reason, the note and the end, but is made no weaker where others told it.',
    body: z.object({
      kind: suppressionKind,
      value: requiredLine(254),
      ...scope,
      reason: givenReason,
      note: line(200).default(''),
      expires_at: moment.nullable().default(null),
    }),
    response: suppression,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/suppression/v1/remove',
    access: 'person.manage',
    summary: 'Takes entries off the list, with the reason; leads that were refused stay so.',
    body: z.object({ uuids: z.array(uuid).min(1).max(1000), reason: requiredLine(200) }),
    response: z.object({ changed: z.int() }),
  }),
  tell: endpoint({
    method: 'POST',
    path: '/api/suppression/v1/tell',
    access: 'person.manage',
    summary: 'Opt-outs and complaints as another system tells them, up to 1,000 at once; told again they change nothing.',
    body: z.object({
      reason: z.enum(['opt_out', 'complaint', 'dnc']),
      ...scope,
      note: line(200).default(''),
      contacts: z
        .array(
          z
            .object({ email: line(254).default(''), phone: line(40).default('') })
            .refine(({ email, phone }) => email !== '' || phone !== '', { path: ['email'], message: 'Required' }),
        )
        .min(1)
        .max(1000),
    }),
    response: z.object({
      added: z.int(),
      there: z.int(),
      /** Contacts that are none, by their place from 0. */
      refused: z.array(z.object({ at: z.int(), field: z.enum(['email', 'phone']), problem: z.string() })),
    }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/suppression/v1/preview',
    access: 'person.manage',
    reads: true,
    largest: 5_000_000,
    summary: 'What a CSV file of at most 5 MB and 20,000 rows would suppress; keeps nothing of it.',
    query: file,
    body: bytes,
    response: z.object({
      columns: z.array(z.string()),
      /** Columns with a name nobody reads. */
      unread: z.array(z.string()),
      good: z.int(),
      /** Of them those suppressed there already. */
      there: z.int(),
      bad: z.int(),
      list: z.array(z.object({ line: z.int(), kind: suppressionKind, shown: z.string(), note: z.string(), expires_at: moment.nullable() })),
      /** The first hundred that are not understood. */
      refused: z.array(refused),
    }),
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/suppression/v1/import',
    access: 'person.manage',
    largest: 5_000_000,
    summary: 'Suppresses what a CSV file holds, all at once; entries that are there already stay as they are.',
    query: file,
    body: bytes,
    response: z.object({ made: z.int(), there: z.int(), refused: z.array(refused), bad: z.int() }),
  }),
}
