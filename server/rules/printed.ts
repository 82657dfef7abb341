import type { DocumentLanguage } from '#contract/money/document.ts'

/** Somebody a document is between, as it is printed. */
export type Party = {
  name: string
  /** Street, town and so on, each on a line of its own. */
  address: string[]
  /** ISO 3166 code; '' = not known. */
  country: string
  vatId: string
  registration: string
}

/** The network's looks. */
export type Look = { name: string; logo: string | null; colour: string }

/** A row of the table: an offer's goal at one price, a bonus, a correction. */
export type PrintedGroup = {
  description: string
  quantity: number | null
  /** Where all of it had one. */
  price: string | null
  amount: string
}

/** VAT in the national currency of the supplier, by the rate of a day: so much of it for one of the document's. */
export type PrintedNational = { amount: string; rate: string; day: string; currency: Printed['currency'] }

/** All that a document says. Amounts are decimal texts; they are printed with the decimals of the currency and must add up already. */
export type Printed = {
  language: DocumentLanguage
  /** A correction note adds to what it corrects. */
  title: 'invoice' | 'statement' | 'credit_note' | 'correction_note'
  marks: ('self_billing' | 'copy' | 'draft')[]
  /** null on what has no number, such as a statement. */
  number: string | null
  day: string
  /** Of supply. */
  period: { from: string | null; to: string } | null
  due: string | null
  /** What a credit or correction note is about. */
  credits: { number: string; day: string } | null
  look: Look
  supplier: Party
  customer: Party
  currency: { code: string; sign: string; decimals: number }
  groups: PrintedGroup[]
  net: string
  /** null = the document says nothing of VAT. */
  vat: { rate: string; amount: string } | null
  /** Where the supplier's law wants it told in another currency. */
  national?: PrintedNational | null
  total: string
  /** Of the total; '0' = none. */
  offset: string
  toPay: string
  /** What the law or the network wants said, a paragraph each. */
  texts: string[]
  note: string
  /** What may be shown of where it is paid to. */
  paidTo: string
  /** How the customer pays, line by line. */
  payTo?: string
  /** Of the chain of the conversions on it. */
  chain: string
  /** What an e-invoicing system numbers it by; on copies alone. */
  official?: string
  made: Date
}

/** What is kept of it beside its bytes. */
export type KeptPrinted = Omit<Printed, 'look' | 'made'>
