import type { DimensionId } from '#contract/traffic/dimension.ts'
import { isKnownBy } from '#contract/traffic/report.ts'
import { startsOf, type ExpressionContext } from './expression.ts'
import type { Parameters } from './parameters.ts'
import type { Lookups, ReportPlan, RowScope } from './plan.ts'
import { GRAINS, stepsOf, weekdaysOf, type Step } from './steps.ts'
import type { Side } from '#contract/traffic/metric.ts'
import { CLICK_SUMS, LEAD_SUMS, type AskedSum, type ClickSum, type LeadSum, type Sides } from './sums.ts'

/** What both branches of a report's statement are made from. */
export type BranchContext = {
  plan: ReportPlan
  bound: Parameters
  steps: ReadonlyMap<DimensionId, Step[]>
  /** The columns of every branch after its keys, in order. */
  wanted: readonly AskedSum[]
  stepParameters: ExpressionContext['steps']
}

/** The steps of each time grouping of a plan. */
export function stepsFor(plan: ReportPlan): Map<DimensionId, Step[]> {
  const steps = new Map<DimensionId, Step[]>()
  for (const group of plan.groups) {
    const grain = group === 'weekday' ? 'day' : GRAINS.find((one) => one === group)
    if (group === 'day' && plan.cuts !== undefined)
      steps.set(
        group,
        plan.cuts.map((start) => ({ start, id: String(start) })),
      )
    else if (grain !== undefined) steps.set(group, stepsOf(grain, plan.range, plan.zone, plan.firstDay))
  }
  return steps
}

/** The same as parameters of the statement. */
export function stepParameters(bound: Parameters, steps: ReadonlyMap<DimensionId, Step[]>): ExpressionContext['steps'] {
  const made = new Map(
    [...steps].map(([dimension, list]) => {
      const starts = bound.add('Array(UInt32)', startsOf(list))
      return [dimension, { starts, weekdays: dimension === 'weekday' ? bound.add('Array(UInt8)', weekdaysOf(list)) : '' }]
    }),
  )
  return (dimension) => made.get(dimension) ?? { starts: '[]', weekdays: '[]' }
}

/** Which sides a report draws on: those its metrics need and every grouping has. */
export function sidesOf(groups: readonly DimensionId[], sums: readonly AskedSum[], narrowed: readonly DimensionId[] = []): Sides {
  const has = (side: Side) => isKnownBy(side, groups, narrowed)
  const asked = (side: Side) => has(side) && sums.some((sum) => sum !== 'last' && sideOf(sum) === side)
  const sides = { click: asked('click'), conversion: asked('conversion'), lead: asked('lead') }
  if (sides.click || sides.conversion || sides.lead) return sides
  // Asked only for what the grouping lacks: its keys are shown all the same.
  const first = (['click', 'conversion', 'lead'] as const).find(has)
  return { click: first === 'click', conversion: first === 'conversion', lead: first === 'lead' }
}

/** What tells that a key of a side has rows, where none of its figures is asked for. Affiliates hear nothing of sends. */
export function presenceOf(sides: Sides, { asAffiliate }: Lookups): AskedSum[] {
  if (sides.click) return ['clicks', 'refused', 'filtered']
  if (sides.conversion) return ['conversions', 'declined', 'trash']
  return asAffiliate ? ['leads'] : ['leads', 'sends']
}

/** What a sum is made from. */
export function sideOf(sum: Exclude<AskedSum, 'last'>): Side {
  if (isClickSum(sum)) return 'click'
  return isLeadSum(sum) ? 'lead' : 'conversion'
}

/** Whether a sum is made from clicks. */
export function isClickSum(sum: AskedSum): sum is ClickSum {
  return CLICK_SUMS.some((click) => click === sum)
}

/** Whether a sum is made from leads; those that neither are made from conversions. */
export function isLeadSum(sum: AskedSum): sum is LeadSum {
  return LEAD_SUMS.some((lead) => lead === sum)
}

/** What stands in a branch for the sums of the other one: the same type, and nothing in it. */
export const NOTHING: Readonly<Record<AskedSum, string>> = {
  clicks: 'toUInt64(0)',
  uniques: `arrayReduce('uniqCombinedState(14)', emptyArrayUInt64())`,
  refused: 'toUInt64(0)',
  filtered: 'toUInt64(0)',
  conversions: 'toInt64(0)',
  lead_results: 'toInt64(0)',
  approved: 'toInt64(0)',
  hold: 'toInt64(0)',
  pending: 'toInt64(0)',
  declined: 'toInt64(0)',
  trash: 'toInt64(0)',
  seconds: 'toInt64(0)',
  payout: 'toInt256(0)',
  hold_payout: 'toInt256(0)',
  pending_payout: 'toInt256(0)',
  pending_revenue: 'toInt256(0)',
  revenue: 'toInt256(0)',
  leads: 'toInt64(0)',
  leads_accepted: 'toInt64(0)',
  leads_rejected: 'toInt64(0)',
  leads_duplicate: 'toInt64(0)',
  leads_waiting: 'toInt64(0)',
  sends: 'toInt64(0)',
  sends_accepted: 'toInt64(0)',
  answered: 'toInt64(0)',
  answer_ms: 'toInt64(0)',
  last: 'toUInt32(0)',
}

/** The end of a branch: its keys. */
export function groupBy(groups: readonly DimensionId[]): string {
  return groups.length === 0 ? '' : ` GROUP BY ${groups.map((_group, index) => `k${index}`).join(', ')}`
}

/** Every moment a plan cuts at, in seconds. */
export function cutsOf({ plan, steps }: BranchContext): number[] {
  return [plan.range.from / 1000, plan.range.to / 1000, ...[...steps.values()].flatMap(startsOf)]
}

/** The columns a scope is told by. */
export function scopeColumns(scope: RowScope): string[] {
  const columns = []
  if (scope.kind === 'affiliate' || (scope.kind === 'partners' && scope.affiliates.length > 0)) columns.push('affiliate')
  if (scope.kind === 'partners' && scope.advertisers.length > 0) columns.push('advertiser')
  return columns
}

/** Up to so many affiliates are read from the raw rows, whose order serves them. */
const FEW = 3

/** Whether a plan reads the rows of a few affiliates only. */
export function isFewAffiliates({ scope, conditions }: ReportPlan): boolean {
  return (
    scope.kind === 'affiliate' ||
    (scope.kind === 'partners' && scope.advertisers.length === 0 && scope.affiliates.length <= FEW) ||
    conditions.some(({ dimension, is, contains, not }) => dimension === 'affiliate' && is.length <= FEW && !contains && !not)
  )
}
