/** What is said of one payment. */
export type ResultRow = {
  reference: string
  /** `pending` changes nothing; `unknown` is asked about. */
  status: 'settled' | 'failed' | 'returned' | 'pending' | 'unknown'
  /** In their own word. */
  said: string
  amount: string | null
  currency: string
  fee: string | null
  externalId: string
  reason: string
}

/** What a bank or payment system says of a file: payment by payment, or of all of it. */
export type Result = {
  format: 'pain002' | 'csv'
  rows: ResultRow[]
  /** Said of the whole file, which is named as we named it. */
  whole: { fileId: string; status: ResultRow['status']; reason: string } | null
}
