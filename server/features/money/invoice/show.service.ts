import { amountText, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { invoiceApi, InvoiceDetail } from '#contract/money/invoice.ts'
import type { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import type { z } from 'zod'
import type { Actor } from '#server/access/actor.ts'
import { openWorth } from '#server/features/money/currency/worth.queries.ts'
import { hasAct } from '#server/features/money/document/act.service.ts'
import { officialOf } from '#server/features/money/document/official.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { supplyOf } from '#server/features/money/document/supply.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { listPayable } from './available.queries.ts'
import { debtsOf } from './debt.queries.ts'
import { presentDetail, presentInvoice, presentLine, presentNote, presentOwnLine, presentPayment, presentTold } from './invoice.present.ts'
import {
  getCreditNote,
  getInvoice,
  listHistory,
  listInvoiceBookings,
  listInvoices,
  listOwnInvoices,
  neighboursOf,
  sumDrafts,
  type InvoiceRow,
} from './invoice.queries.ts'
import { groupLines, listLines, sumLines } from './line.queries.ts'
import { changesOf, listCreditNotes } from './note.queries.ts'
import { listOwnPayments, listPayments } from './payment.queries.ts'

type Body<Name extends 'list' | 'lines' | 'payable'> = z.output<(typeof invoiceApi)[Name]['body']>

export async function showInvoices(db: Db, now: number, filters: Body<'list'>): Promise<CallOutput<typeof invoiceApi.list>> {
  const [{ time_zone }, worth] = await Promise.all([getGeneralSettings(db), openWorth(db, now)])
  const { rows, list, amounts } = await listInvoices(db, filters, time_zone, worth)
  const sums = amounts.map(({ currency, total, open }) => ({ currency, total: amountText(total), open: amountText(open) }))
  return { list: list.map(presentInvoice), summary: { rows, totals: { amounts: sums, ranking: worth.ranking(sums) } } }
}

/** One invoice with all that belongs to it. Throws `not_found`. */
export async function showInvoice(db: Db, key: string): Promise<InvoiceDetail> {
  const row = await findInvoice(db, key)
  const [beside, owed, lines, groups, history, payments, bookings, creditNote, creditNotes, changes, supply, official, act] =
    await Promise.all([
      neighboursOf(db, row.id),
      owedBeside(db, row),
      sumLines(db, row.id),
      groupLines(db, row.id, 'staff'),
      listHistory(db, row.id),
      listPayments(db, row.id),
      listInvoiceBookings(db, row.id),
      getCreditNote(db, row.id),
      listCreditNotes(db, row.id),
      row.number === null ? null : changesOf(db, row.id),
      supplyOf(db, row, null),
      officialOf(db, { kind: 'invoice', subjectId: row.id }),
      hasAct(db, row.id),
    ])
  return presentDetail(row, {
    beside,
    owed,
    lines,
    groups,
    history,
    payments,
    bookings,
    creditNote,
    creditNotes,
    changes,
    supply,
    official,
    act,
  })
}

/** What the affiliate of an invoice owes, as long as something of that is still to be paid. */
async function owedBeside(db: DbOrTrx, { affiliate_id, currency, status, deleted_at, open }: InvoiceRow): Promise<string | null> {
  const isToPay = status === 'draft' || status === 'waiting' || toUnits(open) > 0n
  if (!isToPay || deleted_at !== null) return null
  const debt = (await debtsOf(db, currency, [affiliate_id])).get(affiliate_id)
  return debt === undefined ? null : fromUnits(debt.owed)
}

export async function showLines(
  db: Db,
  key: string,
  { kind, ...filters }: Omit<Body<'lines'>, 'uuid'>,
): Promise<CallOutput<typeof invoiceApi.lines>> {
  const { id } = await findInvoice(db, key)
  const { rows, list } = await listLines(db, id, { ...filters, kinds: kind })
  return { list: list.map(presentLine), summary: { rows } }
}

export async function showPayable(db: Db, actor: Actor, filters: Body<'payable'>): Promise<CallOutput<typeof invoiceApi.payable>> {
  const { time_zone } = await getGeneralSettings(db)
  const { rows, list, amounts } = await listPayable(db, actor.scope, filters, time_zone)
  return {
    list: list.map((one) => ({ ...one, created_at: one.created_at.toISOString() })),
    summary: { rows, totals: { amounts: amounts.map(({ currency, payout }) => ({ currency, payout: amountText(payout) })) } },
  }
}

/** An affiliate's own invoices from the moment they were sent; what stands on drafts as a sum. */
export async function showOwnInvoices(
  db: Db,
  affiliateId: number,
  filters: z.output<typeof ownInvoiceApi.list.body>,
): Promise<CallOutput<typeof ownInvoiceApi.list>> {
  const [{ rows, list }, preparing] = await Promise.all([listOwnInvoices(db, affiliateId, filters), sumDrafts(db, affiliateId)])
  const sums = preparing.map(({ currency, amount }) => ({ currency, amount: amountText(amount) }))
  return { list: list.map(presentTold), summary: { rows, totals: { preparing: sums } } }
}

export async function showOwnInvoice(db: Db, affiliateId: number, key: string): Promise<CallOutput<typeof ownInvoiceApi.get>> {
  const row = await findOwnInvoice(db, affiliateId, key)
  const [lines, groups, payments, notes, supply, official, act] = await Promise.all([
    sumLines(db, row.id),
    groupLines(db, row.id, 'affiliate'),
    listPayments(db, row.id, 'affiliate'),
    listCreditNotes(db, row.id),
    supplyOf(db, row, null),
    officialOf(db, { kind: 'invoice', subjectId: row.id }),
    hasAct(db, row.id),
  ])
  return {
    ...presentTold(row),
    supply,
    note: row.note,
    reason: row.reason,
    lines: lines.map((one) => ({ ...one, amount: amountText(one.amount) })),
    groups: groups.map((one) => ({ ...one, amount: amountText(one.amount) })),
    payments: payments.map(presentPayment),
    official_number: official,
    act,
    credit_notes: notes.map(presentNote),
  }
}

export async function showOwnLines(
  db: Db,
  affiliateId: number,
  key: string,
  filters: Omit<z.output<typeof ownInvoiceApi.lines.body>, 'uuid'>,
): Promise<CallOutput<typeof ownInvoiceApi.lines>> {
  const { id } = await findOwnInvoice(db, affiliateId, key)
  const { rows, list } = await listLines(db, id, { ...filters, changed: false, kinds: [] })
  return { list: list.map(presentOwnLine), summary: { rows } }
}

export async function showOwnPayments(
  db: Db,
  affiliateId: number,
  filters: z.output<typeof ownInvoiceApi.payments.body>,
): Promise<CallOutput<typeof ownInvoiceApi.payments>> {
  const { rows, list } = await listOwnPayments(db, affiliateId, filters)
  return {
    list: list.map((one) => ({
      ...presentPayment(one),
      note: one.invoice_uuid === null ? one.note : '',
      invoice: one.invoice_uuid === null ? null : { uuid: one.invoice_uuid, number: one.number },
    })),
    summary: { rows },
  }
}

/** An invoice as staff name it, by uuid or number. Throws `not_found`. */
export async function findInvoice(db: DbOrTrx, key: string): Promise<InvoiceRow> {
  return there(await getInvoice(db, key))
}

/** An invoice of an affiliate that was told of it, by its uuid alone: numbers count those of the whole network. Throws `not_found`. */
export async function findOwnInvoice(db: DbOrTrx, affiliateId: number, key: string): Promise<InvoiceRow> {
  return there(/^\d+$/.test(key) ? undefined : await getInvoice(db, key, affiliateId))
}

function there(row: InvoiceRow | undefined): InvoiceRow {
  if (row === undefined) throw new AppError('not_found')
  return row
}
