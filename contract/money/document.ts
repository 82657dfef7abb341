import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, countryCode, line, paragraph, uuid } from '#contract/fields.ts'
import { defineSetting } from '#contract/network/define-setting.ts'

/** What documents are written in. */
export const DOCUMENT_LANGUAGES = ['en', 'uk', 'both'] as const
export const documentLanguage = z.enum(DOCUMENT_LANGUAGES)
export type DocumentLanguage = z.output<typeof documentLanguage>

/** A VAT id as it is printed: letters and digits without spaces. Whether it is anybody's is looked up by hand. */
export const vatId = line(20)
  .overwrite((text) => text.replace(/[\s.-]/g, '').toUpperCase())
  .refine((text) => text === '' || /^[A-Z]{2}[A-Z0-9+*]{2,13}$/.test(text), 'Two letters of the country and up to 13 letters or digits')

/** Somebody on a document: who they are in law, and where. */
export const partyFields = {
  name: line(140),
  address: line(200),
  postcode: line(20),
  town: line(100),
  country: countryCode.nullable(),
  vat_id: vatId,
  registration: line(60),
}

/** Our company as it stands on documents, and how they are written. */
export const companySetting = defineSetting(
  'company',
  { access: 'setting.payments', about: 'the company as it stands on documents, their language and what they say of VAT', key: 'never' },
  {
    ...partyFields,
    language: documentLanguage,
    /** Invoices are written in the name of affiliates who agreed to it; all others get statements, without VAT. */
    self_billing: z.boolean(),
    /** What affiliates agree to for that; whoever agreed to another text agrees anew. */
    agreement: paragraph(10_000),
    /** Where the official document is made elsewhere: ours are called copies. */
    copy: z.boolean(),
    /** Both sides sign an act of services beside an affiliate's invoice, as Ukrainian law knows it; an affiliate may have it otherwise. */
    act: z.boolean(),
    /** Where it is made; '' = in our town. */
    act_place: line(100),
    /** Who signs it for us. */
    act_post: line(100),
    act_name: line(100),
    /** Under documents with reverse charge, beside these words. */
    reverse_charge_text: line(300),
    /** The provision by which services are not subject to VAT here. */
    outside_text: line(300),
    /** The provision that exempts our own services from VAT, for invoices to advertisers. */
    exempt_text: line(300),
    /** How advertisers pay: bank, IBAN and so on, line by line; it stands on their invoices. */
    payment_details: paragraph(1000),
  },
  {
    name: '',
    address: '',
    postcode: '',
    town: '',
    country: null,
    vat_id: '',
    registration: '',
    language: 'en',
    self_billing: false,
    agreement: '',
    copy: false,
    act: false,
    act_place: '',
    act_post: '',
    act_name: '',
    reverse_charge_text: 'Directive 2006/112/EC, art. 44 and 196',
    outside_text: 'place of supply abroad (Directive 2006/112/EC, art. 44)',
    exempt_text: '',
    payment_details: '',
  },
)
export type Company = typeof companySetting.defaults

/** A copy says what the document says, and the official number. */
const whichNote = z.object({ which: z.enum(['note', 'copy']).default('note') })
const which = z.object({ which: z.enum(['invoice', 'credit_note', 'copy', 'act']).default('invoice') })

/** Documents as PDF, and all that stands on an invoice as CSV. */
export const documentApi = {
  company: companySetting.read,
  updateCompany: companySetting.update,
  invoice: endpoint({
    method: 'GET',
    path: '/api/document/v1/invoice/:uuid',
    access: 'billing.read',
    summary: 'An invoice or its credit note as PDF: the bytes kept at approval, before it a draft.',
    params: byUuid,
    query: which,
    response: bytes,
  }),
  note: endpoint({
    method: 'GET',
    path: '/api/document/v1/note/:uuid',
    access: 'billing.read',
    summary: 'A credit note of an affiliate’s invoice, or its copy with the official number, as PDF, by its own uuid.',
    params: z.object({ uuid }),
    query: whichNote,
    response: bytes,
  }),
  invoiceLines: endpoint({
    method: 'GET',
    path: '/api/document/v1/invoice-lines/:uuid',
    access: 'billing.read',
    summary: 'Every conversion, bonus and correction of an invoice as CSV.',
    params: byUuid,
    response: bytes,
  }),
  advertiserInvoice: endpoint({
    method: 'GET',
    path: '/api/document/v1/advertiser-invoice/:uuid',
    access: 'billing.read',
    summary: 'An advertiser’s invoice as PDF: the bytes kept at issue, before it a draft; or its copy with the official number.',
    params: byUuid,
    query: z.object({ which: z.enum(['invoice', 'copy']).default('invoice') }),
    response: bytes,
  }),
  advertiserNote: endpoint({
    method: 'GET',
    path: '/api/document/v1/advertiser-note/:uuid',
    access: 'billing.read',
    summary: 'A credit note to an advertiser, or its copy with the official number, as PDF, by its own uuid.',
    params: z.object({ uuid }),
    query: whichNote,
    response: bytes,
  }),
  advertiserLines: endpoint({
    method: 'GET',
    path: '/api/document/v1/advertiser-lines/:uuid',
    access: 'billing.read',
    summary: 'Every conversion, discount, minimum and fee of an advertiser’s invoice as CSV.',
    params: byUuid,
    response: bytes,
  }),
  ownInvoice: endpoint({
    method: 'GET',
    path: '/api/document/v1/own-invoice/:uuid',
    access: 'payment.own',
    summary: 'An own invoice or its credit note as PDF, from the moment it was sent.',
    params: byUuid,
    query: which,
    response: bytes,
  }),
  ownNote: endpoint({
    method: 'GET',
    path: '/api/document/v1/own-note/:uuid',
    access: 'payment.own',
    summary: 'A credit note of an own invoice, or its copy with the official number, as PDF, by its own uuid.',
    params: byUuid,
    query: whichNote,
    response: bytes,
  }),
  ownInvoiceLines: endpoint({
    method: 'GET',
    path: '/api/document/v1/own-invoice-lines/:uuid',
    access: 'payment.own',
    summary: 'Every conversion, bonus and correction of an own invoice as CSV.',
    params: byUuid,
    response: bytes,
  }),
}
