import type { z } from 'zod'
import { addAmounts, amountText } from '#contract/money/amount.ts'
import type { InvoiceDetail, invoiceLine, invoiceRow, ownInvoice } from '#contract/money/invoice.ts'
import { RECALLED, type payment } from '#contract/money/invoice-payment.ts'
import type { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { accountType } from '#contract/money/account.ts'
import { issueBy } from '#server/rules/issue-by.ts'
import type { getCreditNote, InvoiceRow, listHistory, listInvoiceBookings } from './invoice.queries.ts'
import type { LineRow } from './line.queries.ts'
import type { listCreditNotes } from './note.queries.ts'
import type { listPayments } from './payment.queries.ts'

type Rows<List extends (...given: never[]) => Promise<unknown[]>> = Awaited<ReturnType<List>>

/** What both sides read of an invoice: without what staff note, and without what has changed since. */
function presentOwn(row: InvoiceRow): z.output<typeof ownInvoice> {
  return {
    uuid: row.uuid,
    number: row.number,
    status: row.status,
    currency: row.currency,
    period_from: row.period_from,
    period_to: row.period_to,
    net: row.net,
    vat: row.vat,
    total: row.total,
    open: row.open,
    payment_system: row.payment_system,
    due_day: row.due_day,
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
  }
}

/** The same as its affiliate reads it, to whom what stands in a payout file that has not left is open still. */
export function presentTold(row: InvoiceRow): z.output<typeof ownInvoice> {
  return { ...presentOwn(row), open: addAmounts(row.open, row.planned) }
}

/** An invoice in the list of staff. */
export function presentInvoice(row: InvoiceRow): z.output<typeof invoiceRow> {
  return {
    ...presentOwn(row),
    id: row.id,
    affiliate: row.affiliate,
    changed: row.changed === null ? null : amountText(row.changed),
    planned: row.planned,
    sent: row.sent,
    issue_by: issueBy(row),
    note: row.note,
    internal_note: row.internal_note,
    deleted_at: row.deleted_at?.toISOString() ?? null,
    revision: row.revision,
  }
}

type Parts = {
  beside: { previous: string | null; next: string | null }
  lines: InvoiceDetail['lines']
  groups: InvoiceDetail['groups']
  owed: InvoiceDetail['owed']
  history: Rows<typeof listHistory>
  payments: Rows<typeof listPayments>
  bookings: Rows<typeof listInvoiceBookings>
  creditNote: Awaited<ReturnType<typeof getCreditNote>>
  creditNotes: Rows<typeof listCreditNotes>
  changes: InvoiceDetail['changes']
  supply: InvoiceDetail['supply']
  official: string
  act: boolean
}

/** An invoice with all that belongs to it. */
export function presentDetail(row: InvoiceRow, parts: Parts): InvoiceDetail {
  const { creditNote } = parts
  return {
    ...presentInvoice(row),
    ...parts.beside,
    time_zone: row.time_zone,
    supply: parts.supply,
    vat_category: row.vat_category,
    vat_rate: row.vat_rate,
    mode: row.mode,
    paid: row.paid,
    offset_prepaid: row.offset_prepaid,
    credited: row.credited,
    reason: row.reason,
    official_number: parts.official,
    act: parts.act,
    made_by: row.maker,
    sent_at: row.sent_at?.toISOString() ?? null,
    approved_at: row.approved_at?.toISOString() ?? null,
    lines: parts.lines.map((one) => ({ ...one, amount: amountText(one.amount) })),
    owed: parts.owed,
    groups: parts.groups.map((one) => ({ ...one, amount: amountText(one.amount) })),
    history: parts.history.map(({ at, event, actor, reason, ...one }) => ({
      at: at.toISOString(),
      event,
      actor,
      reason,
      // the table holds the statuses of invoices alone
      from: one.from_status as InvoiceDetail['status'] | null,
      to: one.to_status as InvoiceDetail['status'],
    })),
    payments: parts.payments.map((one) => ({
      ...presentPayment(one),
      source: one.source,
      note: one.note,
      actor: one.actor,
      moved: presentMoved(one),
      fee: addAmounts(one.fee),
      fee_currency: one.fee_currency,
      ended_day: one.ended_day,
      reason: one.reason,
      in_file: one.in_file,
    })),
    bookings: presentBookings(parts.bookings),
    credit_note: creditNote === undefined ? null : { ...creditNote, at: creditNote.created_at.toISOString() },
    credit_notes: parts.creditNotes.map((one) => ({ ...presentNote(one), kind: one.kind, actor: one.actor })),
    changes: parts.changes === null ? null : { ...parts.changes, amount: amountText(parts.changes.amount) },
  }
}

/** A credit note as both sides read it. */
export function presentNote({ uuid, number, total, reason, created_at, official_number }: Rows<typeof listCreditNotes>[number]) {
  return { uuid, number, total, reason, at: created_at.toISOString(), official_number: official_number ?? '' }
}

/** A payment as its affiliate reads it. */
export function presentPayment(row: Rows<typeof listPayments>[number]): z.output<typeof payment> {
  const { uuid, id, amount, on_invoice, currency, state, day, external_id } = row
  return {
    uuid,
    id,
    amount,
    on_invoice,
    currency,
    state,
    day,
    external_id,
    charged: addAmounts(row.charged),
    created_at: row.created_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
    reason: row.reason === RECALLED ? '' : row.reason,
  }
}

/** A line with what its conversion is worth by now. */
export function presentLine(row: LineRow): z.output<typeof invoiceLine> {
  const { conversion_uuid, conversion_id, created_at, status } = row
  const isOfConversion = conversion_uuid !== null && conversion_id !== null && created_at !== null && status !== null
  return {
    id: row.id,
    kind: row.kind,
    amount: row.amount,
    conversion: isOfConversion
      ? {
          uuid: conversion_uuid,
          id: conversion_id,
          at: created_at.toISOString(),
          offer: row.offer ?? '',
          goal: row.goal ?? '',
          status,
          payout: amountText(row.payable ?? '0'),
        }
      : null,
    adjustment:
      row.adjustment_id === null ? null : { id: row.adjustment_id, kind: row.adjustment_kind ?? 'correction', note: row.note ?? '' },
    change: row.change,
    credit_note: row.credit_note,
    referral: row.month === null ? null : { month: row.month, level: row.level ?? 1 },
  }
}

/** A line as its affiliate reads it: as it was, and without a hidden goal. */
export function presentOwnLine(row: LineRow): CallOutput<typeof ownInvoiceApi.lines>['list'][number] {
  const { kind, amount, conversion, credit_note, referral } = presentLine(row)
  const told = conversion && {
    uuid: conversion.uuid,
    id: conversion.id,
    at: conversion.at,
    offer: conversion.offer,
    goal: row.hidden ? '' : conversion.goal,
  }
  return { kind, amount, conversion: told, note: row.note ?? '', credit_note, referral }
}

/** Entries put together by their booking; amounts above zero where their account grows. */
function presentBookings(rows: Rows<typeof listInvoiceBookings>): InvoiceDetail['bookings'] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((entries) => ({
    at: entries[0]?.at.toISOString() ?? '',
    event: entries[0]?.event ?? '',
    entries: entries.map(({ account, amount, currency }) => ({ account, amount: grown(account, amount), currency })),
  }))
}

function grown(account: string, amount: string): string {
  // the table holds kinds of accounts alone
  const { side } = accountType(account as Parameters<typeof accountType>[0])
  return side === 'debit' ? amountText(amount) : addAmounts(amount.startsWith('-') ? amount.slice(1) : `-${amount}`)
}

/** What moved on an account in another currency. */
function presentMoved({ moved_currency: currency, moved, expected }: Rows<typeof listPayments>[number]) {
  return currency === null ? null : { currency, amount: addAmounts(moved ?? '0'), expected: addAmounts(expected ?? '0') }
}
