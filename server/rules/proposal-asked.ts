/** What a proposal without an invoice books when it is confirmed, beside its amount and its note. */
export type GivenAsked = {
  /** Day of the network's zone from which on it counts. */
  day: string
  internal_note: string
  /** What the call asked for, short: its key names it. */
  digest?: string
  /** Of a payment in advance. */
  payment?: { source_id: number; external_id: string; moved: { currency: string; amount: string; sure?: boolean } | null }
}
/** A payment of an invoice, more than which is open, as it was asked for. */
export type AdvanceAsked = {
  advance: {
    call: string
    amount: string
    day: string
    source_id: number
    external_id: string
    note: string
    settled: boolean
    in_advance: boolean
    without_own_invoice: boolean
    /** Older ones say nothing of it. */
    leave_debt?: boolean
    moved: { currency: string; amount: string; sure: boolean } | null
    charged: string
    fee: string
    fee_sure: boolean
  }
}
/** What is said to have come in from an advertiser, as it was asked for. */
export type ReceiptAsked = {
  receipt: {
    /** What the call asked for, short: its key names it. */
    digest: string
    day: string
    source_id: number
    external_id: string
    note: string
    moved: { currency: string; amount: string; sure: boolean } | null
    short: boolean
    /** null = the oldest invoices first, at the moment it is confirmed. */
    parts: { invoice_uuid: string; amount: string }[] | null
  }
}
/** What becomes of the rule of two people; older ones say nothing of receipts. */
export type RulesAsked = { rules: { four_eyes: boolean; four_eyes_limit: string; receipt_limit?: string } }
export type ProposalAsked = GivenAsked | AdvanceAsked | ReceiptAsked | RulesAsked
