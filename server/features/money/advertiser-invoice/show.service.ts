import type { z } from 'zod'
import { accountType, type AccountKind } from '#contract/money/account.ts'
import type { AdvertiserInvoiceDetail, AdvertiserInvoiceRow, advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { addAmounts, amountText, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { whoseInvoice as whoseAffiliateInvoice } from '#server/features/money/invoice/invoice.queries.ts'
import { noteSums } from '#server/features/money/invoice/note-sums.ts'
import { openWorth } from '#server/features/money/currency/worth.queries.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { companySetting } from '#contract/money/document.ts'
import { missingOfCompany } from '#server/features/money/tax-profile/missing.ts'
import { officialOf } from '#server/features/money/document/official.queries.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { supplyToAdvertiser } from '#server/features/money/document/supply.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { issueBy } from '#server/rules/issue-by.ts'
import { dayIn, endOf } from '#server/rules/zone-day.ts'
import { getInvoice, listInvoices, neighboursOf, partyOf, whoseInvoice, type InvoiceRow } from './advertiser-invoice.queries.ts'
import { changedSums, changesOf, sumLive } from './billable.queries.ts'
import {
  groupLines,
  listCreditNotes,
  listHistory,
  listInvoiceBookings,
  listInvoiceReceipts,
  listLines,
  sumLines,
  type LineRow,
} from './show.queries.ts'
import { missingFrom, totalsOf } from './vat.ts'

type Body<Name extends 'list' | 'lines'> = z.output<(typeof advertiserInvoiceApi)[Name]['body']>

export async function showInvoices(db: Db, now: number, filters: Body<'list'>): Promise<CallOutput<typeof advertiserInvoiceApi.list>> {
  const [today, worth] = await Promise.all([todayOf(db, now), openWorth(db, now)])
  const { rows, list, amounts } = await listInvoices(db, filters, today, worth)
  const sums = amounts.map(({ currency, total, open }) => ({ currency, total: amountText(total), open: amountText(open) }))
  return { list: list.map((row) => presentInvoice(row, today)), summary: { rows, totals: { amounts: sums, ranking: worth.ranking(sums) } } }
}

/** One invoice with all that belongs to it. Throws `not_found`. */
export async function showInvoice(db: Db, now: number, key: string): Promise<AdvertiserInvoiceDetail> {
  const row = await found(db, key)
  const [today, party, live, decimals, lines, groups, history, receipts, notes, bookings, neighbours, changes, company, supply, official] =
    await Promise.all([
      todayOf(db, now),
      partyOf(db, row.advertiser_id),
      sumLive(db, row.id, endOf(row.period_to, row.time_zone)),
      decimalsOf(db, row.currency),
      sumLines(db, row.id),
      groupLines(db, row.id),
      listHistory(db, row.id),
      listInvoiceReceipts(db, row.id),
      listCreditNotes(db, row.id),
      listInvoiceBookings(db, row.id),
      neighboursOf(db, row.id),
      row.number === null ? null : changesOf(db, row.id),
      getSetting(db, companySetting),
      supplyToAdvertiser(db, row, null),
      officialOf(db, { kind: 'advertiser_invoice', subjectId: row.id }),
    ])
  const isDraft = row.number === null
  const { net, vat, total } = row
  const changed = isDraft ? addAmounts(live.now, negative(live.amount)) : null
  return {
    ...presentInvoice(row, today),
    ...neighbours,
    ...(isDraft && { changed: changed === fromUnits(0n) ? null : changed }),
    time_zone: row.time_zone,
    supply,
    vat_category: row.vat_category,
    vat_rate: row.vat_rate,
    received: row.received,
    offset_prepaid: row.offset_prepaid,
    credited: row.credited,
    written_off: row.written_off,
    reason: row.reason,
    made_by: row.maker,
    official_number: official,
    now: isDraft ? totalsOf(row, toUnits(live.now), decimals) : { net, vat, total },
    billed_to: row.billed_to ?? party.company,
    missing: isDraft ? missingFrom(party.company, row) : [],
    missing_own: isDraft ? missingOfCompany(company, row.vat_category) : [],
    contact: party.email,
    lines: lines.map((one) => ({ ...one, amount: amountText(one.amount) })),
    groups: groups.map((one) => ({ ...one, amount: amountText(one.amount) })),
    history: history.map(({ from_status, to_status, at, ...one }) => ({ ...one, at: at.toISOString(), from: from_status, to: to_status })),
    receipts: receipts.map((one) => ({ ...one, amount: amountText(one.amount) })),
    credit_notes: notes.map(({ created_at, official_number, ...one }) => ({
      ...one,
      at: created_at.toISOString(),
      official_number: official_number ?? '',
    })),
    bookings: presentBookings(bookings),
    changes:
      changes === null
        ? null
        : { ...changes, amount: negative(changes.amount), note: await noteOver(db, row, { changes, notes, decimals }) },
  }
}

/** What a credit note over what has changed would come to, as making it works it out; null where that is nothing. */
async function noteOver(
  db: Db,
  row: { id: number; net: string; vat: string; vat_category: string; vat_rate: string },
  { changes, notes, decimals }: { changes: { rows: number }; notes: readonly { net: string; vat: string }[]; decimals: number },
) {
  if (changes.rows === 0) return null
  const { exact, taken } = await changedSums(db, row.id)
  const left = (sum: 'net' | 'vat') => toUnits(row[sum]) - notes.reduce((all, note) => all + toUnits(note[sum]), 0n)
  const { net, vat, total } = noteSums(row, { net: left('net'), vat: left('vat') }, toUnits(exact) - toUnits(taken), decimals)
  return net === 0n ? null : { net: fromUnits(net), vat: fromUnits(vat), total: fromUnits(total) }
}

export async function showLines(db: Db, { uuid, ...filters }: Body<'lines'>): Promise<CallOutput<typeof advertiserInvoiceApi.lines>> {
  const { rows, list } = await listLines(db, await found(db, uuid), filters)
  return { list: list.map(presentLine), summary: { rows } }
}

/** Whose invoice it is: an affiliate's or an advertiser's. Throws `not_found`. */
export async function showSide(db: Db, key: string): Promise<{ side: 'affiliate' | 'advertiser' }> {
  if ((await whoseAffiliateInvoice(db, key)) !== undefined) return { side: 'affiliate' }
  if ((await whoseInvoice(db, key)) !== undefined) return { side: 'advertiser' }
  throw new AppError('not_found')
}

/** How many days an open invoice is overdue; null where it is not. */
export function overdueDays({ open, due_day }: { open: string; due_day: string }, today: string): number | null {
  const days = Temporal.PlainDate.from(due_day).until(today, { largestUnit: 'days' }).days
  return toUnits(open) > 0n && days > 0 ? days : null
}

/** Today in the zone of the network. */
export async function todayOf(db: Db, now: number): Promise<string> {
  return dayIn(now, (await getGeneralSettings(db)).time_zone)
}

function presentInvoice(row: InvoiceRow, today: string): AdvertiserInvoiceRow {
  const { uuid, id, number, status, advertiser, currency, period_from, period_to, net, vat, total, open, due_day, note, internal_note } =
    row
  return {
    uuid,
    id,
    number,
    status,
    advertiser,
    currency,
    period_from,
    period_to,
    net,
    vat,
    total,
    open,
    due_day,
    note,
    internal_note,
    overdue_days: overdueDays(row, today),
    issue_by: issueBy(row),
    changed: row.changed === null ? null : amountText(row.changed),
    reminded_at: row.reminded_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    issued_at: row.issued_at?.toISOString() ?? null,
    paid_at: row.paid_at?.toISOString() ?? null,
    deleted_at: row.deleted_at?.toISOString() ?? null,
    revision: row.revision,
  }
}

function presentLine(row: LineRow): CallOutput<typeof advertiserInvoiceApi.lines>['list'][number] {
  const { conversion_uuid, conversion_id, created_at, status } = row
  const isOfConversion = conversion_uuid !== null && conversion_id !== null && created_at !== null && status !== null
  return {
    id: row.id,
    kind: row.kind,
    amount: row.amount,
    credit_note: row.credit_note,
    change: row.change,
    conversion: isOfConversion
      ? {
          uuid: conversion_uuid,
          id: conversion_id,
          at: created_at.toISOString(),
          offer: row.offer ?? '',
          goal: row.goal ?? '',
          status,
          earned: amountText(row.earned ?? '0'),
          unbilled: amountText(row.unbilled ?? '0'),
        }
      : null,
    adjustment: row.adjustment_id === null ? null : { id: row.adjustment_id, kind: row.adjustment_kind ?? 'fee', note: row.note ?? '' },
  }
}

/** Entries put together by their booking; amounts above zero where their account grows. */
function presentBookings(rows: Awaited<ReturnType<typeof listInvoiceBookings>>): AdvertiserInvoiceDetail['bookings'] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((entries) => ({
    at: entries[0]?.at.toISOString() ?? '',
    event: entries[0]?.event ?? '',
    entries: entries.map(({ account, amount, currency }) => ({
      account,
      currency,
      // the table holds kinds of accounts alone
      amount: accountType(account as AccountKind).side === 'debit' ? amountText(amount) : negative(amount),
    })),
  }))
}

function negative(amount: string): string {
  return fromUnits(-toUnits(amount))
}

async function found(db: Db, key: string): Promise<InvoiceRow> {
  const row = await getInvoice(db, key)
  if (row === undefined) throw new AppError('not_found')
  return row
}
