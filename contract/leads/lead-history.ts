import { z } from 'zod'

/**
 * What became of a lead at the products it was offered to, in the words of the history of its sends. queued: it waits to be offered again;
 * skipped: every product was passed over, so nothing was sent; sending: there is no answer yet; accepted: it was taken, pending: its call
 * centre works on it, approved: it came to money; invalid: it lacks what that system asks for, so nothing was sent there.
 */
export const LEAD_HISTORY_STATUSES = [
  'queued',
  'sending',
  'accepted',
  'pending',
  'approved',
  'rejected',
  'duplicate',
  'invalid',
  'no_capacity',
  'error',
  'ambiguous',
  'skipped',
  'cancelled',
] as const
export const leadHistoryStatus = z.enum(LEAD_HISTORY_STATUSES)
export type LeadHistoryStatus = z.output<typeof leadHistoryStatus>
