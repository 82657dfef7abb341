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
