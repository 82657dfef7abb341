import type { PaymentKind } from '#contract/money/payment.ts'

/** One payment as a file tells it. */
export type Order = {
  reference: string
  affiliateId: number
  affiliate: string
  invoices: string[]
  kind: PaymentKind
  system: string
  /** What the method holds. */
  fields: Readonly<Record<string, string>>
  /** With as many decimals as the currency has. */
  amount: string
  country: string | null
  /** Paid to a company, and not to a person. */
  isCompany: boolean
  dueDay: string | null
}

/** What a file is about beside its payments. */
export type FileHead = {
  /** Up to 35 of letters and digits; names the file to the bank. */
  id: string
  at: Date
  executionDay: string
  currency: string
  delimiter: string
  /** Of amounts, where the account's region decides. */
  decimalSign: '.' | ','
  payer: { name: string; iban: string; bic: string }
}
