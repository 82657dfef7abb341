import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { billingSetting } from '#contract/money/billing.ts'
import { companySetting, type DocumentLanguage } from '#contract/money/document.ts'
import { paymentSetting } from '#contract/money/payment.ts'
import { billingModeOf } from '#server/features/money/tax-profile/tax-profile.service.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import {
  findPrintedInvoice,
  findPrintedNote,
  headOf,
  listEveryLine,
  listGroups,
  maskedMethod,
  type PrintedInvoice,
  type PrintedNote,
} from './document.queries.ts'
import { keepAct, needsAct, readAct } from './act.service.ts'
import { copyOf } from './copy.service.ts'
import { drawDocument } from './draw.ts'
import { printedGroups } from './groups.ts'
import { findDocument } from './keep.queries.ts'
import { keepDocument, type File } from './keep.service.ts'
import { linesFile } from './lines-file.ts'
import { nationalVat } from './national.ts'
import { addressLines, companyParty, lookOf, signOf } from './party.ts'
import type { Party, Printed } from '#server/rules/printed.ts'
import { supplyOf } from './supply.queries.ts'
import { objectionText, vatText } from './vat-text.ts'

/** Keeps the document of an invoice that has its number now. */
export async function keepInvoiceDocument(trx: Trx, now: number, invoiceId: number): Promise<void> {
  const invoice = await findPrintedInvoice(trx, String(invoiceId))
  if (invoice === undefined) throw new Error('there is nothing to print')
  await keepDocument(trx, await printedInvoice(trx, now, invoice, null, { strict: true }), { kind: 'invoice', subjectId: invoiceId })
  const billing = await billingModeOf(trx, invoice.affiliate_id)
  if (needsAct(billing)) await keepAct(trx, await printedInvoice(trx, now, invoice, null, { language: 'uk' }), billing, invoiceId)
}

/** Keeps the document of a credit note that was made now. */
export async function keepNoteDocument(trx: Trx, now: number, uuid: string): Promise<void> {
  const note = await findPrintedNote(trx, { uuid })
  const invoice = note && (await findPrintedInvoice(trx, String(note.invoice_id)))
  if (note === undefined || invoice === undefined) throw new Error('there is nothing to print')
  await keepDocument(trx, await printedInvoice(trx, now, invoice, note, { strict: true }), { kind: 'credit_note', subjectId: note.id })
}

/** The document of an invoice, or of the credit note that ended it: as it was handed out, or before it has its number as a draft. Of an affiliate its own. Throws `not_found`. */
export async function readInvoiceDocument(
  db: Db,
  now: number,
  key: string,
  of: 'invoice' | 'credit_note' | 'copy' | 'act',
  affiliateId?: number,
): Promise<File> {
  const invoice = await findPrintedInvoice(db, key, affiliateId)
  if (invoice === undefined) throw new AppError('not_found')
  if (of === 'credit_note') return noteFile(db, now, invoice, await findPrintedNote(db, { endOf: invoice.id }), 'note')
  if (of === 'act') return readAct(db, invoice.id)
  const told = () => printedInvoice(db, now, invoice, null)
  if (of === 'copy') return copyOf(db, { kind: 'invoice', subjectId: invoice.id }, told)
  const kept = await findDocument(db, 'invoice', invoice.id)
  if (kept !== undefined) return { name: `${kept.number ?? 'document'}.pdf`, bytes: kept.bytes }
  const bytes = await drawDocument(await told())
  return { name: `${invoice.number ?? `draft-${key.slice(0, 8)}`}.pdf`, bytes }
}

/** A credit note by its own uuid, or its copy with the official number. Of an affiliate its own. Throws `not_found`. */
export async function readNoteDocument(
  db: Db,
  now: number,
  uuid: string,
  { which, affiliateId }: { which: 'note' | 'copy'; affiliateId?: number },
): Promise<File> {
  // by its uuid alone: an affiliate does not count the notes of others
  const note = /^\d+$/.test(uuid) ? undefined : await findPrintedNote(db, { uuid })
  const invoice = note && (await findPrintedInvoice(db, String(note.invoice_id), affiliateId))
  if (invoice === undefined) throw new AppError('not_found')
  return noteFile(db, now, invoice, note, which)
}

async function noteFile(
  db: Db,
  now: number,
  invoice: PrintedInvoice,
  note: PrintedNote | undefined,
  which: 'note' | 'copy',
): Promise<File> {
  if (note === undefined) throw new AppError('not_found')
  const told = () => printedInvoice(db, now, invoice, note)
  if (which === 'copy') return copyOf(db, { kind: 'credit_note', subjectId: note.id }, told)
  const kept = await findDocument(db, 'credit_note', note.id)
  return { name: `${note.number}.pdf`, bytes: kept?.bytes ?? (await drawDocument(await told())) }
}

/** Every conversion, bonus and correction of an invoice as CSV, as its affiliate may read it. Throws `not_found`. */
export async function readInvoiceLines(db: Db, key: string, affiliateId?: number): Promise<File> {
  const invoice = await findPrintedInvoice(db, key, affiliateId)
  if (invoice === undefined) throw new AppError('not_found')
  const [lines, { language }] = await Promise.all([listEveryLine(db, invoice.id), getSetting(db, companySetting)])
  const columns = ['kind', 'conversion', 'created_at', 'offer', 'goal', 'note', 'amount', 'currency'] as const
  return { name: `${invoice.number ?? 'draft'}.csv`, bytes: linesFile(lines, columns, { language, currency: invoice.currency }) }
}

async function printedInvoice(
  db: DbOrTrx,
  now: number,
  invoice: PrintedInvoice,
  note: PrintedNote | null,
  { strict = false, language: asked }: { strict?: boolean; language?: DocumentLanguage } = {},
): Promise<Printed> {
  const [general, rules, billing, payments, rows, method, head, supply] = await Promise.all([
    getGeneralSettings(db),
    getSetting(db, billingSetting),
    billingModeOf(db, invoice.affiliate_id),
    getSetting(db, paymentSetting),
    listGroups(db, invoice.id, note),
    maskedMethod(db, invoice.affiliate_id, invoice.payment_system),
    headOf(db, invoice.affiliate_id),
    supplyOf(db, invoice, note),
  ])
  const { company, profile } = billing
  const mode = invoice.mode ?? billing.mode
  const language = asked ?? company.language
  const isSelfBilled = mode === 'self_billing'
  const today = dayIn(now, general.time_zone)
  // one that adds is below zero, and is printed as what it is
  const adds = note !== null && toUnits(note.total) < 0n
  const signed = (amount: string) => (adds ? fromUnits(-toUnits(amount)) : amount)
  const [net, vat, total] = [signed((note ?? invoice).net), signed((note ?? invoice).vat), signed((note ?? invoice).total)]
  const supplier: Party = {
    name: profile?.name || invoice.company || invoice.name,
    address: addressLines(profile),
    country: profile?.country ?? invoice.country ?? '',
    vatId: profile?.vat_id ?? '',
    registration: profile?.registration ?? '',
  }
  const system = payments.systems.find(({ code }) => code === invoice.payment_system)?.name ?? invoice.payment_system
  return {
    language,
    title: note !== null ? (adds ? 'correction_note' : 'credit_note') : isSelfBilled ? 'invoice' : 'statement',
    marks: [
      ...(isSelfBilled ? (['self_billing'] as const) : []),
      ...(company.copy && isSelfBilled ? (['copy'] as const) : []),
      ...(invoice.number === null ? (['draft'] as const) : []),
    ],
    number: (note ?? invoice).number,
    day: note !== null ? dayIn(note.created_at.getTime(), general.time_zone) : (invoice.number_day ?? today),
    period: supply ?? { from: invoice.period_from, to: invoice.period_to },
    due: note !== null ? null : invoice.due_day,
    credits: note !== null && invoice.number !== null ? { number: invoice.number, day: invoice.number_day ?? today } : null,
    look: await lookOf(general),
    supplier,
    customer: companyParty(company, general.partner_title),
    currency: { code: invoice.currency, sign: invoice.sign || signOf(invoice.currency), decimals: invoice.decimals },
    groups: printedGroups(
      rows.map((row) => (adds ? { ...row, amount: signed(row.amount), price: row.price && signed(row.price) } : row)),
      { net, decimals: invoice.decimals },
      language,
    ),
    net,
    // what is not subject to VAT says so in words
    vat: isSelfBilled && invoice.vat_category !== 'O' ? { rate: invoice.vat_rate, amount: vat } : null,
    national: await nationalVat(db, {
      country: supplier.country,
      currency: invoice.currency,
      vat: isSelfBilled ? vat : null,
      day: invoice.number_day ?? today,
      corrects: note === null ? null : { kind: 'invoice', subjectId: invoice.id },
      strict,
    }),
    total,
    offset: note !== null ? '0' : invoice.offset_prepaid,
    toPay: note !== null ? total : fromUnits(toUnits(invoice.total) - toUnits(invoice.offset_prepaid)),
    texts: [
      ...(isSelfBilled ? vatText(invoice.vat_category, { company, exemption: profile?.exemption ?? '', language }) : []),
      ...(note !== null ? [] : [objectionText(rules.object_days, language)]),
    ],
    note: note !== null ? note.reason : invoice.note,
    paidTo: note !== null || system === '' ? '' : [system, method?.masked].filter(Boolean).join(' · '),
    chain: head === undefined ? '' : `${head.seq} · ${head.hash.toString('hex')}`,
    made: new Date(now),
  }
}
