import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { bankReference, byUuid, day, line, moment, paragraph, reference, requiredLine, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { conversionStatus } from '#contract/traffic/conversion.ts'
import { reportDay } from '#contract/traffic/period.ts'
import { beside, creditNote, entered } from './credit-note.ts'
import { currency, positiveAmount, ranking } from './amount.ts'
import { movedInput } from './currency-rate.ts'
import { feeInput, givenBack, staffPayment } from './invoice-payment.ts'
import { chosenPayable, payableFilter } from './payable.ts'
import { askedPeriod, billingRun, runRow } from './run-shape.ts'
import { supply } from './supply.ts'
import { issueBy, VAT_CATEGORIES } from './vat.ts'
import { lineChange } from './line-change.ts'

/**
 * Life of an affiliate's invoice. It has no number before it is approved, so that drafts and waiting ones may go without a gap;
 * later it ends by a credit note (cancelled) or by being paid.
 */
export const INVOICE_STATUSES = ['draft', 'waiting', 'approved', 'partly_paid', 'paid', 'declined', 'cancelled'] as const
export const invoiceStatus = z.enum(INVOICE_STATUSES)
export type InvoiceStatus = z.output<typeof invoiceStatus>

/** Those that have a number: they neither change nor go. */
export const ISSUED: readonly InvoiceStatus[] = ['approved', 'partly_paid', 'paid', 'cancelled']

export const LINE_KINDS = ['conversion', 'correction', 'adjustment', 'referral'] as const
const revision = z.int()

/** What an affiliate reads of an invoice. */
const told = {
  uuid,
  number: z.string().nullable(),
  status: invoiceStatus,
  currency,
  period_from: day.nullable(),
  period_to: day,
  net: z.string(),
  vat: z.string(),
  total: z.string(),
  /** What is neither paid, on its way, offset nor credited. */
  open: z.string(),
  payment_system: z.string(),
  due_day: day.nullable(),
  created_at: moment,
  paid_at: moment.nullable(),
}

export const ownInvoice = z.object(told)

export const invoiceRow = z.object({
  ...told,
  id: z.int(),
  affiliate: reference,
  /** What its conversions have become since, less what they were; null = nothing changed. */
  changed: z.string().nullable(),
  /** In a payout file that has not left. */
  planned: z.string(),
  /** On its way. */
  sent: z.string(),
  issue_by: issueBy,
  note: z.string(),
  internal_note: z.string(),
  deleted_at: moment.nullable(),
  revision,
})

/** A line; what its conversion is worth by now stands beside it. */
export const invoiceLine = z.object({
  id: z.int(),
  kind: z.enum(LINE_KINDS),
  amount: z.string(),
  conversion: z
    .object({ uuid, id: z.string(), at: moment, offer: z.string(), goal: z.string(), status: conversionStatus, payout: z.string() })
    .nullable(),
  /** Where lines that have changed are asked for: what its conversion was changed by last; null = nobody says. */
  change: lineChange.nullable(),
  adjustment: z.object({ id: z.int(), kind: z.enum(['bonus', 'correction']), note: z.string() }).nullable(),
  /** Of the credit note over what changed whose line it is. */
  credit_note: z.string().nullable(),
  /** Commission of this month for whom somebody brought, or for whom those brought. */
  referral: z.object({ month: z.string(), level: z.int() }).nullable(),
})
export const invoiceDetail = invoiceRow.extend({
  /** Made before and after it; null = it is the first, or the last. */
  previous: uuid.nullable(),
  next: uuid.nullable(),
  time_zone: z.string(),
  supply,
  vat_category: z.enum(VAT_CATEGORIES),
  vat_rate: z.string(),
  /** What it is in law, from the moment it is sent: written in the affiliate's name, or a statement without VAT. */
  mode: z.enum(['self_billing', 'statement']).nullable(),
  paid: z.string(),
  offset_prepaid: z.string(),
  credited: z.string(),
  reason: z.string(),
  made_by: z.string().nullable(),
  sent_at: moment.nullable(),
  approved_at: moment.nullable(),
  /** How many lines it has, and of what they are. */
  lines: z.array(z.object({ kind: z.enum(LINE_KINDS), rows: z.int(), amount: z.string() })),
  /** What its affiliate owes in this currency beside its invoices, as long as something of this one is to be paid; null = nothing. */
  owed: z.string().nullable(),
  /** What the offers and goals make on it, the largest first, at most 200. */
  groups: z.array(z.object({ offer: z.string(), goal: z.string(), rows: z.int(), amount: z.string() })),
  history: z.array(
    z.object({
      at: moment,
      actor: z.string().nullable(),
      event: z.string(),
      from: invoiceStatus.nullable(),
      to: invoiceStatus,
      reason: z.string(),
    }),
  ),
  payments: z.array(staffPayment),
  bookings: z.array(
    z.object({
      at: moment,
      event: z.string(),
      entries: z.array(z.object({ account: z.string(), amount: z.string(), currency })),
    }),
  ),
  ...beside,
  credit_note: z.object({ number: z.string(), at: moment, reason: z.string(), total: z.string() }).nullable(),
  /** All of them, oldest first: those over what changed, and the one that ends it. */
  credit_notes: z.array(creditNote.extend({ kind: z.enum(['whole', 'changed']), actor: z.string().nullable() })),
  /** Where changes after the number stand: on the next invoice, or in a credit note, which takes these. null before it has a number. */
  changes: z.object({ by: z.enum(['line', 'note']), rows: z.int(), amount: z.string() }).nullable(),
})
export type InvoiceDetail = z.output<typeof invoiceDetail>

export const invoiceFilters = z.object({
  ...paging,
  ...sorting(['id', 'created_at', 'due_day', 'paid_at', 'total', 'open', 'status', 'affiliate', 'period', 'number']),
  search: line(100).default(''),
  status: someOf(invoiceStatus),
  currency: z.array(currency).max(50).default([]),
  payment_system: z.array(line(40)).max(50).default([]),
  affiliate_uuid: z.array(uuid).max(100).default([]),
  manager_uuid: z.array(uuid).max(100).default([]),
  /** Days of the network's zone, both included. */
  created_from: day.nullable().default(null),
  created_to: day.nullable().default(null),
  due_from: day.nullable().default(null),
  due_to: day.nullable().default(null),
  paid_from: day.nullable().default(null),
  paid_to: day.nullable().default(null),
  /** Made at once, by this run. */
  run_uuid: uuid.nullable().default(null),
  /** Only those whose conversions have changed since. */
  changed: z.boolean().default(false),
  /** Only those that were deleted, which are left out otherwise. */
  deleted: z.boolean().default(false),
})

/** Sums by currency of a whole result. */
const amounts = z.array(z.object({ currency, total: z.string(), open: z.string() }))

const adjusted = z.string().regex(/^-?\d{1,14}(\.\d{1,8})?$/, 'An amount with at most eight decimals')

/** What can be edited until it is approved; later the internal note alone. */
export const invoiceInput = z.object({
  period_from: reportDay.nullable(),
  period_to: reportDay,
  payment_system: line(40),
  due_day: reportDay.nullable(),
  vat_category: z.enum(VAT_CATEGORIES),
  vat_rate: z.string().regex(/^\d{1,2}(\.\d{1,3})?$/, 'A percentage from 0 to 99.999'),
  note: paragraph(1000),
  internal_note: paragraph(1000),
})

const changed = z.object({ revision })
const oneStep = <const Rule extends 'billing.write' | 'billing.approve' | 'billing.pay', Body extends z.ZodRawShape>(
  verb: string,
  { access, summary }: { access: Rule; summary: string },
  body: Body,
) =>
  endpoint({
    method: 'POST',
    path: `/api/invoice/v1/${verb}/:uuid`,
    access,
    summary,
    // what is owed and paid is decided by a person
    ...(access !== 'billing.write' && { key: 'never' as const }),
    params: byUuid,
    body: changed.extend(body),
    response: invoiceDetail,
  })

/** Affiliates' invoices as admin and head see them: all of them. */
export const invoiceApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/invoice/v1/list',
    reads: true,
    access: 'billing.read',
    summary: 'Invoices of affiliates.',
    body: invoiceFilters,
    response: listOf(invoiceRow, { amounts, ranking }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/invoice/v1/get/:uuid',
    access: 'billing.read',
    summary: 'One invoice with its history, payments and bookings.',
    params: byUuid,
    response: invoiceDetail,
  }),
  lines: endpoint({
    method: 'POST',
    path: '/api/invoice/v1/lines',
    reads: true,
    access: 'billing.read',
    summary: 'The lines of an invoice, or those whose conversion has changed since.',
    body: z.object({ uuid, ...paging, ...sorting(['id'], 'asc'), changed: z.boolean().default(false), kind: someOf(z.enum(LINE_KINDS)) }),
    response: listOf(invoiceLine),
  }),
  payable: endpoint({
    method: 'POST',
    path: '/api/invoice/v1/payable',
    reads: true,
    access: 'billing.read',
    summary: 'Approved conversions that are on no invoice.',
    body: z.object({ ...paging, ...sorting(['created_at', 'id', 'payout']), ...payableFilter }),
    response: listOf(
      z.object({
        uuid,
        id: z.int(),
        created_at: moment,
        affiliate: reference,
        offer: reference,
        goal: z.string(),
        currency,
        payout: z.string(),
      }),
      { amounts: z.array(z.object({ currency, payout: z.string() })) },
    ),
  }),
  createFromConversions: endpoint({
    method: 'POST',
    path: '/api/invoice/v1/create-from-conversions',
    access: 'billing.write',
    summary:
      'Makes drafts of chosen conversions, or of all that match a filter, at most 10,000: one for each affiliate and currency. What is on an invoice already is left out and counted. Of who owes, corrections come along; where they come to more, `affiliate_owes` names the debt, until it is left to the next invoice. What is not made within some seconds, the worker makes.',
    body: chosenPayable,
    response: z.object({
      /** The first hundred. */
      invoices: z.array(z.object({ uuid, id: z.int() })),
      left_out: z.int(),
      /** So many invoices are still to be made. */
      waiting: z.int(),
    }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/invoice/v1/preview',
    reads: true,
    access: 'billing.write',
    summary: 'What invoices a period would make, affiliate by affiliate.',
    body: z.object({ ...askedPeriod, affiliate_uuids: z.array(uuid).max(1000).default([]) }),
    response: z.object({ list: z.array(runRow), more: z.boolean() }),
  }),
  createFromAffiliates: endpoint({
    method: 'POST',
    path: '/api/invoice/v1/create-from-affiliates',
    access: 'billing.write',
    summary:
      'Makes a draft for each affiliate and currency of a period, of all or of those chosen; what a dead process left is made by the worker.',
    body: z.object({ key: uuid, ...askedPeriod, affiliate_uuids: z.array(uuid).max(1000).default([]) }),
    response: billingRun,
  }),
  run: endpoint({
    method: 'GET',
    path: '/api/invoice/v1/run/:uuid',
    access: 'billing.read',
    summary: 'What has become of invoices that are made at once.',
    params: z.object({ uuid }),
    response: billingRun,
  }),
  update: oneStep(
    'update',
    { access: 'billing.write', summary: 'Changes an invoice that is not issued; of an issued one only the internal note.' },
    invoiceInput.shape,
  ),
  addLines: oneStep(
    'add-lines',
    { access: 'billing.write', summary: 'Puts all that the affiliate may have in this currency until the end of the period on it.' },
    {},
  ),
  removeLines: oneStep(
    'remove-lines',
    { access: 'billing.write', summary: 'Takes lines off: conversions and commissions are open again, bonuses and corrections end.' },
    {
      lines: z.array(z.int()).min(1).max(1000),
    },
  ),
  refresh: oneStep('refresh', { access: 'billing.write', summary: 'Gives all lines the present amounts of their conversions.' }, {}),
  adjust: oneStep(
    'adjust',
    { access: 'billing.write', summary: 'Adds a bonus, or a correction up or down.' },
    {
      kind: z.enum(['bonus', 'correction']),
      amount: adjusted,
      note: requiredLine(200),
    },
  ),
  takeVat: oneStep('take-vat', { access: 'billing.write', summary: 'Gives an invoice the VAT that was decided since.' }, {}),
  send: oneStep('send', { access: 'billing.write', summary: 'Shows a draft to its affiliate.' }, {}),
  takeBack: oneStep('take-back', { access: 'billing.write', summary: 'Makes a waiting invoice a draft again.' }, {}),
  approve: oneStep(
    'approve',
    { access: 'billing.approve', summary: 'Gives a waiting invoice its number: from here on it is owed.' },
    {
      /** With lines that have changed since, it is said what becomes of them: the next invoice has the difference. */
      leave_changed: z.boolean().default(false),
      /** Its affiliate owes beside it, which `affiliate_owes` names: that is left to the next invoice. */
      leave_debt: z.boolean().default(false),
    },
  ),
  decline: oneStep(
    'decline',
    { access: 'billing.approve', summary: 'Declines a waiting invoice; its conversions are available again.' },
    { reason: requiredLine(300) },
  ),
  remove: oneStep(
    'remove',
    { access: 'billing.write', summary: 'Deletes an invoice that was not issued; its conversions are available again.' },
    {},
  ),
  cancel: oneStep(
    'cancel',
    { access: 'billing.approve', summary: 'Ends an issued invoice that nothing was paid on by a credit note.' },
    { reason: requiredLine(300) },
  ),
  creditChanges: oneStep(
    'credit-changes',
    {
      access: 'billing.approve',
      summary: 'Takes what has changed since an invoice was issued into a credit note of its own, with the VAT of the invoice.',
    },
    { reason: requiredLine(300) },
  ),
  number: oneStep(
    'number',
    { access: 'billing.write', summary: 'Enters the official number of an issued invoice or a note of it: its copy says it.' },
    entered,
  ),
  pay: oneStep(
    'pay',
    {
      access: 'billing.pay',
      summary: 'Books a payment: sent and arrived, or sent only. What is more than open is paid in advance, if that is said.',
    },
    {
      key: uuid,
      amount: positiveAmount,
      day: reportDay,
      source_id: z.int(),
      external_id: bankReference.default(''),
      note: line(300).default(''),
      settled: z.boolean(),
      in_advance: z.boolean().default(false),
      /** Although the affiliate's own invoice is due and not there. */
      without_own_invoice: z.boolean().default(false),
      /** Although the affiliate owes, and gets more by this than is owed to it. */
      leave_debt: z.boolean().default(false),
      /** What left, where the account holds another currency. */
      moved: movedInput.nullable().default(null),
      /** Where the affiliate bears the fee: so much of the amount never reaches them. */
      charged: positiveAmount.default('0'),
      ...feeInput,
    },
  ),
  settle: oneStep('settle', { access: 'billing.pay', summary: 'Says that the payment on its way has arrived.' }, feeInput),
  fail: oneStep(
    'fail',
    { access: 'billing.pay', summary: 'Says that the payment on its way did not arrive: what it was for is open again.' },
    {
      reason: requiredLine(300),
      ...feeInput,
    },
  ),
  giveBack: oneStep(
    'give-back',
    { access: 'billing.pay', summary: 'Says that the bank gave back a payment by hand that had arrived: what it was for is open again.' },
    givenBack,
  ),
  sources: endpoint({
    method: 'GET',
    path: '/api/invoice/v1/sources',
    access: 'billing.pay',
    summary: 'Where payments may leave from.',
    response: z.object({ list: z.array(z.object({ id: z.int(), name: z.string(), currency: currency.nullable() })) }),
  }),
}
