import type { DimensionId } from '#contract/traffic/dimension.ts'
import { metricOf } from '#contract/traffic/metric.ts'
import { presenceOf, sideOf, sidesOf, stepParameters, stepsFor } from './branch.ts'
import { missesUntaken, unknownBy } from '#contract/traffic/report.ts'
import { clickBranch, clickSource } from './click/click-branch.ts'
import { factBranch } from './fact-branch.ts'
import { leadBranch, leadSource } from './lead-branch.ts'
import { parameters, type Parameters } from './parameters.ts'
import type { ReportPlan } from './plan.ts'
import type { Step } from './steps.ts'
import { orderBy, sumsOf, type AskedSum, type Known, type SumId } from './sums.ts'

export type ReportStatement = {
  query: string
  values: Record<string, unknown>
  /** The columns of the result after the keys, in order; where amounts are converted the last one counts conversions without a rate. */
  sums: SumId[]
  known: Known
  source: string
  /** The steps of each time grouping, to tell what a key means. */
  steps: ReadonlyMap<DimensionId, Step[]>
}

/**
 * The one statement that answers a plan: clicks from the narrowest table that will do and conversion facts, each added up
 * by the keys, put below each other and added up again (a join would have to guess which side knows a key).
 * `WITH TOTALS` gives the figures of the whole result in the same pass.
 */
export function reportStatement(plan: ReportPlan): ReportStatement {
  const sums: AskedSum[] = [...sumsOf(plan.metrics), ...(plan.last ? ['last' as const] : [])]
  const narrowed = plan.conditions.map(({ dimension }) => dimension)
  const sides = sidesOf(plan.groups, sums, narrowed)
  const known: Known = (metric) =>
    metricOf(metric).sides.every((side) => sides[side]) && !missesUntaken(metric, [...plan.groups, ...narrowed])
  const isAny = sides.click || sides.conversion || sides.lead
  // no rows have both what is grouped by and what filters name: those of the grouping are asked for, and none of them fits
  const read = isAny ? sides : sidesOf(plan.groups, sums)
  const readable = sums.filter((sum) => sum === 'last' || read[sideOf(sum)])
  // where no figure that is asked for is known, there would be nothing to leave out empty rows by
  const isUnknown = unknownBy(plan.metrics, plan.groups, narrowed).length === plan.metrics.length
  const wanted = isUnknown ? [...new Set([...presenceOf(read, plan.lookups), ...readable])] : readable
  const bound = parameters()
  const steps = stepsFor(plan)
  const fitting = isAny ? plan : { ...plan, conditions: [...plan.conditions, { dimension: 'source' as const, is: [] }] }
  const context = { plan: fitting, bound, steps, wanted, stepParameters: stepParameters(bound, steps) }
  const source = clickSource(context)
  const ofLeads = leadSource(context)
  const branches = [
    ...(read.click ? [clickBranch(context, source)] : []),
    ...(read.conversion ? [factBranch(context)] : []),
    ...(read.lead ? [leadBranch(context, ofLeads)] : []),
  ]
  const keys = plan.groups.map((_group, index) => `k${index}`)
  const all: SumId[] = plan.rates === null ? wanted : [...wanted, 'unrated']
  const columns = [...keys, ...all.map((sum) => `${outerSum(sum)} AS s_${sum}`)]
  const something = all.map((sum) => `s_${sum} != 0`).join(' OR ')
  const grouped = keys.length === 0 ? '' : `GROUP BY ${keys.join(', ')} WITH TOTALS HAVING ${something}`
  const query = `SELECT ${columns.join(', ')}
FROM (
${branches.join('\nUNION ALL\n')}
)
${grouped}
ORDER BY ${order(plan, bound, keys, wanted, known)}
LIMIT ${bound.add('UInt32', plan.limit)} OFFSET ${bound.add('UInt64', plan.offset)}`
  return {
    query,
    values: bound.values,
    sums: all,
    known,
    source: read.click ? source.table : read.conversion ? 'conversion_fact' : ofLeads.table,
    steps,
  }
}

function outerSum(sum: SumId): string {
  if (sum === 'last') return 'max(c_last)'
  return sum === 'uniques' ? 'uniqCombinedMerge(14)(c_uniques)' : `sum(c_${sum})`
}

/** Ties are broken by the keys, so that pages neither repeat nor skip a row. */
function order(plan: ReportPlan, bound: Parameters, keys: readonly string[], wanted: readonly AskedSum[], known: Known): string {
  const direction = plan.direction === 'asc' ? 'ASC' : 'DESC'
  const ties = keys.map((key) => `${key} ASC`)
  // an order by what is not shown would tell of it
  if ('metric' in plan.order && !known(plan.order.metric) && ties.length > 0) return ties.join(', ')
  if ('metric' in plan.order) {
    const by = orderBy(
      plan.order.metric,
      (sum) => (sum !== 'unrated' && wanted.includes(sum) ? `s_${sum}` : 'toInt8(0)'),
      plan.rates !== null,
    )
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
