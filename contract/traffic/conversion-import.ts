import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, reference, requiredLine, uuid } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { REPORT_DATES } from '#contract/money/report-reading.ts'
import { listOf, paging } from '#contract/paging.ts'
import { DELIMITERS, ENCODINGS, MOST_IMPORT_COLUMNS } from '#contract/people/import.ts'
import { conversionStatus } from './conversion.ts'

export const MOST_CONVERSION_ROWS = 50_000
/** 25 MB: so many rows with room for comments. */
export const LARGEST_CONVERSION_FILE = 25 * 1024 * 1024
/** What an import did may be taken back for so long. */
export const CONVERSION_IMPORT_UNDO_MS = 7 * 86_400_000
/** Rows are kept for so many days. */
export const CONVERSION_IMPORT_DAYS = 90

/** What a column of the file may be. One of the first three says whose conversion a row is about; `date` is when a new one was made. */
export const CONVERSION_IMPORT_FIELDS = [
  'conversion_id',
  'click_id',
  'txn_id',
  'status',
  'goal',
  'amount',
  'currency',
  'reason',
  'date',
] as const
export type ConversionImportField = (typeof CONVERSION_IMPORT_FIELDS)[number]

/**
 * What became of a row: made or changed a conversion, gave it another amount, said what is known, was refused by a full cap,
 * or not understood; `undone` and `kept` once the import was taken back.
 */
export const CONVERSION_ROW_STATES = ['waiting', 'created', 'changed', 'amount', 'same', 'capped', 'refused', 'undone', 'kept'] as const
export const conversionRowState = z.enum(CONVERSION_ROW_STATES)
export type ConversionRowState = z.output<typeof conversionRowState>

/** By field the place of its column; a column that no field names is left out. */
export const conversionMapping = z
  .partialRecord(
    z.enum(CONVERSION_IMPORT_FIELDS),
    z
      .int()
      .min(0)
      .max(MOST_IMPORT_COLUMNS - 1),
  )
  .refine((fields) => new Set(Object.values(fields)).size === Object.keys(fields).length, 'Each column once')
export type ConversionMapping = z.output<typeof conversionMapping>

/** What a word of the column of statuses means. */
const importWord = z.object({ word: requiredLine(120), means: conversionStatus })
export type ImportWord = z.output<typeof importWord>

const importDetail = z.object({
  uuid,
  state: z.enum(['draft', 'running', 'done', 'undoing', 'undone']),
  file_name: z.string(),
  encoding: z.enum(ENCODINGS),
  delimiter: z.enum(DELIMITERS),
  columns: z.array(z.string()),
  /** What the first rows hold, to tell columns by. */
  samples: z.array(z.array(z.string())),
  mapping: conversionMapping,
  rows: z.int(),
  counts: z.record(conversionRowState, z.int()),
  created_at: moment,
  finished_at: moment.nullable(),
  /** Until when it may be taken back; null where it may not. */
  undo_until: moment.nullable(),
  by: z.string(),
})
export type ConversionImportDetail = z.output<typeof importDetail>

const plan = z.object({
  mapping: conversionMapping,
  /** Whose file it is: rows about conversions of others are refused; null = of several, or nobody says. */
  advertiser_uuid: uuid.nullable().default(null),
  /** Said of this file; remembered for the advertisers whose rows have them. */
  words: z
    .array(importWord)
    .max(200)
    .refine((words) => new Set(words.map(({ word }) => word.toLowerCase())).size === words.length, 'Each word once')
    .default([]),
  /** The column of amounts is called after what a sale brings, such as payout, and holds the sale. */
  amount_is_sale: z.boolean().default(false),
  /** How dates are written; `auto` = as those of the file tell, which is refused where days and months cannot be told apart. */
  dates: z.enum(['auto', ...REPORT_DATES]).default('auto'),
})
export type ImportPlan = z.output<typeof plan>

const taughtWords = z.object({
  list: z.array(
    z.object({
      word: z.string(),
      means: conversionStatus,
      by: z.string(),
      at: moment,
      /** What may be said of it; null = any status. */
      may: z.array(conversionStatus).nullable(),
      /** It means the opposite everywhere, and is read so: it was said before that was refused. */
      ignored: z.boolean(),
    }),
  ),
})

/** Results of conversions in a CSV file: statuses, amounts, new ones. Own imports; those who see everything see all. */
export const conversionImportApi = {
  words: endpoint({
    method: 'GET',
    path: '/api/conversion-import/v1/words/:uuid',
    access: 'advertiser.read',
    summary:
      'What words of statuses in the files of one advertiser mean, as somebody said of earlier files; at most 500, the latest first.',
    params: byUuid,
    response: taughtWords,
  }),
  teach: endpoint({
    method: 'POST',
    path: '/api/conversion-import/v1/teach/:uuid',
    access: 'advertiser.write',
    summary: 'Says anew what a word in the files of one advertiser means, or forgets it; what was imported stays as it is.',
    params: byUuid,
    body: z.object({
      word: requiredLine(120),
      /** null = forgotten. */
      means: conversionStatus.nullable(),
    }),
    response: taughtWords,
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/conversion-import/v1/read',
    access: 'conversion.decide',
    largest: LARGEST_CONVERSION_FILE,
    summary:
      'Reads a CSV file of at most 25 MB and 50,000 rows, tells its encoding and delimiter unless they are named, and guesses which column is what. Nothing is changed yet.',
    query: z.object({
      name: line(200).default(''),
      encoding: z.enum(['auto', ...ENCODINGS]).default('auto'),
      delimiter: z.enum(['auto', ...DELIMITERS]).default('auto'),
    }),
    body: bytes,
    response: importDetail,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/conversion-import/v1/preview/:uuid',
    access: 'conversion.decide',
    reads: true,
    summary:
      'What the file would change: how many rows by outcome, what that is in money, and the first hundred that are refused, with why.',
    params: byUuid,
    body: plan,
    response: z.object({
      counts: z.record(conversionRowState, z.int()),
      /** Of those with another amount: how many have a price of their own, so that no money follows it. */
      noted: z.int(),
      /** Columns that no field names and that hold something: nothing in them is read. */
      left_out: z.array(z.string()),
      /** How its dates are read; null = nobody can tell days and months apart, and it has to be said. */
      dates: z.enum(REPORT_DATES).nullable(),
      /** Of new conversions: how many are of a day their affiliate or advertiser was invoiced for already, so that they come on the next invoice. */
      invoiced: z.int(),
      /** Whose conversions the rows are about, those with the most rows first, at most 20. */
      advertisers: z.array(z.object({ advertiser: reference, rows: z.int() })),
      /** Whose conversions the rows are about that are refused for being of others than the advertiser that was chosen, as above. */
      others: z.array(z.object({ advertiser: reference, rows: z.int() })),
      /** Of what is created and changed, by the status it leads to. */
      statuses: z.partialRecord(conversionStatus, z.int()),
      /** By how much payout and revenue of conversions that count would change. */
      money: z.array(z.object({ currency, payout: z.string(), revenue: z.string() })),
      refused: z.array(z.object({ line: z.int(), cells: z.array(z.string()), reason: z.string() })),
      /** The words of statuses, the most frequent first, at most 200; null where nobody knows one. */
      words: z.array(
        z.object({
          word: z.string(),
          rows: z.int(),
          means: conversionStatus.nullable(),
          /** What one nobody knows probably means, for somebody to confirm: nothing is read by it. */
          guess: conversionStatus.nullable(),
          /** Where it means so because somebody said it of an earlier file: who, '' = nobody knows any more, and when. */
          taught: z.object({ by: z.string(), at: moment }).nullable(),
          /** What may be said of a word that means the same everywhere; null = any status. */
          may: z.array(conversionStatus).nullable(),
        }),
      ),
      /** Whether the column of amounts may hold what a sale brought and not the sale: then goals that share it refuse it. */
      amount_earned: z.boolean(),
    }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/conversion-import/v1/start/:uuid',
    access: 'conversion.decide',
    key: 'never',
    summary: 'Begins to apply the file, in the background; once begun, asking again changes nothing.',
    params: byUuid,
    body: plan,
    response: importDetail,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/conversion-import/v1/get/:uuid',
    access: 'conversion.decide',
    summary: 'One import: how far it has come and what became of its rows.',
    params: byUuid,
    response: importDetail,
  }),
  list: endpoint({
    method: 'POST',
    path: '/api/conversion-import/v1/list',
    access: 'conversion.decide',
    reads: true,
    summary: 'Imports of the last 90 days, newest first.',
    body: z.object({ ...paging }),
    response: listOf(importDetail.pick({ uuid: true, state: true, file_name: true, rows: true, created_at: true, by: true })),
  }),
  rows: endpoint({
    method: 'POST',
    path: '/api/conversion-import/v1/rows/:uuid',
    access: 'conversion.decide',
    reads: true,
    summary: 'Rows of an import by what became of them, with why: what the error file is made of.',
    params: byUuid,
    body: z.object({ ...paging, state: z.array(conversionRowState).max(CONVERSION_ROW_STATES.length).default([]) }),
    response: listOf(
      z.object({
        line: z.int(),
        cells: z.array(z.string()),
        state: conversionRowState,
        reason: z.string(),
        conversion: z.object({ uuid, id: z.string() }).nullable(),
      }),
    ),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/conversion-import/v1/undo/:uuid',
    access: 'conversion.decide',
    summary:
      'Gives conversions back, in the background, what they were before an import of the last seven days; those that changed since or are on an invoice stay, and the rows tell why.',
    params: byUuid,
    response: importDetail,
  }),
}
