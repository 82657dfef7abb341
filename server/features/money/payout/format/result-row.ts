/** What is said of one payment. */
export type ResultRow = {
  /** '' = it names none. */
  reference: string
  /** `pending` changes nothing; `unknown` is asked about. */
  status: 'settled' | 'failed' | 'returned' | 'pending' | 'unknown'
  /** In their own word. */
  said: string
  amount: string | null
  /** What was said of an amount that cannot be read. */
  amountWrong?: string | undefined
  currency: string
  fee: string | null
  /** What the fee is said to be in; '' = not said. */
  feeCurrency: string
  /** What was said of a fee that is none, or of several that no one amount is. */
  feeWrong?: string
  /** Where it went: an IBAN, an address, an account; '' = not said. */
  account: string
  externalId: string
  reason: string
}

/** What is said of a whole file, which is named as we named it, and how much it was; null = not said. */
export type Whole = Pick<
  ResultRow,
  'status' | 'said' | 'amount' | 'amountWrong' | 'currency' | 'reason' | 'fee' | 'feeCurrency' | 'feeWrong'
> & {
  fileId: string
}

/** What a bank or payment system says of a file: payment by payment, or of all of it. */
export type Result = {
  format: 'pain002' | 'camt' | 'csv'
  rows: ResultRow[]
  wholes: Whole[]
  /** A statement of an account, most of whose entries are none of ours. */
  isStatement: boolean
}
