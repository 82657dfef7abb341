import { cutsOf, groupBy, isClickSum, isFewAffiliates, NOTHING, scopeColumns, type BranchContext } from '../branch.ts'
import { columnOf, keyExpression, type ExpressionContext } from '../expression.ts'
import { clickConditions, restrictions, tellsTypes, typeExpression, within, withinQuarters } from '../restriction.ts'
import { chooseSource, LEADS, type ClickSource } from '../source.ts'
import type { ClickSum } from '../sums.ts'

/** Clicks added up by the keys of a report, from the table `clickSource` chose. */
export function clickBranch(context: BranchContext, source: ClickSource): string {
  const { plan, bound, wanted } = context
  const expressions: ExpressionContext = {
    side: 'click',
    seconds: source.raw ? 'toUnixTimestamp(ts)' : 'toUnixTimestamp(quarter)',
    steps: context.stepParameters,
    lookups: plan.lookups,
    parameters: bound,
  }
  const sums: Readonly<Record<ClickSum, string>> = source.raw ? RAW_SUMS : ROLLED_SUMS
  const last = source.raw ? `maxIf(toUnixTimestamp(ts), ${COUNTED})` : 'maxIf(toUnixTimestamp(quarter), clicks > 0)'
  const type = typeExpression(plan.ofType, bound, source.table === 'click_by_affiliate')
  const where = [
    source.raw ? within('ts', plan, bound) : withinQuarters(plan, bound),
    ...(source.raw ? ['bitAnd(flags, 8) = 0'] : []),
    ...(plan.groups.includes('reason') ? [`bitAnd(flags, 7) = 0 AND reason != ''`] : []),
    ...(type === null ? [] : [type]),
    // nobody clicks for a second sale
    ...(plan.traffic === 'cold' ? ['0'] : []),
    ...restrictions(plan, clickConditions(plan.conditions), expressions),
  ]
  const columns = [
    ...plan.groups.map((group, index) => `${keyExpression(group, expressions)} AS k${index}`),
    ...wanted.map((sum) => `${sum === 'last' ? last : isClickSum(sum) ? sums[sum] : NOTHING[sum]} AS c_${sum}`),
    ...(plan.rates === null ? [] : ['toInt64(0) AS c_unrated']),
  ]
  return `SELECT ${columns.join(', ')} FROM ${source.table} WHERE ${where.join(' AND ')}${groupBy(plan.groups)}`
}

const COUNTED = `bitAnd(flags, 7) = 0 AND reason = ''`
const RAW_SUMS = {
  clicks: `countIf(${COUNTED})`,
  uniques: `uniqCombinedStateIf(14)(visitor, ${COUNTED})`,
  refused: `countIf(bitAnd(flags, 7) = 0 AND reason != '')`,
  filtered: 'countIf(bitAnd(flags, 7) != 0)',
} as const
const ROLLED_SUMS = {
  clicks: 'sum(clicks)',
  uniques: 'uniqCombinedMergeState(14)(visitors)',
  refused: 'sum(refused)',
  filtered: 'sum(filtered)',
} as const

/** The narrowest table of clicks that holds everything a report groups, filters, searches and scopes by. */
export function clickSource(context: BranchContext): ClickSource {
  const { plan, wanted } = context
  const dimensions = [
    ...plan.groups,
    ...clickConditions(plan.conditions).map((condition) => condition.dimension),
    ...plan.search.map((condition) => condition.dimension),
  ]
  const columns = new Set(dimensions.map(columnOf).filter((column) => column !== null))
  if (wanted.includes('uniques')) columns.add('visitor')
  if (tellsTypes(plan.ofType)) columns.add(LEADS)
  for (const column of scopeColumns(plan.scope)) columns.add(column)
  return chooseSource({ columns, bounds: cutsOf(context), fewAffiliates: isFewAffiliates(plan) })
}
