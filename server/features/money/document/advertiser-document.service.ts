import { companySetting } from '#contract/money/document.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import {
  findPrintedInvoice,
  findPrintedNote,
  listEveryLine,
  listGroups,
  type PrintedInvoice,
  type PrintedNote,
} from './advertiser-document.queries.ts'
import { copyOf } from './copy.service.ts'
import { drawDocument } from './draw.ts'
import { printedGroups } from './groups.ts'
import { findDocument } from './keep.queries.ts'
import { keepDocument, type File } from './keep.service.ts'
import { linesFile } from './lines-file.ts'
import { nationalVat } from './national.ts'
import { addressLines, companyParty, lookOf, signOf } from './party.ts'
import type { Party, Printed } from '#server/rules/printed.ts'
import { supplyToAdvertiser } from './supply.queries.ts'
import { vatText } from './vat-text.ts'

/** Keeps the document of an advertiser's invoice that has its number now. */
export async function keepInvoice(trx: Trx, now: number, invoiceId: number): Promise<void> {
  const invoice = await findPrintedInvoice(trx, String(invoiceId))
  if (invoice === undefined) throw new Error('there is nothing to print')
  await keepDocument(trx, await printedInvoice(trx, now, invoice, null, true), { kind: 'advertiser_invoice', subjectId: invoice.id })
}

/** Keeps the document of a credit note that was made now. */
export async function keepNote(trx: Trx, now: number, noteUuid: string): Promise<void> {
  const note = await findPrintedNote(trx, noteUuid)
  const invoice = note && (await findPrintedInvoice(trx, note.invoice))
  if (note === undefined || invoice === undefined) throw new Error('there is nothing to print')
  await keepDocument(trx, await printedInvoice(trx, now, invoice, note, true), { kind: 'advertiser_credit_note', subjectId: note.id })
}

/** An advertiser's invoice as it was handed out, or before it has its number as a draft; of one advertiser its own issued ones. Throws `not_found`. */
export async function readInvoice(
  db: Db,
  now: number,
  key: string,
  { which = 'invoice', advertiserId }: { which?: 'invoice' | 'copy'; advertiserId?: number } = {},
): Promise<File> {
  const invoice = await findPrintedInvoice(db, key, advertiserId)
  if (invoice === undefined) throw new AppError('not_found')
  const told = () => printedInvoice(db, now, invoice, null)
  if (which === 'copy') return copyOf(db, { kind: 'advertiser_invoice', subjectId: invoice.id }, told)
  const kept = await findDocument(db, 'advertiser_invoice', invoice.id)
  const name = `${invoice.number ?? `draft-${invoice.id}`}.pdf`
  return { name, bytes: kept?.bytes ?? (await drawDocument(await told())) }
}

/** A credit note by its own uuid, or its copy with the official number. Throws `not_found`. */
export async function readNote(
  db: Db,
  now: number,
  uuid: string,
  { which = 'note', advertiserId }: { which?: 'note' | 'copy'; advertiserId?: number } = {},
): Promise<File> {
  const note = await findPrintedNote(db, uuid, advertiserId)
  const invoice = note && (await findPrintedInvoice(db, note.invoice))
  if (note === undefined || invoice === undefined) throw new AppError('not_found')
  const told = () => printedInvoice(db, now, invoice, note)
  if (which === 'copy') return copyOf(db, { kind: 'advertiser_credit_note', subjectId: note.id }, told)
  const kept = await findDocument(db, 'advertiser_credit_note', note.id)
  return { name: `${note.number}.pdf`, bytes: kept?.bytes ?? (await drawDocument(await told())) }
}

/** Every conversion, discount, minimum and fee of an advertiser's invoice as CSV, as the advertiser may read it. Throws `not_found`. */
export async function readLines(db: Db, key: string, advertiserId?: number): Promise<File> {
  const invoice = await findPrintedInvoice(db, key, advertiserId)
  if (invoice === undefined) throw new AppError('not_found')
  const [lines, company] = await Promise.all([listEveryLine(db, invoice.id), getSetting(db, companySetting)])
  const columns = ['kind', 'conversion', 'created_at', 'click_id', 'transaction_id', 'offer', 'goal', 'note', 'amount', 'currency'] as const
  const language = invoice.document_language ?? company.language
  return {
    name: `${invoice.number ?? `draft-${invoice.id}`}.csv`,
    bytes: linesFile(lines, columns, { language, currency: invoice.currency }),
  }
}

async function printedInvoice(
  db: DbOrTrx,
  now: number,
  invoice: PrintedInvoice,
  note: PrintedNote | null,
  strict = false,
): Promise<Printed> {
  const [general, company, rows, supply] = await Promise.all([
    getGeneralSettings(db),
    getSetting(db, companySetting),
    listGroups(db, invoice.id, note?.id ?? null),
    supplyToAdvertiser(db, invoice, note?.id ?? null),
  ])
  const language = invoice.document_language ?? company.language
  const today = dayIn(now, general.time_zone)
  const { number, number_day, vat_category, vat_rate } = invoice
  // one that adds is below zero, and is printed as what it is
  const adds = note !== null && toUnits(note.total) < 0n
  const signed = (amount: string) => (adds ? fromUnits(-toUnits(amount)) : amount)
  const [net, vat, total] = [signed((note ?? invoice).net), signed((note ?? invoice).vat), signed((note ?? invoice).total)]
  return {
    language,
    title: note === null ? 'invoice' : adds ? 'correction_note' : 'credit_note',
    marks: [...(company.copy ? (['copy'] as const) : []), ...(number === null ? (['draft'] as const) : [])],
    number: note === null ? number : note.number,
    day: (note === null ? number_day : note.number_day) ?? today,
    period: supply ?? { from: invoice.period_from, to: invoice.period_to },
    due: note === null ? invoice.due_day : null,
    credits: note !== null && number !== null ? { number, day: number_day ?? today } : null,
    look: await lookOf(general),
    supplier: companyParty(company, general.partner_title),
    customer: customerOf(invoice),
    currency: { code: invoice.currency, sign: invoice.sign || signOf(invoice.currency), decimals: invoice.decimals },
    groups: printedGroups(
      adds ? rows.map((row) => ({ ...row, amount: signed(row.amount) })) : rows,
      { net, decimals: invoice.decimals },
      language,
    ),
    net,
    // what is not subject to VAT says so in words
    vat: vat_category === 'O' ? null : { rate: vat_category === 'S' ? vat_rate : '0', amount: vat },
    national: await nationalVat(db, {
      country: company.country ?? '',
      currency: invoice.currency,
      vat: vat_category === 'O' ? null : vat,
      day: number_day ?? today,
      corrects: note === null ? null : { kind: 'advertiser_invoice', subjectId: invoice.id },
      strict,
    }),
    total,
    offset: note === null ? invoice.offset_prepaid : '0',
    toPay: note === null ? fromUnits(toUnits(total) - toUnits(invoice.offset_prepaid)) : total,
    texts: vatText(vat_category, { company, exemption: vat_category === 'E' ? company.exempt_text : '', language }),
    note: note === null ? invoice.note : note.reason,
    paidTo: '',
    payTo: note === null || adds ? company.payment_details : '',
    chain: '',
    made: new Date(now),
  }
}

/** Whom it is made out to: as that was when it was issued, of a draft as it is now. */
function customerOf({ billed_to, company }: PrintedInvoice): Party {
  const party = billed_to ?? company
  return {
    name: party.name,
    address: addressLines({ address: party.address, postcode: party.postal_code, town: party.city }),
    country: party.country ?? '',
    vatId: party.vat_id,
    registration: party.registration_number,
  }
}
