import type { DimensionId } from '#contract/traffic/dimension.ts'
import { cutsOf, groupBy, isFewAffiliates, isLeadSum, NOTHING, scopeColumns, type BranchContext } from './branch.ts'
import { columnOf, keyExpression, type ExpressionContext } from './expression.ts'
import { chooseLeadSource, type LeadSource } from './lead-source.ts'
import { leadConditions, restrictions, tellsTypes, trafficConditions, typeExpression, within, withinQuarters } from './restriction.ts'
import type { LeadSum } from './sums.ts'
import { TAKEN_LEADS } from '#contract/leads/lead.ts'
import { OPEN_LEADS } from '#server/rules/lead/states.ts'

const SESSION = `kind = 'session'`
const SEND = `kind = 'send'`
/** What an advertiser answered; the others are under way, were lost, or never came through. */
const ANSWERED = `${SEND} AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')`
const SOLD = listed(TAKEN_LEADS)
const REFUSED = `('rejected', 'unsold')`

const SUMS: Readonly<Record<LeadSum, string>> = {
  leads: `sumIf(toInt64(sign), ${SESSION})`,
  leads_accepted: `sumIf(toInt64(sign), ${SESSION} AND status IN ${SOLD})`,
  leads_rejected: `sumIf(toInt64(sign), ${SESSION} AND status IN ${REFUSED})`,
  leads_duplicate: `sumIf(toInt64(sign), ${SESSION} AND status = 'duplicate')`,
  leads_waiting: `sumIf(toInt64(sign), ${SESSION} AND status IN ${listed(OPEN_LEADS)})`,
  sends: `sumIf(toInt64(sign), ${SEND})`,
  sends_accepted: `sumIf(toInt64(sign), ${SEND} AND outcome = 'accepted')`,
  answered: `sumIf(toInt64(sign), ${ANSWERED})`,
  answer_ms: `sumIf(sign * toInt64(ms), ${ANSWERED})`,
}

/** Read of the raw rows, which the roll-ups are made of by the same words. */
const OF_SENDS: readonly LeadSum[] = ['sends', 'sends_accepted', 'answered', 'answer_ms']

/** User sessions and their sends added up by the keys of a report, from the table `leadSource` chose; each delta counts with its sign. */
export function leadBranch(context: BranchContext, source: LeadSource): string {
  const { plan, bound, wanted } = context
  const column = plan.time === 'click' ? 'session_ts' : 'ts'
  const moment = source.raw ? column : 'quarter'
  const expressions: ExpressionContext = {
    side: 'lead',
    seconds: `toUnixTimestamp(${moment})`,
    steps: context.stepParameters,
    lookups: plan.lookups,
    parameters: bound,
  }
  const type = source.offers ? typeExpression(plan.ofType, bound) : typeOfLeads(context)
  const where = [
    source.raw ? within(column, plan, bound) : withinQuarters(plan, bound),
    ...(type === null ? [] : [type]),
    ...trafficConditions(plan),
    ...(plan.groups.includes('send_outcome') ? [SEND] : []),
    ...restrictions(plan, leadConditions(plan.conditions), expressions),
  ]
  const sumOf = (sum: LeadSum) => (source.raw ? SUMS[sum] : `sum(${sum})`)
  const last = source.raw ? 'max(toUnixTimestamp(ts))' : 'max(toUnixTimestamp(quarter))'
  const columns = [
    ...plan.groups.map((group, index) => `${keyExpression(group, expressions)} AS k${index}`),
    ...wanted.map((sum) => `${sum === 'last' ? last : isLeadSum(sum) ? sumOf(sum) : NOTHING[sum]} AS c_${sum}`),
    ...(plan.rates === null ? [] : ['toInt64(0) AS c_unrated']),
  ]
  return `SELECT ${columns.join(', ')} FROM ${source.table} WHERE ${where.join(' AND ')}${groupBy(plan.groups)}`
}

/** The narrowest table of leads that holds everything a report groups, filters, searches and scopes by. */
export function leadSource(context: BranchContext): LeadSource {
  const { plan, wanted } = context
  const dimensions = [
    ...plan.groups,
    ...leadConditions(plan.conditions).map(({ dimension }) => dimension),
    ...plan.search.map(({ dimension }) => dimension),
  ]
  const columns = new Set([...dimensions.map(leadColumn).filter((column) => column !== null), ...scopeColumns(plan.scope)])
  // a session's own time is both; sends are rolled up by the time they were made
  const rowTime = plan.time !== 'click' || !wanted.some((sum) => sum === 'last' || OF_SENDS.some((one) => one === sum))
  return chooseLeadSource({ columns, bounds: cutsOf(context), rowTime, fewAffiliates: isFewAffiliates(plan) })
}

/** What became of leads is grouped by and not filtered by, so that `columnOf` does not know it. */
function leadColumn(dimension: DimensionId): string | null {
  if (dimension === 'lead_status') return 'status'
  if (dimension === 'lead_reason') return 'reason'
  return dimension === 'send_outcome' ? 'outcome' : columnOf(dimension)
}

/** Where no offers are kept: every session is of an offer of leads. */
function typeOfLeads({ plan: { ofType } }: BranchContext): string | null {
  return tellsTypes(ofType) && (ofType.type !== 'api' || ofType.leads.length === 0) ? '0' : null
}

/** States as ClickHouse reads a list of them. */
function listed(states: readonly string[]): string {
  return `('${states.join("', '")}')`
}
