import { groupBy, isLeadSum, NOTHING, type BranchContext } from './branch.ts'
import { keyExpression, type ExpressionContext } from './expression.ts'
import { leadConditions, restrictions, typeExpression, within } from './restriction.ts'
import type { LeadSum } from './sums.ts'

const SESSION = `kind = 'session'`
const SEND = `kind = 'send'`
/** What an advertiser answered; the others are under way, were lost, or never came through. */
const ANSWERED = `${SEND} AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')`
const SOLD = `('accepted', 'converted', 'closed')`
const REFUSED = `('rejected', 'unsold')`

const SUMS: Readonly<Record<LeadSum, string>> = {
  leads: `sumIf(toInt64(sign), ${SESSION})`,
  leads_accepted: `sumIf(toInt64(sign), ${SESSION} AND status IN ${SOLD})`,
  leads_rejected: `sumIf(toInt64(sign), ${SESSION} AND status IN ${REFUSED})`,
  leads_duplicate: `sumIf(toInt64(sign), ${SESSION} AND status = 'duplicate')`,
  leads_waiting: `sumIf(toInt64(sign), ${SESSION} AND status IN ('received', 'held', 'queued', 'ambiguous'))`,
  sends: `sumIf(toInt64(sign), ${SEND})`,
  sends_accepted: `sumIf(toInt64(sign), ${SEND} AND outcome = 'accepted')`,
  answered: `sumIf(toInt64(sign), ${ANSWERED})`,
  answer_ms: `sumIf(sign * toInt64(ms), ${ANSWERED})`,
}

/** User sessions and their sends added up by the keys of a report; each delta counts with its sign. */
export function leadBranch(context: BranchContext): string {
  const { plan, bound, wanted } = context
  const column = plan.time === 'click' ? 'session_ts' : 'ts'
  const expressions: ExpressionContext = {
    side: 'lead',
    seconds: `toUnixTimestamp(${column})`,
    steps: context.stepParameters,
    lookups: plan.lookups,
    parameters: bound,
  }
  const type = typeExpression(plan.ofType, bound)
  const where = [
    within(column, plan, bound),
    ...(type === null ? [] : [type]),
    ...(plan.groups.includes('send_outcome') ? [SEND] : []),
    ...restrictions(plan, leadConditions(plan.conditions), expressions),
  ]
  const columns = [
    ...plan.groups.map((group, index) => `${keyExpression(group, expressions)} AS k${index}`),
    ...wanted.map((sum) => `${sum === 'last' ? 'max(toUnixTimestamp(ts))' : isLeadSum(sum) ? SUMS[sum] : NOTHING[sum]} AS c_${sum}`),
    ...(plan.rates === null ? [] : ['toInt64(0) AS c_unrated']),
  ]
  return `SELECT ${columns.join(', ')} FROM session_fact WHERE ${where.join(' AND ')}${groupBy(plan.groups)}`
}
