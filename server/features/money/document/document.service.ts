import { createHash } from 'node:crypto'
import Papa from 'papaparse'
import { addAmounts, fromUnits, MONEY_SCALE, toUnits } from '#contract/money/amount.ts'
import type { Company } from '#contract/money/document.ts'
import { paymentSetting } from '#contract/money/payment.ts'
import { billingModeOf } from '#server/features/money/tax-profile/tax-profile.service.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import {
  findDocument,
  findPrintedInvoice,
  headOf,
  insertDocument,
  listEveryLine,
  listGroups,
  maskedMethod,
  MOST_GROUPS,
  type GroupRow,
  type PrintedInvoice,
} from './document.queries.ts'
import { drawDocument } from './draw.ts'
import { drawableLogo } from './logo.ts'
import type { Party, Printed, PrintedGroup } from './printed.ts'
import { roundedShares } from './share.ts'
import { vatText } from './vat-text.ts'
import { said } from './words.ts'

export type DocumentKind = 'invoice' | 'credit_note' | 'advertiser_invoice' | 'advertiser_credit_note'
type Of = 'invoice' | 'credit_note'

/** Draws a document and keeps its bytes for good, in the transaction that gives it its number. `subjectId` is the row of its kind's table. */
export async function keepDocument(
  trx: Trx,
  printed: Printed,
  { kind, subjectId }: { kind: DocumentKind; subjectId: number },
): Promise<void> {
  const bytes = Buffer.from(await drawDocument(printed))
  const sha256 = createHash('sha256').update(bytes).digest()
  await insertDocument(trx, { kind, subject_id: subjectId, number: printed.number, bytes, sha256, made_at: printed.made })
}

/** Keeps the document of an invoice that has its number now, or of the credit note that ends it. */
export async function keepInvoiceDocument(trx: Trx, now: number, invoiceId: number, of: Of): Promise<void> {
  const invoice = await findPrintedInvoice(trx, String(invoiceId))
  const subjectId = of === 'invoice' ? invoiceId : invoice?.note_id
  if (invoice === undefined || subjectId === undefined || subjectId === null) throw new Error('there is nothing to print')
  await keepDocument(trx, await printedInvoice(trx, now, invoice, of), { kind: of, subjectId })
}

export type File = { name: string; bytes: Uint8Array }

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
  const lines = await listEveryLine(db, invoice.id)
  const rows = lines.map(({ created_at, ...line }) => ({
    ...line,
    created_at: created_at?.toISOString() ?? '',
    currency: invoice.currency,
  }))
  const columns = ['kind', 'conversion', 'created_at', 'offer', 'goal', 'note', 'amount', 'currency']
  // spreadsheets take what begins so for formulas
  const csv = Papa.unparse(rows, { columns, newline: '\r\n', escapeFormulae: /^[=+@\t\r]|^-(?![\d.]+$)/ })
  return { name: `${invoice.number ?? 'draft'}.csv`, bytes: Buffer.from(`\ufeff${csv}\r\n`) }
}

async function printedInvoice(db: DbOrTrx, now: number, invoice: PrintedInvoice, of: Of): Promise<Printed> {
  const [general, billing, payments, rows, method, head] = await Promise.all([
    getGeneralSettings(db),
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
    address: addressOf(profile),
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
    look: { name: general.partner_title, logo: await drawableLogo(general.logo), colour: general.colour },
    supplier,
    customer: companyParty(company, general.partner_title),
    currency: { code: invoice.currency, sign: invoice.sign || signOf(invoice.currency), decimals: invoice.decimals },
    groups: printedGroups(rows, invoice, language),
    net: invoice.net,
    vat: isSelfBilled ? { rate: invoice.vat_rate, amount: invoice.vat } : null,
    total: invoice.total,
    offset: isNote ? '0' : invoice.offset_prepaid,
    toPay: isNote ? invoice.total : fromUnits(toUnits(invoice.total) - toUnits(invoice.offset_prepaid)),
    texts: isSelfBilled ? vatText(invoice.vat_category, { company, exemption: profile?.exemption ?? '', language }) : [],
    note: isNote ? (invoice.note_reason ?? '') : invoice.note,
    paidTo: isNote || system === '' ? '' : [system, method?.masked].filter(Boolean).join(' · '),
    chain: head === undefined ? '' : `${head.seq} · ${head.hash.toString('hex')}`,
    made: new Date(now),
  }
}

/** The sign of a currency of ISO 4217, or its code where it has none. */
export function signOf(code: string): string {
  const parts = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: /^[A-Z]{3}$/.test(code) ? code : 'XXX',
    currencyDisplay: 'narrowSymbol',
  })
  return /^[A-Z]{3}$/.test(code) ? (parts.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code) : code
}

/** Our company as a party of a document. */
export function companyParty(company: Company, title: string): Party {
  return {
    name: company.name || title,
    address: addressOf(company),
    country: company.country ?? '',
    vatId: company.vat_id,
    registration: company.registration,
  }
}

function addressOf(party: { address: string; postcode: string; town: string } | undefined): string[] {
  if (party === undefined) return []
  return [party.address, [party.postcode, party.town].filter(Boolean).join(' ')].filter(Boolean)
}

/** The groups with amounts rounded so that they add up to the net. */
function printedGroups(rows: readonly GroupRow[], { net, decimals }: PrintedInvoice, language: Printed['language']): PrintedGroup[] {
  const shown = rows.slice(0, MOST_GROUPS)
  const all: PrintedGroup[] = shown.map((row) => ({
    description: describe(row, language),
    quantity: row.kind === 'conversion' || row.kind === 'correction' ? row.quantity : null,
    price: row.kind === 'conversion' ? row.price : null,
    amount: row.amount,
  }))
  if (rows.length > MOST_GROUPS) {
    const rest = toUnits(net) - toUnits(addAmounts(...all.map(({ amount }) => amount)))
    all.push({ description: said('others', language), quantity: null, price: null, amount: fromUnits(rest) })
  }
  const unit = 10n ** BigInt(MONEY_SCALE - decimals)
  const rounded = roundedShares(
    all.map(({ amount }) => toUnits(amount)),
    toUnits(net),
    unit,
  )
  return all.map((group, at) => ({ ...group, amount: fromUnits(rounded[at] ?? 0n) }))
}

function describe({ kind, offer, goal, about }: GroupRow, language: Printed['language']): string {
  const thing = [offer, goal].filter(Boolean).join(' · ')
  if (kind === 'conversion') return thing
  if (kind === 'correction') return `${said('corrected', language)}${about === '' ? '' : ` ${about}`}: ${thing}`
  return `${said(kind === 'bonus' ? 'bonus' : 'correction', language)}: ${about}`
}
