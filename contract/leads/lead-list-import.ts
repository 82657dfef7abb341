import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, countryCode, languageCode, line, moment, requiredLine, uuid } from '#contract/fields.ts'
import { listOf, paging } from '#contract/paging.ts'
import { DELIMITERS, ENCODINGS } from '#contract/people/import.ts'
import { leftOut } from './lead-list.ts'
import { leadListField, leadListMapping, leadListMistakeCode } from './lead-list-mapping.ts'

export const MOST_LEAD_ROWS = 20_000
/** What a file says of rows that were not taken is kept for so long, sealed, and drafts no longer. */
export const LEAD_LIST_IMPORT_HOURS = 24

/** So many mistakes of a row are kept: of a file whose columns are mixed up all would take longer to write than the file. */
export const MOST_MISTAKES_TOLD = 5

/** What makes it lawful to offer the people of a file to somebody. */
export const LAWFUL_BASES = ['consent', 'contract', 'legitimate_interest'] as const
export const lawfulBasis = z.enum(LAWFUL_BASES)

/** What whoever brings a file confirms, as they read it; kept with the file. */
export const LAWFUL_STATEMENT: Readonly<Record<z.output<typeof languageCode>, string>> = {
  en: 'I confirm that these people’s data was collected lawfully, that they may be contacted and passed on to advertisers, and that proof of it can be shown.',
  uk: 'Підтверджую, що дані цих людей зібрано законно, що з ними можна зв’язуватися й передавати їхні дані рекламодавцям і що докази цього можна надати.',
}

export const LEAD_LIST_IMPORT_STATES = ['draft', 'running', 'done', 'failed', 'cancelled', 'undone'] as const
/** Why a file was given up: the list is archived or gone, whoever brought it may not any more, somebody in it was erased. */
export const LEAD_LIST_IMPORT_PROBLEMS = ['archived', 'gone', 'no_longer', 'erased', 'unreadable'] as const

const count = z.int()
const importDetail = z.object({
  uuid,
  list_uuid: uuid,
  status: z.enum(LEAD_LIST_IMPORT_STATES),
  problem: z.enum(['', ...LEAD_LIST_IMPORT_PROBLEMS]),
  file_name: z.string(),
  encoding: z.enum(ENCODINGS),
  delimiter: z.enum(DELIMITERS),
  /** Of drafts of one's own: the names of the columns, and what the first rows hold. */
  columns: z.array(z.string()),
  samples: z.array(z.array(z.string())),
  mapping: leadListMapping,
  /** Of rows that name none. */
  country: z.string(),
  rows: count,
  done: count,
  added: count,
  /** Of those who were added, people the network knew before, as far as whoever brought the file may know. */
  known: count,
  /** Who was left out, by the first reason that holds. */
  left_out: z.partialRecord(leftOut, count),
  /** Rows with mistakes. */
  refused: count,
  basis: lawfulBasis.nullable(),
  source: z.string(),
  /** What was confirmed, in the words that were read. */
  statement: z.string(),
  confirmed_at: moment.nullable(),
  by: z.string(),
  created_at: moment,
  ended_at: moment.nullable(),
  /** Whether it may be taken back: it is over, and nobody of it was sent. */
  may_undo: z.boolean(),
  /** Whether the rows that were not taken are there to save, as they stood in the file. */
  has_rows: z.boolean(),
})
export type LeadListImportDetail = z.output<typeof importDetail>

const plan = z.object({ mapping: leadListMapping, country: countryCode.nullable().default(null) })
export type LeadListImportPlan = z.output<typeof plan>

/** Why a row is not taken: mistakes of its fields, or who it is. */
const problem = z.object({ field: z.union([leadListField, z.literal('')]), code: z.union([leadListMistakeCode, leftOut]) })
export type LeadListRowProblem = z.output<typeof problem>

/** People of a list out of CSV files. */
export const leadListImportApi = {
  read: endpoint({
    method: 'POST',
    path: '/api/lead-list-import/v1/read/:uuid',
    access: 'cold.write',
    summary:
      'Reads a CSV file of at most 5 MB and 20,000 people for a list, tells its encoding and delimiter unless they are named, and guesses which column is what. Nobody is added yet; an earlier draft of the caller is given up.',
    params: byUuid,
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
    path: '/api/lead-list-import/v1/preview/:uuid',
    access: 'cold.write',
    reads: true,
    summary:
      'Of an own draft: how many people would be added, and how many rows not, by reason; the first ten as they would be, and the first hundred that would not.',
    params: byUuid,
    body: plan,
    response: z.object({
      added: count,
      known: count,
      left_out: z.partialRecord(leftOut, count),
      refused: count,
      list: z.array(z.object({ row: z.int(), values: z.partialRecord(leadListField, z.string()), known: z.boolean() })),
      not_taken: z.array(z.object({ row: z.int(), cells: z.array(z.string()), problems: z.array(problem) })),
    }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/lead-list-import/v1/start/:uuid',
    access: 'cold.write',
    key: 'never',
    summary:
      'Begins to add the people of an own draft in the background, once it is confirmed that this is lawful; asked again it changes nothing.',
    params: byUuid,
    body: plan.extend({
      basis: lawfulBasis,
      /** Where the people come from. */
      source: requiredLine(300).min(5, 'Say it in a few words'),
      confirmed: z.literal(true, 'Confirm that this is lawful'),
      /** In which language the statement was read. */
      language: languageCode,
    }),
    response: importDetail,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/lead-list-import/v1/get/:uuid',
    access: 'cold.read',
    summary: 'One file of a list: how far it has come and what became of its rows.',
    params: byUuid,
    response: importDetail,
  }),
  list: endpoint({
    method: 'POST',
    path: '/api/lead-list-import/v1/list/:uuid',
    access: 'cold.read',
    reads: true,
    summary: 'Files a list took people from, and own drafts; newest first.',
    params: byUuid,
    body: z.object({ ...paging }),
    response: listOf(importDetail.pick({ uuid: true, status: true, file_name: true, rows: true, added: true, created_at: true, by: true })),
  }),
  rows: endpoint({
    method: 'POST',
    path: '/api/lead-list-import/v1/rows/:uuid',
    access: 'cold.write',
    reads: true,
    summary:
      'Rows that were not taken, each with why (at most five mistakes of each): what the error file is made of. What stood in those with mistakes is told for a day to whoever brought the file.',
    params: byUuid,
    body: z.object({ ...paging }),
    response: listOf(z.object({ line: z.int(), cells: z.array(z.string()), problems: z.array(problem) })).extend({
      columns: z.array(z.string()),
    }),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/lead-list-import/v1/cancel/:uuid',
    access: 'cold.write',
    summary: 'Gives an own draft up, or stops a file that is being read: who was added stays.',
    params: byUuid,
    response: z.object({}),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/lead-list-import/v1/undo/:uuid',
    access: 'cold.write',
    summary:
      'Takes the people of a file out of whatever lists they stand in by it, and forgets whom nobody else knows. Refused once any of them was sent.',
    params: byUuid,
    response: importDetail,
  }),
}
