import { groupBy, isClickSum, NOTHING, stepParameters, type BranchContext } from './branch.ts'
import { keyExpression, type ExpressionContext } from './expression.ts'
import { parameters, type Parameters } from './parameters.ts'
import type { ReportPlan } from './plan.ts'
import type { RateTable } from './rates.ts'
import { factConditions, restrictions, within } from './restriction.ts'
import { RATE_SCALE, type FactSum } from './sums.ts'

const TOTAL = `'approved', 'hold', 'pending'`
const BOOKED = `'approved', 'hold'`

/** The conversions whose money a plan shows. */
function moneyOf({ pending, metrics }: ReportPlan): string {
  return pending || metrics.includes('pending_payout') || metrics.includes('pending_revenue') ? TOTAL : BOOKED
}

/** Conversions added up by the keys of a report; each delta counts with its sign, so that only present states are left. */
export function factBranch(context: BranchContext): string {
  const { plan, bound, wanted } = context
  const expressions = factExpressions(plan, bound, context.stepParameters)
  const rate = plan.rates === null ? null : rateExpression(plan.rates, bound)
  const units = (amount: string) => `sign * reinterpretAsInt128(${amount})`
  // Whole hundred-millionths of 128 bits hold a million million of the largest amounts; a rate may have 29 digits more, and
  // 256 bits hold those as often (128 take a sixth less time, and hold 17,000 of the largest amounts at a rate of 1, 17 at a thousand). Converted row by row: kept apart by currency and day, a report by sub2 would have three times the groups.
  const money = (amount: string, statuses: string) =>
    rate === null
      ? `toInt256(sumIf(${units(amount)}, status IN (${statuses}))) * ${RATE_SCALE}`
      : `sumIf(toInt256(${units(amount)}) * ${rate}, status IN (${statuses}))`
  const sums: Record<FactSum | 'last', string> = {
    conversions: `sumIf(sign, status IN (${TOTAL}))`,
    approved: `sumIf(sign, status = 'approved')`,
    hold: `sumIf(sign, status = 'hold')`,
    pending: `sumIf(sign, status = 'pending')`,
    declined: `sumIf(sign, status = 'declined')`,
    trash: `sumIf(sign, status = 'trash')`,
    payout: money('payout', plan.pending ? TOTAL : BOOKED),
    hold_payout: money('payout', `'hold'`),
    pending_payout: money('payout', `'pending'`),
    revenue: money('revenue', plan.pending ? TOTAL : BOOKED),
    pending_revenue: money('revenue', `'pending'`),
    seconds: `sumIf(sign * ttc, status IN (${TOTAL}))`,
    last: 'max(toUnixTimestamp(ts))',
  }
  const columns = [
    ...plan.groups.map((group, index) => `${keyExpression(group, expressions)} AS k${index}`),
    ...wanted.map((sum) => `${isClickSum(sum) ? NOTHING[sum] : sums[sum]} AS c_${sum}`),
    ...(rate === null ? [] : [`sumIf(sign, status IN (${moneyOf(plan)}) AND ${rate} = 0) AS c_unrated`]),
  ]
  return `SELECT ${columns.join(', ')} FROM conversion_fact WHERE ${conditionsOf(plan, bound, expressions)}${groupBy(plan.groups)}`
}

/** The currencies with amounts that lack the rate of their day: asked for when a report met conversions of that kind. */
export function unratedStatement(plan: ReportPlan, rates: RateTable): { query: string; values: Record<string, unknown> } {
  const bound = parameters()
  const where = conditionsOf(plan, bound, factExpressions(plan, bound, stepParameters(bound, new Map())))
  const query = `SELECT currency FROM conversion_fact
WHERE ${where} AND status IN (${moneyOf(plan)}) AND ${rateExpression(rates, bound)} = 0
GROUP BY currency HAVING sum(sign * (payout + revenue)) != 0 ORDER BY currency`
  return { query, values: bound.values }
}

/** What an amount is multiplied by: the rate of its currency on its day, 0 where there is none. */
function rateExpression(rates: RateTable, bound: Parameters): string {
  // One list: a stretch for each currency with a 0 at both ends, where days outside the table fall.
  const width = (rates.rates[0]?.length ?? 0) + 2
  const list = rates.rates.flatMap((days) => [0n, ...days, 0n])
  const starts = rates.currencies.map((_currency, index) => index * width + 1)
  const start = `transform(currency, ${bound.add('Array(String)', rates.currencies)}, ${bound.add('Array(UInt32)', starts)}, ${bound.add('UInt32', list.length + 1)})`
  const day = `intDiv(toUnixTimestamp(ts), 86400) - ${bound.add('UInt32', rates.firstDay - 1)}`
  return `arrayElement(${bound.add('Array(Int128)', list)}, ${start} + least(greatest(${day}, 0), ${bound.add('UInt32', width - 1)}))`
}

function timeColumn({ time }: ReportPlan): 'click_ts' | 'ts' {
  return time === 'click' ? 'click_ts' : 'ts'
}

function factExpressions(plan: ReportPlan, bound: Parameters, steps: ExpressionContext['steps']): ExpressionContext {
  return { side: 'fact', seconds: `toUnixTimestamp(${timeColumn(plan)})`, steps, lookups: plan.lookups, parameters: bound }
}

function conditionsOf(plan: ReportPlan, bound: Parameters, expressions: ExpressionContext): string {
  const restricted = restrictions(plan, factConditions(plan.conditions), expressions)
  const { hiddenGoals } = plan.lookups
  // a hidden goal shows nowhere, but money must add up to the balance
  const told = hiddenGoals.length === 0 ? [] : [`NOT (payout = 0 AND goal IN ${bound.add('Array(UInt32)', hiddenGoals)})`]
  return [within(timeColumn(plan), plan, bound), 'test = 0', ...told, ...restricted].join(' AND ')
}
