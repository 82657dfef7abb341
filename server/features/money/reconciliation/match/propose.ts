import type { ReconciliationCause } from '#contract/money/reconciliation-cause.ts'
import { isLost } from '#server/rules/conversion/conversion-status.ts'
import type { Compare } from './compare.ts'
import { fits } from './keys.ts'
import type { MatchedRow, OurConversion, TheirLine } from './sides.ts'

export type Proposed = Pick<MatchedRow, 'proposal' | 'status' | 'amount' | 'becomesCorrection'>

/** Refusals of what was not understood: the report says it again, in words that are. All others are our own rules. */
const UNDERSTOOD_NOW: readonly string[] = [
  'token_wrong',
  'signature_wrong',
  'signature_stale',
  'ip_not_allowed',
  'body_invalid',
  'body_list',
  'body_nested',
  'body_unread',
  'method_unread',
  'path_unknown',
  'placeholder',
  'ambiguous',
  'click_id_elsewhere',
  'goal_unknown',
  'status_unknown',
  'status_missing',
  'amount_unknown',
  'amount_ambiguous',
  'amount_invalid',
  'currency_unknown',
  'rate_missing',
  'transaction_id_missing',
  'transaction_id_invalid',
]

const nothing = (proposal: 'none' | 'ask'): Proposed => ({ proposal, status: null, amount: null, becomesCorrection: false })

/** What a line makes of its conversion. */
export function proposeOfPair(line: TheirLine, our: OurConversion, compare: Compare): Proposed {
  const isGone = isLost(our.status)
  if (our.test) return nothing(line.status === 'approved' ? 'ask' : 'none')
  if (line.status === 'declined')
    return isGone ? nothing('none') : { proposal: 'decline', status: 'declined', amount: null, becomesCorrection: our.invoiced }
  if (isGone && line.status === null) return nothing('none')
  // of another goal other terms hold: a person says which is right
  if (!fits(line, our)) return nothing('ask')
  const compared = compare.amounts(line, our)
  if (compared.is === 'currency') return nothing('ask')
  const amount = compared.is === 'other' ? compared.amount : null
  const correction = { amount, becomesCorrection: our.invoiced && amount !== null }
  if (line.status === 'approved') {
    if (isGone && !(our.status === 'declined' && our.decidedBy === 'postback')) return nothing('ask')
    if (our.status !== 'approved') return { proposal: 'approve', status: 'approved', amount, becomesCorrection: our.invoiced }
  } else if (line.status === 'pending' && our.status !== 'pending') return nothing('ask')
  return amount === null ? nothing('none') : { proposal: 'correct', status: null, ...correction }
}

/** What a line makes of nothing: a conversion by the terms of its time, where its click is known and no rule of ours refused it. */
export function proposeOfLine(
  line: TheirLine,
  { cause, detail }: { cause: ReconciliationCause | null; detail: string },
  { again, isClickKnown, isConverted }: { again?: TheirLine; isClickKnown: boolean; isConverted: boolean },
): Proposed {
  // the first counts: one that says something else is asked about
  if (again !== undefined) return nothing(again.status === line.status && again.amount === line.amount ? 'none' : 'ask')
  if (line.status === 'declined') return nothing('none')
  const isRefused = cause === 'refused' && !UNDERSTOOD_NOW.includes(detail)
  const mayCreate = line.status === 'approved' && isClickKnown && !line.goalUnknown && !isRefused && !isConverted
  return mayCreate && cause !== 'test' ? { proposal: 'create', status: 'approved', amount: null, becomesCorrection: false } : nothing('ask')
}

/** What silence makes of a conversion: nothing; where money is waited for a person is asked. */
export function proposeOfOurs({ status }: OurConversion, cause: ReconciliationCause | null): Proposed {
  const isAsked = cause !== null && cause !== 'test' && cause !== 'time_zone' && (status === 'approved' || status === 'hold')
  return nothing(isAsked ? 'ask' : 'none')
}
