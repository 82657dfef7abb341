import { dimensionOf, type DimensionId } from '#contract/dimension.ts'
import { columnOf, conditionExpression, keyExpression, startsOf, type ExpressionContext } from './expression.ts'
import { parameters, type Parameters } from './parameters.ts'
import type { Condition, ReportPlan, RowScope } from './plan.ts'
import { chooseSource, type ClickSource } from './source.ts'
import { GRAINS, stepsOf, weekdaysOf, type Step } from './steps.ts'
import { CLICK_SUMS, orderBy, RATE_SCALE, sumsOf, type FACT_SUMS, type Sides, type SumId } from './sums.ts'

export type ReportStatement = {
  query: string
  values: Record<string, unknown>
  /** The columns of the result after the keys, in order; one more, last, lists currencies without a rate. */
  sums: SumId[]
  sides: Sides
  source: string
  /** The steps of each time grouping, to tell what a key means. */
  steps: ReadonlyMap<DimensionId, Step[]>
}

/** Up to so many affiliates are read from the raw rows, whose order serves them. */
const FEW = 3

/**
 * The one statement that answers a plan: clicks from the narrowest table that will do and conversion facts, each added up
 * by the keys, put below each other and added up again (a join would have to guess which side knows a key).
 * `WITH TOTALS` gives the figures of the whole result in the same pass.
 */
export function reportStatement(plan: ReportPlan): ReportStatement {
  const sums = sumsOf(plan.metrics)
  const sides = sidesOf(plan.groups, sums)
  const wanted = sums.filter((sum) => (isClickSum(sum) ? sides.click : sides.conversion))
  const bound = parameters()
  const steps = stepsFor(plan)
  const source = sourceFor(plan, wanted, steps)
  const context = { plan, bound, steps, wanted, stepParameters: stepParameters(bound, steps) }
  const branches = [...(sides.click ? [clickBranch(context, source)] : []), ...(sides.conversion ? [factBranch(context)] : [])]
  const keys = plan.groups.map((_group, index) => `k${index}`)
  const columns = [...keys, ...wanted.map((sum) => `${outerSum(sum)} AS s_${sum}`), 'groupUniqArrayArray(c_rateless) AS s_rateless']
  const grouped =
    keys.length === 0
      ? ''
      : `GROUP BY ${keys.join(', ')} WITH TOTALS HAVING ${[...wanted.map((sum) => `s_${sum} != 0`), 'notEmpty(s_rateless)'].join(' OR ')}`
  const query = `SELECT ${columns.join(', ')}
FROM (
${branches.join('\nUNION ALL\n')}
)
${grouped}
ORDER BY ${order(plan, bound, keys)}
LIMIT ${bound.add('UInt32', plan.limit)} OFFSET ${bound.add('UInt64', plan.offset)}`
  return { query, values: bound.values, sums: wanted, sides, source: sides.click ? source.table : 'conversion_fact', steps }
}

type Context = {
  plan: ReportPlan
  bound: Parameters
  steps: ReadonlyMap<DimensionId, Step[]>
  wanted: SumId[]
  stepParameters: ExpressionContext['steps']
}

/** Which sides a report draws on: those its metrics need and every grouping has. */
function sidesOf(groups: readonly DimensionId[], sums: readonly SumId[]): Sides {
  const has = (side: 'click' | 'conversion') => groups.every((group) => (dimensionOf(group).side ?? side) === side)
  const sides = { click: has('click') && sums.some(isClickSum), conversion: has('conversion') && sums.some((sum) => !isClickSum(sum)) }
  // Asked only for what the grouping lacks: its keys are shown all the same.
  return sides.click || sides.conversion ? sides : { click: has('click'), conversion: !has('click') }
}

function isClickSum(sum: SumId): boolean {
  return CLICK_SUMS.some((click) => click === sum)
}

function stepsFor(plan: ReportPlan): Map<DimensionId, Step[]> {
  const steps = new Map<DimensionId, Step[]>()
  for (const group of plan.groups) {
    const grain = group === 'weekday' ? 'day' : GRAINS.find((one) => one === group)
    if (group === 'day' && plan.cuts !== undefined)
      steps.set(
        group,
        plan.cuts.map((start) => ({ start, id: String(start) })),
      )
    else if (grain !== undefined) steps.set(group, stepsOf(grain, plan.range, plan.zone))
  }
  return steps
}

function stepParameters(bound: Parameters, steps: ReadonlyMap<DimensionId, Step[]>): ExpressionContext['steps'] {
  const made = new Map(
    [...steps].map(([dimension, list]) => {
      const starts = bound.add('Array(UInt32)', startsOf(list))
      return [dimension, { starts, weekdays: dimension === 'weekday' ? bound.add('Array(UInt8)', weekdaysOf(list)) : '' }]
    }),
  )
  return (dimension) => made.get(dimension) ?? { starts: '[]', weekdays: '[]' }
}

function sourceFor(plan: ReportPlan, wanted: readonly SumId[], steps: ReadonlyMap<DimensionId, Step[]>): ClickSource {
  const dimensions = [
    ...plan.groups,
    ...clickConditions(plan.conditions).map((condition) => condition.dimension),
    ...plan.search.map((condition) => condition.dimension),
  ]
  const columns = new Set(dimensions.map(columnOf).filter((column) => column !== null))
  if (wanted.includes('uniques')) columns.add('visitor')
  const { scope } = plan
  if (scope.kind === 'affiliate' || (scope.kind === 'partners' && scope.affiliates.length > 0)) columns.add('affiliate')
  if (scope.kind === 'partners' && scope.advertisers.length > 0) columns.add('advertiser')
  const bounds = [plan.range.from / 1000, plan.range.to / 1000, ...[...steps.values()].flatMap(startsOf)]
  const fewAffiliates =
    scope.kind === 'affiliate' ||
    (scope.kind === 'partners' && scope.advertisers.length === 0 && scope.affiliates.length <= FEW) ||
    plan.conditions.some(({ dimension, is, contains }) => dimension === 'affiliate' && is.length <= FEW && !contains)
  return chooseSource({ columns, bounds, fewAffiliates })
}

/** Goals are of conversions only: a filter by them leaves the clicks alone, so that "deposits per click" can be asked. */
function clickConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ dimension }) => dimensionOf(dimension).side !== 'conversion')
}
function factConditions(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ dimension }) => dimensionOf(dimension).side !== 'click')
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
const NOTHING: Readonly<Record<SumId, string>> = {
  clicks: 'toUInt64(0)',
  uniques: `arrayReduce('uniqCombinedState(14)', emptyArrayUInt64())`,
  refused: 'toUInt64(0)',
  filtered: 'toUInt64(0)',
  approved: 'toInt64(0)',
  hold: 'toInt64(0)',
  pending: 'toInt64(0)',
  declined: 'toInt64(0)',
  seconds: 'toInt64(0)',
  payout: 'toDecimal256(0, 4)',
  hold_payout: 'toDecimal256(0, 4)',
  revenue: 'toDecimal256(0, 4)',
}

function clickBranch(context: Context, source: ClickSource): string {
  const { plan, bound, wanted } = context
  const expressions: ExpressionContext = {
    side: 'click',
    seconds: source.raw ? 'toUnixTimestamp(ts)' : 'toUnixTimestamp(quarter)',
    steps: context.stepParameters,
    lookups: plan.lookups,
    parameters: bound,
  }
  const sums = source.raw ? RAW_SUMS : ROLLED_SUMS
  const where = [
    source.raw
      ? within('ts', plan, bound)
      : `quarter >= toDateTime(${bound.add('UInt32', plan.range.from / 1000)}, 'UTC') AND quarter < toDateTime(${bound.add('UInt32', plan.range.to / 1000)}, 'UTC')`,
    ...(source.raw ? ['bitAnd(flags, 8) = 0'] : []),
    ...(plan.groups.includes('reason') ? [`bitAnd(flags, 7) = 0 AND reason != ''`] : []),
    ...restrictions(plan, clickConditions(plan.conditions), expressions),
  ]
  const columns = [
    ...plan.groups.map((group, index) => `${keyExpression(group, expressions)} AS k${index}`),
    ...wanted.map((sum) => `${CLICK_SUMS.some((click) => click === sum) ? sums[sum as keyof typeof sums] : NOTHING[sum]} AS c_${sum}`), // just found among them
    'emptyArrayString() AS c_rateless',
  ]
  return `SELECT ${columns.join(', ')} FROM ${source.table} WHERE ${where.join(' AND ')}${groupBy(plan.groups)}`
}

function factBranch(context: Context): string {
  const { plan, bound, wanted } = context
  const time = plan.time === 'click' ? 'click_ts' : 'ts'
  const expressions: ExpressionContext = {
    side: 'fact',
    seconds: `toUnixTimestamp(${time})`,
    steps: context.stepParameters,
    lookups: plan.lookups,
    parameters: bound,
  }
  const rate = rateExpression(plan, bound)
  const money = (amount: string, statuses: string) => `toDecimal256(sumIf(sign * ${amount}, status IN (${statuses})), 4) * ${rate}`
  const sums: Record<(typeof FACT_SUMS)[number], string> = {
    approved: `sumIf(sign, status = 'approved')`,
    hold: `sumIf(sign, status = 'hold')`,
    pending: `sumIf(sign, status = 'pending')`,
    declined: `sumIf(sign, status = 'declined')`,
    payout: money('payout', `'approved', 'hold'`),
    hold_payout: money('payout', `'hold'`),
    revenue: money('revenue', `'approved', 'hold'`),
    seconds: `sumIf(sign * ttc, status IN ('approved', 'hold', 'pending'))`,
  }
  const where = [within(time, plan, bound), 'test = 0', ...restrictions(plan, factConditions(plan.conditions), expressions)]
  const columns = [
    ...plan.groups.map((group, index) => `${keyExpression(group, expressions)} AS k${index}`),
    ...wanted.map((sum) => `${isClickSum(sum) ? NOTHING[sum] : sums[sum as keyof typeof sums]} AS c_${sum}`), // the sums that are no clicks
    plan.rates === null
      ? 'emptyArrayString() AS c_rateless'
      : `if(${rate} = 0 AND sumIf(sign * payout + sign * revenue, status IN ('approved', 'hold')) != 0, [toString(currency)], emptyArrayString()) AS c_rateless`,
  ]
  return `SELECT ${columns.join(', ')} FROM conversion_fact WHERE ${where.join(' AND ')}${groupBy(plan.groups, plan.rates === null ? [] : ['currency', 'toDate(ts)'])}`
}

/** What an amount is multiplied by; sums are made per currency and day first, because that is what a rate belongs to. */
function rateExpression({ rates }: ReportPlan, bound: Parameters): string {
  if (rates === null) return String(RATE_SCALE)
  const table = bound.add('Array(Array(Int128))', rates.rates)
  const currencies = bound.add('Array(String)', rates.currencies)
  const firstDay = bound.add('UInt32', rates.firstDay)
  // Beyond either end of the table there is no rate: an index of 0 or past the end gives 0.
  return `arrayElement(arrayElement(${table}, indexOf(${currencies}, toString(currency))), greatest(toInt64(toUInt32(toDate(ts))) - toInt64(${firstDay}) + 1, 0))`
}

function within(column: 'ts' | 'click_ts', { range }: ReportPlan, bound: Parameters): string {
  return `${column} >= fromUnixTimestamp64Milli(${bound.add('Int64', range.from)}, 'UTC') AND ${column} < fromUnixTimestamp64Milli(${bound.add('Int64', range.to)}, 'UTC')`
}

function restrictions(plan: ReportPlan, conditions: readonly Condition[], expressions: ExpressionContext): string[] {
  const all = conditions.map((condition) => conditionExpression(condition, expressions))
  const scope = scopeExpression(plan.scope, expressions.parameters)
  if (scope !== null) all.unshift(scope)
  if (plan.search.length > 0) all.push(`(${plan.search.map((condition) => conditionExpression(condition, expressions)).join(' OR ')})`)
  return all
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

function groupBy(groups: readonly DimensionId[], more: readonly string[] = []): string {
  const keys = [...groups.map((_group, index) => `k${index}`), ...more]
  return keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`
}

function outerSum(sum: SumId): string {
  return sum === 'uniques' ? 'uniqCombinedMerge(14)(c_uniques)' : `sum(c_${sum})`
}

/** Ties are broken by the keys, so that pages neither repeat nor skip a row. */
function order(plan: ReportPlan, bound: Parameters, keys: readonly string[]): string {
  const direction = plan.direction === 'asc' ? 'ASC' : 'DESC'
  const ties = keys.map((key) => `${key} ASC`)
  if ('metric' in plan.order) {
    const wanted = new Set(reportSums(plan))
    const by = orderBy(plan.order.metric, (sum) => (wanted.has(sum) ? `s_${sum}` : 'toInt8(0)'))
    return [`${by} ${direction} NULLS LAST`, ...ties].join(', ')
  }
  const key = keys[plan.order.group] ?? '1'
  const { ranks } = plan.order
  const by =
    ranks === undefined || ranks.size === 0
      ? key
      : `transform(${key}, ${bound.add('Array(UInt32)', [...ranks.keys()])}, ${bound.add('Array(UInt32)', [...ranks.values()])}, toUInt32(4294967295))`
  return [`${by} ${direction}`, ...ties].join(', ')
}

function reportSums(plan: ReportPlan): SumId[] {
  const sums = sumsOf(plan.metrics)
  const sides = sidesOf(plan.groups, sums)
  return sums.filter((sum) => (isClickSum(sum) ? sides.click : sides.conversion))
}
