import { dimensionOf } from '#contract/traffic/dimension.ts'
import { conditionExpression, type ExpressionContext } from './expression.ts'
import type { Parameters } from './parameters.ts'
import type { Condition, OfType, ReportPlan, RowScope } from './plan.ts'

/** What every row of a branch must be beside its time: in the caller's scope, as filtered, as searched for. */
export function restrictions(plan: ReportPlan, conditions: readonly Condition[], expressions: ExpressionContext): string[] {
  const all = conditions.map((condition) => conditionExpression(condition, expressions))
  const scope = scopeExpression(plan.scope, expressions.parameters)
  if (scope !== null) all.unshift(scope)
  if (plan.search.length > 0) all.push(`(${plan.search.map((condition) => conditionExpression(condition, expressions)).join(' OR ')})`)
  return all
}

/** Rows of the plan's range by a column of milliseconds. */
export function within(column: 'ts' | 'click_ts' | 'session_ts', { range }: ReportPlan, bound: Parameters): string {
  return `${column} >= fromUnixTimestamp64Milli(${bound.add('Int64', range.from)}, 'UTC') AND ${column} < fromUnixTimestamp64Milli(${bound.add('Int64', range.to)}, 'UTC')`
}

/** Rows of the plan's range in a roll-up. */
export function withinQuarters({ range }: ReportPlan, bound: Parameters): string {
  return `quarter >= toDateTime(${bound.add('UInt32', range.from / 1000)}, 'UTC') AND quarter < toDateTime(${bound.add('UInt32', range.to / 1000)}, 'UTC')`
}

/** The rows a caller may see; null = all of them. */
export function scopeExpression(scope: RowScope, bound: Parameters): string | null {
  if (scope.kind === 'all') return null
  if (scope.kind === 'affiliate') return `affiliate = ${bound.add('UInt32', scope.affiliate)}`
  const sides = [
    ...(scope.affiliates.length > 0 ? [`affiliate IN ${bound.add('Array(UInt32)', scope.affiliates)}`] : []),
    ...(scope.advertisers.length > 0 ? [`advertiser IN ${bound.add('Array(UInt32)', scope.advertisers)}`] : []),
  ]
  return sides.length === 0 ? '0' : `(${sides.join(' OR ')})`
}

/** Whether a question tells offers of leads from others: where there are none, everything is of direct links. */
export function tellsTypes(asked: OfType | undefined): asked is OfType {
  return asked !== undefined && (asked.type === 'api' || asked.leads.length > 0)
}

/** Rows of offers of one type; null = of whatever type. `byAffiliate`: of the roll-up that keeps no offers. */
export function typeExpression(asked: OfType | undefined, bound: Parameters, byAffiliate = false): string | null {
  if (!tellsTypes(asked)) return null
  const { type, leads } = asked
  if (byAffiliate) return type === 'api' ? 'leads = 1' : 'leads = 0'
  if (leads.length === 0) return '0'
  return `offer ${type === 'api' ? 'IN' : 'NOT IN'} ${bound.add('Array(UInt32)', leads)}`
}

/** Leads and conversions of the traffic a plan is about. */
export function trafficConditions({ traffic }: ReportPlan): string[] {
  return traffic === undefined ? [] : [`traffic = '${traffic}'`]
}

/** Goals are of conversions only: a filter by them leaves the clicks alone, so that "deposits per click" can be asked. Products are of leads. */
export function clickConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ dimension }) => (dimensionOf(dimension).side ?? 'click') === 'click')
}

/** Reasons of refusal are of clicks only, products of leads. */
export function factConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ dimension }) => (dimensionOf(dimension).side ?? 'conversion') === 'conversion')
}

/** Neither goals nor reasons of refusal are of leads. */
export function leadConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ dimension }) => (dimensionOf(dimension).side ?? 'lead') === 'lead')
}
