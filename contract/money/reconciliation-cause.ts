import { z } from 'zod'

/** Why a line of an advertiser's report and what we have differ; the first that fits counts, in this order. */
export const RECONCILIATION_CAUSES = [
  'test',
  'duplicate_theirs',
  'duplicate_ours',
  'time_zone',
  'refused',
  // the click is of a lead, which says what came of it: its number is the detail
  'lead_not_taken',
  'lead_open',
  'lead_not_sent',
  'unmatched',
  'late',
  'early',
  'cap',
  'status',
  'amount',
  'currency',
  'goal',
  'never_reported',
  'not_in_report',
  'unknown',
] as const
export const reconciliationCause = z.enum(RECONCILIATION_CAUSES)
export type ReconciliationCause = z.output<typeof reconciliationCause>
/** Those whose detail is the number of a lead, by how it stands with the advertiser. */
export const LEAD_CAUSES = { not_taken: 'lead_not_taken', open: 'lead_open', not_sent: 'lead_not_sent' } as const satisfies Record<
  string,
  ReconciliationCause
>

/** Whether a cause is about a lead. */
export function isOfLead(cause: ReconciliationCause | null): boolean {
  return Object.values(LEAD_CAUSES).some((one) => one === cause)
}

/** What is proposed of a difference; `ask` = a person has to say, `none` = nothing is to be changed. */
export const RECONCILIATION_PROPOSALS = ['none', 'approve', 'create', 'decline', 'correct', 'ask'] as const
export const reconciliationProposal = z.enum(RECONCILIATION_PROPOSALS)
export type ReconciliationProposal = z.output<typeof reconciliationProposal>

/** By what a line was found to be about a conversion; `ambiguous` = several are as like, and none was taken. */
export const RECONCILIATION_KEYS = ['transaction', 'transaction_case', 'click', 'aff_click', 'likeness', 'ambiguous'] as const
export const reconciliationKey = z.enum(RECONCILIATION_KEYS)
export type ReconciliationKey = z.output<typeof reconciliationKey>
