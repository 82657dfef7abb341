import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, moment, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { currency } from './amount.ts'
import { beside, creditNote } from './credit-note.ts'
import { invoiceDetail, invoiceLine, invoiceStatus, LINE_KINDS, ownInvoice } from './invoice.ts'
import { payment } from './invoice-payment.ts'
import { supply } from './supply.ts'

/** The same as its affiliate reads it: as it was, without the goal where that is hidden, and without its number, which counts the lines of others. */
const ownLine = z.object({
  kind: z.enum(LINE_KINDS),
  amount: z.string(),
  conversion: z.object({ uuid, id: z.string(), at: moment, offer: z.string(), goal: z.string() }).nullable(),
  note: z.string(),
  credit_note: invoiceLine.shape.credit_note,
  referral: invoiceLine.shape.referral,
})

/** Without the number among all of the network's: nobody counts the payments of others. */
const ownPayment = payment.omit({ id: true })

/** What an affiliate sees of its own money: invoices from the moment they are sent. */
export const ownInvoiceApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/own-invoice/v1/list',
    reads: true,
    access: 'payment.own',
    summary: 'The own invoices, but for drafts, which come as a sum.',
    body: z.object({
      ...paging,
      ...sorting(['id', 'created_at', 'due_day', 'total']),
      status: someOf(invoiceStatus),
      currency: z.array(currency).max(50).default([]),
    }),
    response: listOf(ownInvoice, { preparing: z.array(z.object({ currency, amount: z.string() })) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/own-invoice/v1/get/:uuid',
    access: 'payment.own',
    summary: 'One own invoice with what was paid on it.',
    params: byUuid,
    response: ownInvoice.extend({
      supply,
      note: z.string(),
      reason: z.string(),
      payments: z.array(ownPayment),
      lines: invoiceDetail.shape.lines,
      groups: invoiceDetail.shape.groups,
      ...beside,
      credit_notes: z.array(creditNote),
    }),
  }),
  lines: endpoint({
    method: 'POST',
    path: '/api/own-invoice/v1/lines',
    reads: true,
    access: 'payment.own',
    summary: 'The lines of an own invoice.',

    body: z.object({ uuid, ...paging, ...sorting(['id'], 'asc') }),
    response: listOf(ownLine),
  }),
  payments: endpoint({
    method: 'POST',
    path: '/api/own-invoice/v1/payments',
    reads: true,
    access: 'payment.own',
    summary: 'Payments to the caller, the newest first.',
    body: z.object({ ...paging, ...sorting(['id', 'day']) }),
    response: listOf(
      ownPayment.extend({
        /** What it is for where it is for no invoice: paid in advance. */
        note: z.string(),
        invoice: z.object({ uuid, number: z.string().nullable() }).nullable(),
      }),
    ),
  }),
}
