import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, day, line, moment, paragraph, reference, requiredLine, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { company } from '#contract/people/advertiser.ts'
import { conversionStatus } from '#contract/traffic/conversion.ts'
import { reportDay } from '#contract/traffic/period.ts'
import { currency, positiveAmount, ranking } from './amount.ts'
import { entered, officialNumber } from './credit-note.ts'
import { supply } from './supply.ts'
import { issueBy, VAT_CATEGORIES } from './vat.ts'
import { lineChange } from './line-change.ts'

/** Life of an advertiser's invoice. A draft books nothing and has no number; an issued one ends paid, by credit notes, or written off. */
export const ADVERTISER_INVOICE_STATUSES = ['draft', 'issued', 'partly_paid', 'paid', 'credited', 'written_off'] as const
export const advertiserInvoiceStatus = z.enum(ADVERTISER_INVOICE_STATUSES)
export type AdvertiserInvoiceStatus = z.output<typeof advertiserInvoiceStatus>

/** What an advertiser is charged or let off beside conversions. */
export const ADVERTISER_ADJUSTMENTS = ['discount', 'minimum', 'fee'] as const
export const ADVERTISER_LINE_KINDS = ['conversion', 'correction', 'adjustment', 'credit'] as const
export const CREDIT_NOTE_KINDS = ['whole', 'changed'] as const
/** So many invoices are made at once. */
export const MOST_AT_ONCE = 100

const revision = z.int()

export const advertiserInvoiceRow = z.object({
  uuid,
  id: z.int(),
  number: z.string().nullable(),
  status: advertiserInvoiceStatus,
  advertiser: reference,
  currency,
  period_from: day.nullable(),
  period_to: day,
  net: z.string(),
  vat: z.string(),
  total: z.string(),
  /** What is neither received, offset, credited nor written off; nothing of a draft. */
  open: z.string(),
  due_day: day,
  /** Days since it was due, where something of it is open still; derived, so that nobody has to mark it. */
  overdue_days: z.int().nullable(),
  /** What its conversions have become since, less what stands on it; null = nothing changed. */
  changed: z.string().nullable(),
  issue_by: issueBy,
  note: z.string(),
  internal_note: z.string(),
  reminded_at: moment.nullable(),
  created_at: moment,
  issued_at: moment.nullable(),
  paid_at: moment.nullable(),
  deleted_at: moment.nullable(),
  revision,
})
export type AdvertiserInvoiceRow = z.output<typeof advertiserInvoiceRow>

/** A line; what is earned by its conversion by now stands beside it. */
export const advertiserInvoiceLine = z.object({
  id: z.int(),
  kind: z.enum(ADVERTISER_LINE_KINDS),
  amount: z.string(),
  /** Of the credit note that took it back. */
  credit_note: z.string().nullable(),
  /** Where lines that have changed are asked for: what its conversion was changed by last; null = nobody says. */
  change: lineChange.nullable(),
  conversion: z
    .object({
      uuid,
      id: z.string(),
      at: moment,
      offer: z.string(),
      goal: z.string(),
      status: conversionStatus,
      earned: z.string(),
      /** Earned and on no issued invoice of its advertiser. */
      unbilled: z.string(),
    })
    .nullable(),
  adjustment: z.object({ id: z.int(), kind: z.enum(ADVERTISER_ADJUSTMENTS), note: z.string() }).nullable(),
})

const sums = z.object({ net: z.string(), vat: z.string(), total: z.string() })

export const advertiserInvoiceDetail = advertiserInvoiceRow.extend({
  /** Made before and after it; null = it is the first, or the last. */
  previous: uuid.nullable(),
  next: uuid.nullable(),
  time_zone: z.string(),
  supply,
  vat_category: z.enum(VAT_CATEGORIES),
  vat_rate: z.string(),
  received: z.string(),
  offset_prepaid: z.string(),
  credited: z.string(),
  written_off: z.string(),
  reason: z.string(),
  made_by: z.string().nullable(),
  /** Of a draft what it comes to by now: what is issued. Of an issued one as it is. */
  now: sums,
  official_number: officialNumber,
  /** Whom it was made out to; of a draft as the advertiser's company is now. */
  billed_to: company,
  /** What of that invoices need and is not there. */
  missing: z.array(z.enum(['name', 'address', 'country', 'vat_id'])),
  /** What of our own company invoices need and is not there. */
  missing_own: z.array(z.enum(['name', 'address', 'country', 'vat_id'])),
  /** Where reminders go; '' = nowhere. */
  contact: z.string(),
  /** Where changes after the number stand: on the next invoice, or in a credit note, which takes these. null before it has a number. */
  changes: z
    .object({
      by: z.enum(['line', 'note']),
      rows: z.int(),
      amount: z.string(),
      /** What a credit note over them comes to now, below zero what it adds; null where rounding leaves nothing of it. */
      note: z.object({ net: z.string(), vat: z.string(), total: z.string() }).nullable(),
    })
    .nullable(),
  lines: z.array(z.object({ kind: z.enum(ADVERTISER_LINE_KINDS), rows: z.int(), amount: z.string() })),
  /** What the offers and goals make on it, the largest first, at most 200. */
  groups: z.array(z.object({ offer: z.string(), goal: z.string(), rows: z.int(), amount: z.string() })),
  history: z.array(
    z.object({
      at: moment,
      actor: z.string().nullable(),
      event: z.string(),
      from: advertiserInvoiceStatus.nullable(),
      to: advertiserInvoiceStatus,
      reason: z.string(),
    }),
  ),
  receipts: z.array(
    z.object({
      uuid,
      day,
      source: z.string(),
      external_id: z.string(),
      /** Of the receipt for this invoice. */
      amount: z.string(),
      state: z.enum(['booked', 'bounced']),
    }),
  ),
  credit_notes: z.array(
    sums.extend({
      uuid,
      number: z.string(),
      kind: z.enum(CREDIT_NOTE_KINDS),
      at: moment,
      reason: z.string(),
      actor: z.string().nullable(),
      official_number: officialNumber,
    }),
  ),
  bookings: z.array(
    z.object({ at: moment, event: z.string(), entries: z.array(z.object({ account: z.string(), amount: z.string(), currency })) }),
  ),
})
export type AdvertiserInvoiceDetail = z.output<typeof advertiserInvoiceDetail>

export const advertiserInvoiceFilters = z.object({
  ...paging,
  ...sorting(['id', 'created_at', 'due_day', 'paid_at', 'total', 'open', 'status', 'advertiser', 'period_to']),
  /** A number, whole or in part, or the advertiser's name. */
  search: line(100).default(''),
  status: someOf(advertiserInvoiceStatus),
  currency: z.array(currency).max(50).default([]),
  advertiser_uuid: z.array(uuid).max(100).default([]),
  /** Of one run. */
  run_uuid: uuid.nullable().default(null),
  due_from: day.nullable().default(null),
  due_to: day.nullable().default(null),
  /** Only those that were due before today and are open still. */
  overdue: z.boolean().default(false),
  /** Only those whose conversions have changed since. */
  changed: z.boolean().default(false),
  deleted: z.boolean().default(false),
})

const amounts = z.array(z.object({ currency, total: z.string(), open: z.string() }))

/** What invoices are made of: conversions until the end of a day, of some offers or of all. */
const asked = {
  /** Only told on the invoice: what was approved late comes along. */
  period_from: reportDay.nullable().default(null),
  period_to: reportDay,
  offer_uuids: z.array(uuid).max(200).default([]),
  /** In each currency, without VAT, instead of what is agreed; below it nothing is made. null: as agreed, 0: none. */
  minimum: positiveAmount.nullable().default(null),
}

export const advertiserPreviewRow = z.object({
  advertiser: reference,
  currency,
  conversions: z.int(),
  corrections: z.int(),
  adjustments: z.int(),
  net: z.string(),
  vat: z.string(),
  total: z.string(),
  /** What corrections booked after the period come to, which are not on it but come on the next one; null = there are none. */
  later: z.string().nullable(),
  /** Why no invoice is made of it. */
  left_out: z.enum(['negative', 'below_minimum']).nullable(),
  /** Below which none is made, as asked or agreed; '0' = from any sum on. */
  minimum: z.string(),
})

const one = <const Rule extends 'billing.write' | 'billing.approve', Body extends z.ZodRawShape>(
  verb: string,
  { access, summary }: { access: Rule; summary: string },
  body: Body,
) =>
  endpoint({
    method: 'POST',
    path: `/api/advertiser-invoice/v1/${verb}/:uuid`,
    access,
    summary,
    // what is owed is decided by a person
    ...(access !== 'billing.write' && { key: 'never' as const }),
    params: byUuid,
    body: z.object({ revision, ...body }),
    response: advertiserInvoiceDetail,
  })

/** Invoices of advertisers: admin and head alone see them. */
export const advertiserInvoiceApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/advertiser-invoice/v1/list',
    reads: true,
    access: 'billing.read',
    summary: 'Invoices of advertisers.',
    body: advertiserInvoiceFilters,
    response: listOf(advertiserInvoiceRow, { amounts, ranking }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/advertiser-invoice/v1/get/:uuid',
    access: 'billing.read',
    summary: 'One invoice of an advertiser with its history, receipts, credit notes and bookings.',
    params: byUuid,
    response: advertiserInvoiceDetail,
  }),
  side: endpoint({
    method: 'GET',
    path: '/api/advertiser-invoice/v1/side/:uuid',
    access: 'billing.read',
    summary: 'Whether an invoice is one of an affiliate or of an advertiser; a number is an affiliate’s first.',
    params: byUuid,
    response: z.object({ side: z.enum(['affiliate', 'advertiser']) }),
  }),
  lines: endpoint({
    method: 'POST',
    path: '/api/advertiser-invoice/v1/lines',
    reads: true,
    access: 'billing.read',
    summary: 'The lines of an invoice, or those whose conversion has changed since.',
    body: z.object({ uuid, ...paging, ...sorting(['id'], 'asc'), changed: z.boolean().default(false) }),
    response: listOf(advertiserInvoiceLine),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/advertiser-invoice/v1/preview',
    reads: true,
    access: 'billing.write',
    summary: 'What is earned until a day and on no invoice yet, by advertiser and currency; at most 500.',
    body: z.object({ ...asked, advertiser_uuids: z.array(uuid).max(200).default([]), currency: z.array(currency).max(50).default([]) }),
    response: z.object({ list: z.array(advertiserPreviewRow), more: z.boolean() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/advertiser-invoice/v1/create',
    access: 'billing.write',
    summary: 'Makes a draft for each of these advertisers and currencies. Sent again with the same key, the same drafts are answered.',
    body: z.object({
      key: uuid,
      ...asked,
      rows: z
        .array(z.object({ advertiser_uuid: uuid, currency }))
        .min(1)
        .max(MOST_AT_ONCE),
    }),
    response: z.object({
      invoices: z.array(z.object({ uuid, id: z.int(), advertiser: z.string(), currency, net: z.string() })),
      /** Where nothing is left to invoice by now. */
      left_out: z.int(),
    }),
  }),
  update: one(
    'update',
    { access: 'billing.write', summary: 'Changes a draft; of an issued one only the internal note.' },
    {
      period_from: reportDay.nullable(),
      due_day: reportDay,
      vat_category: z.enum(VAT_CATEGORIES),
      vat_rate: z.string().regex(/^\d{1,2}(\.\d{1,3})?$/, 'A percentage from 0 to 99.999'),
      note: paragraph(1000),
      internal_note: paragraph(1000),
    },
  ),
  refresh: one(
    'refresh',
    { access: 'billing.write', summary: 'Gives the lines of a draft the present amounts, and adds what has come into its period since.' },
    {},
  ),
  takeVat: one('take-vat', { access: 'billing.write', summary: 'Gives a draft the VAT of the advertiser’s present terms.' }, {}),
  removeLines: one(
    'remove-lines',
    { access: 'billing.write', summary: 'Takes lines off a draft: conversions are open again, discounts, minimums and fees end.' },
    {
      lines: z.array(z.int()).min(1).max(1000),
    },
  ),
  adjust: one(
    'adjust',
    { access: 'billing.write', summary: 'Adds a discount (below zero), a minimum (above zero) or a fee to a draft.' },
    {
      kind: z.enum(ADVERTISER_ADJUSTMENTS),
      amount: z.string().regex(/^-?\d{1,14}(\.\d{1,8})?$/, 'An amount with at most eight decimals'),
      note: requiredLine(200),
    },
  ),
  remove: one('remove', { access: 'billing.write', summary: 'Deletes a draft; what stood on it can be invoiced again.' }, {}),
  issue: one(
    'issue',
    {
      access: 'billing.approve',
      summary:
        'Gives a draft its number: it is computed anew, booked, and what was paid in advance is used. Refused where it no longer comes to the net that was seen.',
    },
    { net: z.string().regex(/^\d{1,14}(\.\d{1,8})?$/, 'An amount with at most eight decimals') },
  ),
  credit: one(
    'credit',
    {
      access: 'billing.approve',
      summary:
        'Takes back an issued invoice by a credit note: all that is left of it, or what its conversions have lost since. What was paid already is paid in advance then.',
    },
    { kind: z.enum(CREDIT_NOTE_KINDS), reason: requiredLine(300) },
  ),
  number: one(
    'number',
    { access: 'billing.write', summary: 'Enters the official number of an issued invoice or a note of it: its copy says it.' },
    entered,
  ),
  writeOff: one(
    'write-off',
    { access: 'billing.approve', summary: 'Gives up what is open of an issued invoice.' },
    { reason: requiredLine(300) },
  ),
  remind: one('remind', { access: 'billing.write', summary: 'Mails the advertiser that an invoice is overdue; once a day.' }, {}),
}
