import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { line, moment, requiredLine, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'

/** By what leads are refused: a domain with those below it, an address or whatever lies in a network. */
export const BLACKLIST_KINDS = ['email', 'phone', 'domain', 'ip', 'first_name', 'last_name'] as const
export const blacklistKind = z.enum(BLACKLIST_KINDS)
export type BlacklistKind = z.output<typeof blacklistKind>

export const MOST_BLACKLIST_ROWS = 20_000
/** What a file brought may be taken back for so long. */
export const BLACKLIST_UNDO_MS = 24 * 3_600_000

/** An entry; of people what is shown is masked, the value itself is kept nowhere. */
const entry = z.object({
  uuid,
  id: z.int(),
  kind: blacklistKind,
  shown: z.string(),
  note: z.string(),
  /** null = for ever. */
  expires_at: moment.nullable(),
  created_at: moment,
  by: z.string().nullable(),
  /** The file it came in; null = somebody wrote it. */
  file: z.string().nullable(),
})
export type BlacklistEntry = z.output<typeof entry>

const refused = z.object({ line: z.int(), value: z.string(), problem: z.string() })

const file = z.object({
  name: line(200).default(''),
  /** What every row is; by_row = a column named kind says it, else what a value looks like. */
  kind: z.enum(['by_row', ...BLACKLIST_KINDS]).default('by_row'),
})

export const BLACKLIST_SORTS = ['created_at', 'kind', 'shown', 'expires_at'] as const

/** By whom and what leads are refused, held or flagged, as their offers say. */
export const blacklistApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/blacklist/v1/list',
    access: 'blacklist.write',
    reads: true,
    summary: 'Entries of the blacklist; contacts and names are masked and found by their whole value.',
    body: z.object({
      ...paging,
      ...sorting(BLACKLIST_SORTS),
      kind: someOf(blacklistKind),
      /** A part of a domain, address or note, or a whole contact or name. */
      search: line(254).default(''),
    }),
    response: listOf(entry),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/blacklist/v1/add',
    access: 'blacklist.write',
    summary: 'Adds one value; one that is there already keeps its place and takes the note and the end.',
    body: z.object({
      kind: blacklistKind,
      value: requiredLine(254),
      note: line(200).default(''),
      expires_at: moment.nullable().default(null),
    }),
    response: entry,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/blacklist/v1/remove',
    access: 'blacklist.write',
    summary: 'Removes entries; leads that were refused stay so.',
    body: z.object({ uuids: z.array(uuid).min(1).max(1000) }),
    response: z.object({ changed: z.int() }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/blacklist/v1/preview',
    access: 'blacklist.write',
    reads: true,
    largest: 5_000_000,
    summary: 'What a CSV file of at most 5 MB and 20,000 rows would add; keeps nothing of it.',
    query: file,
    body: bytes,
    response: z.object({
      columns: z.array(z.string()),
      /** Columns with a name nobody reads. */
      unread: z.array(z.string()),
      good: z.int(),
      /** Of them those on the list already. */
      there: z.int(),
      bad: z.int(),
      /** How the first are understood. */
      list: z.array(z.object({ line: z.int(), kind: blacklistKind, shown: z.string(), note: z.string(), expires_at: moment.nullable() })),
      /** The first hundred that are not. */
      refused: z.array(refused),
    }),
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/blacklist/v1/import',
    access: 'blacklist.write',
    largest: 5_000_000,
    summary: 'Adds what a CSV file holds, all at once; values that are there already stay as they are.',
    query: file,
    body: bytes,
    response: z.object({ uuid, made: z.int(), there: z.int(), refused: z.array(refused), bad: z.int() }),
  }),
  imports: endpoint({
    method: 'GET',
    path: '/api/blacklist/v1/imports',
    access: 'blacklist.write',
    summary: 'The last hundred files, newest first.',
    response: z.object({
      list: z.array(
        z.object({
          uuid,
          file_name: z.string(),
          made: z.int(),
          there: z.int(),
          refused: z.int(),
          by: z.string(),
          created_at: moment,
          /** How many of its entries were taken back; null = none were. */
          removed: z.int().nullable(),
          /** Until when it may be taken back; null where it may not. */
          undo_until: moment.nullable(),
        }),
      ),
    }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/blacklist/v1/undo',
    access: 'blacklist.write',
    summary: 'Takes back what a file of the last 24 hours added; once is enough.',
    body: z.object({ uuid }),
    response: z.object({ changed: z.int() }),
  }),
}
