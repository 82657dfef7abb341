import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, day, line, moment, reference, someOf, uuid, version } from '#contract/fields.ts'
import { listOf, paging } from '#contract/paging.ts'
import { DELIMITERS, ENCODINGS } from '#contract/people/import.ts'
import { conversionStatus } from '#contract/traffic/conversion.ts'
import { currency } from './amount.ts'
import { REPORT_DATES, REPORT_FIELDS, REPORT_NUMBERS, reportMeaning, reportReading } from './report-reading.ts'
import { reconciliationCause, reconciliationKey, reconciliationProposal } from './reconciliation-cause.ts'

export const MOST_REPORT_LINES = 100_000
/** Bytes of a report. */
export const LARGEST_REPORT = 25 * 1024 * 1024

/** Minutes ahead of UTC, in quarters of an hour. */
const offset = z
  .int()
  .min(-14 * 60)
  .max(14 * 60)
  .multipleOf(15)

export const RECONCILIATION_STATES = ['uploaded', 'matched', 'applying', 'applied', 'undoing', 'undone'] as const
export const reconciliationState = z.enum(RECONCILIATION_STATES)
export type ReconciliationState = z.output<typeof reconciliationState>

/** What is done about a row. */
export const RECONCILIATION_ACTIONS = ['none', 'approve', 'create', 'decline', 'correct', 'restore'] as const
export const reconciliationAction = z.enum(RECONCILIATION_ACTIONS)
export type ReconciliationAction = z.output<typeof reconciliationAction>

/** What became of a row once applied; `kept` = it could not be taken back. */
export const RECONCILIATION_ROW_STATES = ['open', 'applied', 'same', 'skipped', 'undone', 'kept'] as const
export const reconciliationRowState = z.enum(RECONCILIATION_ROW_STATES)
export type ReconciliationRowState = z.output<typeof reconciliationRowState>

const zone = z.object({
  offset: offset.nullable(),
  pairs: z.int(),
  agreeing: z.int(),
  days: z.array(z.object({ day, offset, pairs: z.int() })),
  jumps: z.array(z.object({ day, from: offset, to: offset })),
})

export const reconciliation = z.object({
  uuid,
  state: reconciliationState,
  revision: version,
  /** Whose report it is: an advertiser's, or, to be looked at only, the export of an affiliate's tracker. */
  advertiser: reference.nullable(),
  affiliate: reference.nullable(),
  file_name: z.string(),
  format: z.enum(['csv', 'xlsx', 'counter']),
  encoding: z.enum(ENCODINGS).nullable(),
  delimiter: z.enum(DELIMITERS).nullable(),
  columns: z.array(z.string()),
  /** What the first lines hold, to tell columns by. */
  samples: z.array(z.array(z.string())),
  lines: z.int(),
  reading: reportReading,
  /** Whether it is read as the last report of this advertiser was. */
  remembered: z.boolean(),
  /** Days of the network's zone, both inclusive; null before it was matched. */
  period: z.object({ from: day, to: day }).nullable(),
  /** Being matched at the moment. */
  matching: z.boolean(),
  /** Why the last matching came to nothing; '' = it did not. */
  problem: z.string(),
  zone: zone.nullable(),
  /** What the file's clock is taken for: null = as it was found, day by day. */
  offset: offset.nullable(),
  zone_confirmed: z.boolean(),
  postbacks: z.boolean(),
  /** The batch it takes back, and the one that takes it back. */
  counter_of: uuid.nullable(),
  countered_by: uuid.nullable(),
  created_at: moment,
  matched_at: moment.nullable(),
  applied_at: moment.nullable(),
  undone_at: moment.nullable(),
  by: z.string(),
  /** Rows that agree, and those that differ by their cause. */
  agreeing: z.int(),
  causes: z.array(
    z.object({
      cause: reconciliationCause,
      rows: z.int(),
      /** Rows something is to be done about. */
      acting: z.int(),
      /** What they say and what we have, by currency. */
      amounts: z.array(z.object({ currency, theirs: z.string(), ours: z.string() })),
    }),
  ),
  /** How far it has come: rows with something to do, by what became of them. */
  states: z.partialRecord(reconciliationRowState, z.int()),
})
export type Reconciliation = z.output<typeof reconciliation>

/** By how much money changes, of an offer and an affiliate: as the preview said, and as it was done. */
const totalsRow = z.object({
  offer: reference.nullable(),
  affiliate: reference.nullable(),
  currency,
  rows: z.int(),
  payout: z.string(),
  revenue: z.string(),
  done: z.int(),
  done_payout: z.string(),
  done_revenue: z.string(),
})

export const rowFilters = z.object({
  cause: someOf(reconciliationCause),
  action: someOf(reconciliationAction),
  proposal: someOf(reconciliationProposal),
  state: someOf(reconciliationRowState),
  /** Rows that agree come only where they are asked for. */
  agreeing: z.boolean().default(false),
  /** On an invoice already. */
  corrections: z.boolean().default(false),
  /** A part of a transaction or click id. */
  search: line(200).default(''),
})
export type RowFilters = z.output<typeof rowFilters>

const theirs = z.object({
  at: moment.nullable(),
  transaction_id: z.string(),
  click_id: z.string(),
  sub_id: z.string(),
  offer: z.string(),
  goal: z.string(),
  status: z.enum(['approved', 'declined', 'pending']).nullable(),
  amount: z.string().nullable(),
  currency: currency.nullable(),
  reason: z.string(),
})

/** An invoice a conversion stands on. */
const onInvoice = z.object({ uuid, number: z.string().nullable(), status: z.string(), amount: z.string() })

export const reconciliationRow = z.object({
  /** Its place in the batch. */
  row: z.int(),
  /** As a spreadsheet counts; null = the report does not have it. */
  line: z.int().nullable(),
  key: reconciliationKey.nullable(),
  cause: reconciliationCause.nullable(),
  detail: z.string(),
  proposal: reconciliationProposal,
  action: reconciliationAction,
  becomes_correction: z.boolean(),
  theirs: theirs.nullable(),
  /** As it is now. */
  ours: z
    .object({
      uuid,
      id: z.string(),
      at: moment,
      transaction_id: z.string().nullable(),
      click_id: z.string(),
      status: conversionStatus,
      reason: z.string(),
      revenue: z.string(),
      payout: z.string(),
      amount: z.string().nullable(),
      currency,
      offer: reference,
      goal: z.string(),
      affiliate: reference,
      payment_state: z.enum(['open', 'invoiced', 'paid']),
    })
    .nullable(),
  /** What applying it changes: null = nothing, or not known before. */
  becomes: z.object({ status: conversionStatus.nullable(), payout: z.string(), revenue: z.string(), currency }).nullable(),
  state: reconciliationRowState,
  reason: z.string(),
})
export type ReconciliationRow = z.output<typeof reconciliationRow>

const chosen = z.object({
  revision: version,
  /** These rows, or else all the filters find. */
  rows: z.array(z.int().min(1)).max(1000).nullable().default(null),
  filters: rowFilters.prefault({}),
  /** `proposal` = as it was proposed. */
  action: z.enum(['proposal', 'none', 'approve', 'create', 'decline', 'correct']),
})

/** Reports of advertisers held against what we have. */
export const reconciliationApi = {
  read: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/read',
    access: 'billing.write',
    largest: LARGEST_REPORT,
    summary:
      'Reads a report of at most 100,000 lines and 25 MB, CSV or XLSX, of an advertiser or out of an affiliate’s tracker, and proposes how it is to be read: as the last one was, else by the names of its columns.',
    query: z.object({
      name: line(200).default(''),
      advertiser_uuid: uuid.optional(),
      affiliate_uuid: uuid.optional(),
      encoding: z.enum(['auto', ...ENCODINGS]).default('auto'),
      delimiter: z.enum(['auto', ...DELIMITERS]).default('auto'),
    }),
    body: bytes,
    response: reconciliation,
  }),
  look: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/look/:uuid',
    access: 'billing.write',
    reads: true,
    summary: 'What a report says when it is read so: its days, its words of status, its goals, and what cannot be read.',
    params: byUuid,
    body: z.object({ reading: reportReading }),
    response: z.object({
      /** Words of the column of statuses; null = nobody knows this one. */
      words: z.array(
        z.object({
          word: z.string(),
          lines: z.int(),
          means: reportMeaning.nullable(),
          /** What one nobody knows probably means, for somebody to confirm: nothing is read by it. */
          guess: reportMeaning.nullable(),
        }),
      ),
      /**
       * What the column of goals names, those nobody knows first: with the lines that do and the code of ours; null = nobody knows it, or it
       * is called so by several (`known`), of which the offer of a line tells the one.
       */
      goals: z.array(z.object({ word: z.string(), lines: z.int(), means: z.string().nullable(), known: z.boolean() })),
      /** Goals they can be, by their codes. */
      our_goals: z.array(z.object({ code: z.string(), title: z.string() })),
      first: day.nullable(),
      last: day.nullable(),
      /** How amounts and dates seem to be written; null = it cannot be told. */
      numbers: z.enum(REPORT_NUMBERS).nullable(),
      dates: z.enum(REPORT_DATES).nullable(),
      /** Lines whose time or amount cannot be read, with the first of them; lines without any id. */
      bad_times: z.int(),
      bad_amounts: z.int(),
      examples: z.array(z.object({ line: z.int(), field: z.enum(REPORT_FIELDS), text: z.string() })),
      without_id: z.int(),
    }),
  }),
  match: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/match/:uuid',
    access: 'billing.write',
    summary: 'Holds the report against what we have in a period, in the background; may be asked again until it is applied.',
    params: byUuid,
    body: z.object({
      revision: version,
      reading: reportReading,
      period: z.object({ from: day, to: day }).refine(({ from, to }) => from <= to, 'The period ends before it begins'),
    }),
    response: reconciliation,
  }),
  zone: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/zone/:uuid',
    access: 'billing.write',
    summary: 'Confirms what the clock of the report was found to be, or names another one, by which it is matched again.',
    params: byUuid,
    body: z.object({ revision: version, offset: offset.nullable() }),
    response: reconciliation,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/reconciliation/v1/get/:uuid',
    access: 'billing.read',
    summary: 'One reconciliation: how far it has come, and its differences by cause.',
    params: byUuid,
    response: reconciliation,
  }),
  list: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/list',
    access: 'billing.read',
    reads: true,
    summary: 'Reconciliations, newest first.',
    body: z.object({ ...paging, advertiser_uuid: z.array(uuid).max(100).default([]), state: someOf(reconciliationState) }),
    response: listOf(
      reconciliation
        .pick({
          uuid: true,
          state: true,
          advertiser: true,
          affiliate: true,
          file_name: true,
          lines: true,
          period: true,
          created_at: true,
          by: true,
        })
        .extend({ differing: z.int() }),
    ),
  }),
  rows: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/rows',
    access: 'billing.read',
    reads: true,
    summary: 'Rows of a reconciliation: what they say, what we have, why it differs and what is to be done.',
    body: z.object({ ...paging, batch_uuid: uuid, ...rowFilters.shape }),
    response: listOf(reconciliationRow),
  }),
  row: endpoint({
    method: 'GET',
    path: '/api/reconciliation/v1/row/:uuid',
    access: 'billing.read',
    summary: 'One row from three sides: the line of the report, our conversion with its calls, and what was invoiced and paid.',
    params: byUuid,
    query: z.object({ row: z.coerce.number().int().min(1).max(10_000_000) }),
    response: z.object({
      row: reconciliationRow,
      cells: z.array(z.object({ column: z.string(), text: z.string() })),
      calls: z.array(z.object({ id: z.string(), at: moment, outcome: z.string(), reason: z.string() })),
      affiliate_invoices: z.array(onInvoice),
      advertiser_invoices: z.array(onInvoice),
    }),
  }),
  totals: endpoint({
    method: 'GET',
    path: '/api/reconciliation/v1/totals/:uuid',
    access: 'billing.read',
    summary:
      'By how much applying changes the money of offers and affiliates, and, once applied, by how much it did; at most 500 of them, the most moved first.',
    params: byUuid,
    response: z.object({
      list: z.array(totalsRow),
      sums: z.array(totalsRow.omit({ offer: true, affiliate: true })),
      more: z.int(),
    }),
  }),
  choose: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/choose/:uuid',
    access: 'billing.write',
    summary: 'Says what is to be done about some rows; those it cannot be done with stay as they are.',
    params: byUuid,
    body: chosen,
    response: z.object({ changed: z.int(), left: z.int(), revision: version }),
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/apply/:uuid',
    access: 'billing.write',
    key: 'never',
    summary: 'Begins to do what was chosen, in the background; once begun, asking again changes nothing.',
    params: byUuid,
    body: z.object({ revision: version, postbacks: z.boolean().default(true) }),
    response: reconciliation,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/undo/:uuid',
    access: 'billing.write',
    key: 'never',
    summary: 'Gives conversions back what they were, while none of them is on an issued invoice.',
    params: byUuid,
    body: z.object({ revision: version }),
    response: reconciliation,
  }),
  counter: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/counter/:uuid',
    access: 'billing.write',
    key: 'never',
    summary: 'Makes a batch that proposes the opposite of an applied one, where undoing comes too late: corrections. One for each.',
    params: byUuid,
    response: reconciliation,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/remove/:uuid',
    access: 'billing.write',
    summary: 'Forgets a report that was not applied.',
    params: byUuid,
    body: z.object({ revision: version }),
    response: z.object({}),
  }),
}
