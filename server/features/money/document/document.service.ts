import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { billingSetting } from '#contract/money/billing.ts'
import { companySetting } from '#contract/money/document.ts'
import { paymentSetting } from '#contract/money/payment.ts'
import { billingModeOf } from '#server/features/money/tax-profile/tax-profile.service.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { findPrintedInvoice, headOf, listEveryLine, listGroups, maskedMethod, type PrintedInvoice } from './document.queries.ts'
import { drawDocument } from './draw.ts'
import { printedGroups } from './groups.ts'
import { findDocument } from './keep.queries.ts'
import { keepDocument, type File } from './keep.service.ts'
import { linesFile } from './lines-file.ts'
import { addressLines, companyParty, lookOf, signOf } from './party.ts'
import type { Party, Printed } from './printed.ts'
import { objectionText, vatText } from './vat-text.ts'

type Of = 'invoice' | 'credit_note'

/** Keeps the document of an invoice that has its number now, or of the credit note that ends it. */
export async function keepInvoiceDocument(trx: Trx, now: number, invoiceId: number, of: Of): Promise<void> {
  const invoice = await findPrintedInvoice(trx, String(invoiceId))
  const subjectId = of === 'invoice' ? invoiceId : invoice?.note_id
  if (invoice === undefined || subjectId === undefined || subjectId === null) throw new Error('there is nothing to print')
  await keepDocument(trx, await printedInvoice(trx, now, invoice, of), { kind: of, subjectId })
}

/** The document of an invoice: as it was handed out, or before it has its number as a draft. Of an affiliate its own. Throws `not_found`. */
export async function readInvoiceDocument(db: Db, now: number, key: string, of: Of, affiliateId?: number): Promise<File> {
  const invoice = await findPrintedInvoice(db, key, affiliateId)
  const subjectId = of === 'invoice' ? invoice?.id : invoice?.note_id
  if (invoice === undefined || subjectId === undefined || subjectId === null) throw new AppError('not_found')
  const kept = await findDocument(db, of, subjectId)
  if (kept !== undefined) return { name: `${kept.number ?? 'document'}.pdf`, bytes: kept.bytes }
  const bytes = await drawDocument(await printedInvoice(db, now, invoice, of))
  return { name: `${invoice.number ?? `draft-${key.slice(0, 8)}`}.pdf`, bytes }
}

/** Every conversion, bonus and correction of an invoice as CSV, as its affiliate may read it. Throws `not_found`. */
export async function readInvoiceLines(db: Db, key: string, affiliateId?: number): Promise<File> {
  const invoice = await findPrintedInvoice(db, key, affiliateId)
  if (invoice === undefined) throw new AppError('not_found')
  const [lines, { language }] = await Promise.all([listEveryLine(db, invoice.id), getSetting(db, companySetting)])
  const columns = ['kind', 'conversion', 'created_at', 'offer', 'goal', 'note', 'amount', 'currency'] as const
  return { name: `${invoice.number ?? 'draft'}.csv`, bytes: linesFile(lines, columns, { language, currency: invoice.currency }) }
}

async function printedInvoice(db: DbOrTrx, now: number, invoice: PrintedInvoice, of: Of): Promise<Printed> {
  const [general, rules, billing, payments, rows, method, head] = await Promise.all([
    getGeneralSettings(db),
    getSetting(db, billingSetting),
    billingModeOf(db, invoice.affiliate_id),
    getSetting(db, paymentSetting),
    listGroups(db, invoice.id),
    maskedMethod(db, invoice.affiliate_id, invoice.payment_system),
    headOf(db, invoice.affiliate_id),
  ])
  const { company, profile } = billing
  const mode = invoice.mode ?? billing.mode
  const { language } = company
  const isSelfBilled = mode === 'self_billing'
  const today = dayIn(now, general.time_zone)
  const isNote = of === 'credit_note'
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
    title: isNote ? 'credit_note' : isSelfBilled ? 'invoice' : 'statement',
    marks: [
      ...(isSelfBilled ? (['self_billing'] as const) : []),
      ...(company.copy && isSelfBilled ? (['copy'] as const) : []),
      ...(invoice.number === null ? (['draft'] as const) : []),
    ],
    number: isNote ? invoice.note_number : invoice.number,
    day: isNote ? dayIn(invoice.note_at?.getTime() ?? now, general.time_zone) : (invoice.number_day ?? today),
    period: { from: invoice.period_from, to: invoice.period_to },
    due: isNote ? null : invoice.due_day,
    credits: isNote && invoice.number !== null ? { number: invoice.number, day: invoice.number_day ?? today } : null,
    look: await lookOf(general),
    supplier,
    customer: companyParty(company, general.partner_title),
    currency: { code: invoice.currency, sign: invoice.sign || signOf(invoice.currency), decimals: invoice.decimals },
    groups: printedGroups(rows, invoice, language),
    net: invoice.net,
    vat: isSelfBilled ? { rate: invoice.vat_rate, amount: invoice.vat } : null,
    total: invoice.total,
    offset: isNote ? '0' : invoice.offset_prepaid,
    toPay: isNote ? invoice.total : fromUnits(toUnits(invoice.total) - toUnits(invoice.offset_prepaid)),
    texts: [
      ...(isSelfBilled ? vatText(invoice.vat_category, { company, exemption: profile?.exemption ?? '', language }) : []),
      ...(isNote ? [] : [objectionText(rules.object_days, language)]),
    ],
    note: isNote ? (invoice.note_reason ?? '') : invoice.note,
    paidTo: isNote || system === '' ? '' : [system, method?.masked].filter(Boolean).join(' · '),
    chain: head === undefined ? '' : `${head.seq} · ${head.hash.toString('hex')}`,
    made: new Date(now),
  }
}
