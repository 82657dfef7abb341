import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, uuid } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { listOf, paging } from '#contract/paging.ts'
import { ADVERTISER_STATUSES } from '#contract/people/advertiser.ts'
import { AFFILIATE_STATUSES } from '#contract/people/affiliate.ts'

/** Who can be brought along from elsewhere. */
export const IMPORTED_KINDS = ['affiliate', 'advertiser'] as const
export type ImportedKind = (typeof IMPORTED_KINDS)[number]

export const MOST_IMPORT_ROWS = 10_000
export const MOST_IMPORT_COLUMNS = 100
/** What was made may be taken back for so long. */
export const IMPORT_UNDO_MS = 24 * 3_600_000
/** Rows of finished imports are kept for so many days: they hold what the file said of people. */
export const IMPORT_DAYS = 30

const CONTACTS = ['contacts.skype', 'contacts.telegram', 'contacts.linkedin'] as const
const PERSON = ['name', 'email', 'status', 'manager'] as const

/** What a column of the file may be, by kind. */
export const IMPORT_FIELDS = {
  affiliate: [
    ...PERSON,
    'external_id',
    'company',
    'website',
    'country',
    'phone',
    ...CONTACTS,
    'currency',
    'time_zone',
    'tags',
    'traffic_sources',
    'verticals',
    'geos',
    'notes',
  ],
  advertiser: [
    ...PERSON,
    'external_id',
    'company.name',
    'company.vat_id',
    'company.registration_number',
    'company.address',
    'company.city',
    'company.postal_code',
    'company.country',
    ...CONTACTS,
    'currency',
    'notes',
  ],
} as const satisfies Record<ImportedKind, readonly string[]>
export type ImportField = (typeof IMPORT_FIELDS)[ImportedKind][number]
const importField = z.enum([...new Set<ImportField>([...IMPORT_FIELDS.affiliate, ...IMPORT_FIELDS.advertiser])])

/** Fields without which nothing can be made. */
export const NEEDED_FIELDS = { affiliate: ['name', 'email'], advertiser: ['name'] } as const satisfies Record<
  ImportedKind,
  readonly ImportField[]
>

const place = z
  .int()
  .min(0)
  .max(MOST_IMPORT_COLUMNS - 1)

/** By field the place of its column; a column that no field names is left out. */
export const mapping = z
  .partialRecord(importField, place)
  .refine((fields) => new Set(Object.values(fields)).size === Object.keys(fields).length, 'Each column once')
export type Mapping = z.output<typeof mapping>

/** What holds for rows that say nothing of it. */
export const importOptions = z.object({
  /** The status of what is made; a status in the file goes before it. */
  status: z.enum([...AFFILIATE_STATUSES, ...ADVERTISER_STATUSES]).default('active'),
  currency: currency.default('USD'),
  manager_uuid: uuid.nullable().default(null),
  /** What is replaced where a row names one nobody knows: its manager by `manager_uuid`, its zone by the network's. Otherwise the row is refused. */
  replaced: z
    .array(z.enum(['manager', 'time_zone']))
    .max(2)
    .default([]),
  /** Whether active affiliates are mailed a link to set their password. */
  mail_links: z.boolean().default(false),
})
export type ImportOptions = z.output<typeof importOptions>

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252'] as const
export const DELIMITERS = [',', ';', 'tab', '|'] as const

export const ROW_STATES = ['waiting', 'made', 'skipped', 'refused', 'removed', 'stays'] as const
const rowState = z.enum(ROW_STATES)

const importDetail = z.object({
  uuid,
  kind: z.enum(IMPORTED_KINDS),
  state: z.enum(['draft', 'running', 'done', 'undoing', 'undone']),
  file_name: z.string(),
  encoding: z.enum(ENCODINGS),
  delimiter: z.enum(DELIMITERS),
  columns: z.array(z.string()),
  /** What the first rows hold, to tell columns by. */
  samples: z.array(z.array(z.string())),
  mapping,
  options: importOptions,
  rows: z.int(),
  counts: z.record(rowState, z.int()),
  created_at: moment,
  finished_at: moment.nullable(),
  /** Until when it may be taken back; null where it may not. */
  undo_until: moment.nullable(),
})
export type ImportDetail = z.output<typeof importDetail>

/** Messages by field; '' is the row as a whole. */
const problems = z.record(z.string(), z.string())

const plan = z.object({ mapping, options: importOptions })

/** Bringing affiliates or advertisers along in a CSV file. Own imports; those who see everything see all. */
export const importApi = {
  read: endpoint({
    method: 'POST',
    path: '/api/import/v1/read',
    access: 'affiliate.write',
    summary:
      'Reads a CSV file of at most 5 MB and 10,000 rows, tells its encoding and delimiter unless they are named, and guesses which column is what. Nothing is made yet.',
    query: z.object({
      kind: z.enum(IMPORTED_KINDS),
      name: line(200).default(''),
      encoding: z.enum(['auto', ...ENCODINGS]).default('auto'),
      delimiter: z.enum(['auto', ...DELIMITERS]).default('auto'),
    }),
    body: bytes,
    response: importDetail,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/import/v1/preview/:uuid',
    access: 'affiliate.write',
    reads: true,
    summary:
      'What would be made of the file: how many rows, the first of them as they would be, and the first hundred that would not, with why. Of files of more than 1,000 rows at most 10 a minute, of all 60.',
    params: byUuid,
    body: plan,
    response: z.object({
      good: z.int(),
      skipped: z.int(),
      bad: z.int(),
      list: z.array(z.object({ line: z.int(), values: z.record(z.string(), z.string()) })),
      refused: z.array(z.object({ line: z.int(), skipped: z.boolean(), cells: z.array(z.string()), problems })),
    }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/import/v1/start/:uuid',
    access: 'affiliate.write',
    key: 'never',
    summary: 'Begins to make what the file says, in the background; once begun, asking again changes nothing.',
    params: byUuid,
    body: plan,
    response: importDetail,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/import/v1/get/:uuid',
    access: 'affiliate.write',
    summary: 'One import: how far it has come and what became of its rows.',
    params: byUuid,
    response: importDetail,
  }),
  list: endpoint({
    method: 'POST',
    path: '/api/import/v1/list',
    access: 'affiliate.write',
    reads: true,
    summary: 'Imports of the last 30 days, newest first.',
    body: z.object({ ...paging, kind: z.enum(IMPORTED_KINDS) }),
    response: listOf(
      importDetail.pick({ uuid: true, state: true, file_name: true, rows: true, created_at: true }).extend({ by: z.string() }),
    ),
  }),
  rows: endpoint({
    method: 'POST',
    path: '/api/import/v1/rows/:uuid',
    access: 'affiliate.write',
    reads: true,
    summary: 'Rows of an import by what became of them, with why: what the error file is made of.',
    params: byUuid,
    body: z.object({ ...paging, state: z.array(rowState).max(ROW_STATES.length).default([]) }),
    response: listOf(z.object({ line: z.int(), cells: z.array(z.string()), state: rowState, problems })),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/import/v1/undo/:uuid',
    access: 'affiliate.write',
    summary:
      'Removes, in the background, what an import of the last 24 hours made and nobody has used since; the rows tell what stays and why.',
    params: byUuid,
    response: importDetail,
  }),
}
