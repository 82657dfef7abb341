/** What a proposal without an invoice books when it is confirmed, beside its amount and its note. */
export type ProposalAsked = {
  /** Day of the network's zone from which on it counts. */
  day: string
  internal_note: string
  /** Of a payment in advance. */
  payment?: { source_id: number; external_id: string; moved: { currency: string; amount: string; sure?: boolean } | null }
}
