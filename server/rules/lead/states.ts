import type { LeadHistoryStatus } from '#contract/leads/lead-history.ts'
import { TAKEN_LEADS, type LeadStatus } from '#contract/leads/lead.ts'

/*
 * Which states of leads and of their sends are asked for together, each set by what it means. Nothing else lists them, so that a new
 * state is put where it belongs once.
 */

/** Sends by which an advertiser has said yes to a lead. */
export const TOOK = ['accepted', 'pending', 'approved'] as const satisfies readonly LeadHistoryStatus[]
/** Those by which it has the lead, or may: it may still say something of it. */
export const HOLDS = [...TOOK, 'ambiguous'] as const
/** Those by which it has the lead, may have it, or is being asked: one of a lead at most, as the index `lead_send_one` says. */
export const HAS_IT = ['sending', ...HOLDS] as const
/** Those after which it knows the person: it said so even where it did not take them. */
export const KNOWS = [...HAS_IT, 'duplicate'] as const
/** Those after which a second sale does not ask it again: it was told of the person and gave its answer, a refusal too. */
export const WAS_OFFERED = [...KNOWS, 'rejected'] as const
/** Those by which it refused the lead. */
export const REFUSED = ['rejected', 'duplicate'] as const satisfies readonly LeadHistoryStatus[]
/** Those that are not made again: it was said of the lead itself, or the lead lacks what that system asks for. */
const VERDICTS = [...REFUSED, 'invalid'] as const

/** Leads that may be offered to somebody now or later. */
export const OFFERED = ['received', 'queued'] as const satisfies readonly LeadStatus[]
/** Those nothing was decided about: a person looks at them first, or they wait. */
export const UNDECIDED = [...OFFERED, 'held'] as const
/** Those whose end nobody knows yet. */
export const OPEN_LEADS = [...UNDECIDED, 'ambiguous'] as const
/** Those that came to something, or may still: the same person is not new beside them. */
export const COUNTED_AGAIN = [...OPEN_LEADS, ...TAKEN_LEADS] as const

export const took = within(TOOK)
export const holds = within(HOLDS)
export const hasIt = within(HAS_IT)
export const isVerdict = within(VERDICTS)
export const isOffered = within(OFFERED)
export const isOpenLead = within(OPEN_LEADS)
export const isTakenLead = within(TAKEN_LEADS)
export const isCountedAgain = within(COUNTED_AGAIN)

/** Asks whether a state is one of a set. */
function within(states: readonly string[]): (state: string) => boolean {
  const all = new Set(states)
  return (state) => all.has(state)
}
