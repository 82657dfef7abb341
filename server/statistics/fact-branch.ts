import { MISSING_DAYS } from '#contract/traffic/report.ts'
import { groupBy, isClickSum, isLeadSum, NOTHING, stepParameters, type BranchContext } from './branch.ts'
import { keyExpression, type ExpressionContext } from './expression.ts'
import { parameters, type Parameters } from './parameters.ts'
import type { ReportPlan } from './plan.ts'
import { dayText, type RateTable } from './rates.ts'
import { factConditions, restrictions, trafficConditions, typeExpression, within } from './restriction.ts'
import { RATE_SCALE, sumsOf, type FactSum } from './sums.ts'

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
  // Whole hundred-millionths of 128 bits hold a million million of the largest amounts; a rate may have 36 digits more, and
  // 256 bits hold those as often (128 take a sixth less time, and hold a handful of the largest amounts). Converted row by row: kept apart by currency and day, a report by sub2 would have three times the groups.
  const money = (amount: string, statuses: string) =>
    rate === null
      ? `toInt256(sumIf(${units(amount)}, status IN (${statuses}))) * ${RATE_SCALE}`
      : `sumIf(toInt256(${units(amount)}) * ${rate}, status IN (${statuses}))`
  const sums: Record<FactSum | 'last', string> = {
    conversions: `sumIf(sign, status IN (${TOTAL}))`,
    lead_results: wanted.includes('lead_results')
      ? `sumIf(sign, status IN (${TOTAL}) AND goal IN ${bound.add('Array(UInt32)', plan.lookups.leadGoals)})`
      : NOTHING.lead_results,
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
    ...wanted.map((sum) => `${isClickSum(sum) || isLeadSum(sum) ? NOTHING[sum] : sums[sum]} AS c_${sum}`),
    ...(rate === null ? [] : [`sumIf(sign, status IN (${moneyOf(plan)}) AND ${amountsOf(plan)} AND ${rate} = 0) AS c_unrated`]),
  ]
  return `SELECT ${columns.join(', ')} FROM conversion_fact WHERE ${conditionsOf(plan, bound, expressions)}${groupBy(plan.groups)}`
}

/** The currencies and days of amounts that lack a rate: asked for when a report met conversions of that kind. `readUnrated` reads the answer. */
export function unratedStatement(plan: ReportPlan, rates: RateTable): { query: string; values: Record<string, unknown> } {
  const bound = parameters()
  const where = conditionsOf(plan, bound, factExpressions(plan, bound, stepParameters(bound, new Map())))
  const query = `SELECT currency, groupArray(${MISSING_DAYS})(day), count() FROM (
SELECT currency, ${dayExpression(rates, bound)} AS day FROM conversion_fact
WHERE ${where} AND status IN (${moneyOf(plan)}) AND ${amountsOf(plan)} AND ${rateExpression(rates, bound)} = 0
GROUP BY currency, day HAVING sum(sign) != 0 ORDER BY currency, day
) GROUP BY currency ORDER BY currency`
  return { query, values: bound.values }
}

/** A row of `unratedStatement`. */
export function readUnrated([currency, days, count]: readonly unknown[]): RatesMissing {
  return { currency: String(currency), days: (days as unknown[]).map((day) => dayText(Number(day))), count: Number(count) }
}

/** A currency, the first days on which it had amounts and no rate, and how many such days there are. */
export type RatesMissing = { currency: string; days: string[]; count: number }

/** Whether a row has an amount a plan shows: what is not asked for lacks no rate. */
function amountsOf({ metrics }: ReportPlan): string {
  const shown = sumsOf(metrics)
  const amounts = (['payout', 'revenue'] as const).filter((side) => shown.some((sum) => sum.endsWith(side)))
  return amounts.length === 0 ? '0' : `(${amounts.map((amount) => `${amount} != 0`).join(' OR ')})`
}

/** The day of a conversion in the zone rates are of, as days since 1970. */
function dayExpression({ offsets }: RateTable, bound: Parameters): string {
  const first = bound.add('Int64', offsets[0]?.seconds ?? 0)
  if (offsets.length < 2) return `intDiv(toInt64(toUnixTimestamp(ts)) + ${first}, 86400)`
  const starts = bound.add(
    'Array(UInt32)',
    offsets.map(({ from }, index) => (index === 0 ? 0 : from)),
  )
  const seconds = bound.add(
    'Array(Int64)',
    offsets.map((one) => one.seconds),
  )
  return `intDiv(toInt64(toUnixTimestamp(ts)) + transform(roundDown(toUnixTimestamp(ts), ${starts}), ${starts}, ${seconds}, ${first}), 86400)`
}

/** What an amount is multiplied by: the rate of its currency on its day, 0 where there is none. */
function rateExpression(rates: RateTable, bound: Parameters): string {
  // One list: a stretch for each currency with a 0 at both ends, where days outside the table fall.
  const width = (rates.rates[0]?.length ?? 0) + 2
  const list = rates.rates.flatMap((days) => [0n, ...days, 0n])
  const starts = rates.currencies.map((_currency, index) => index * width + 1)
  const start = `transform(currency, ${bound.add('Array(String)', rates.currencies)}, ${bound.add('Array(UInt32)', starts)}, ${bound.add('UInt32', list.length + 1)})`
  const day = `${dayExpression(rates, bound)} - ${bound.add('UInt32', rates.firstDay - 1)}`
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
  const type = typeExpression(plan.ofType, bound)
  if (type !== null) restricted.push(type)
  restricted.push(...trafficConditions(plan))
  const { hiddenGoals } = plan.lookups
  // a hidden goal shows nowhere, but money must add up to the balance
  const told = hiddenGoals.length === 0 ? [] : [`NOT (payout = 0 AND goal IN ${bound.add('Array(UInt32)', hiddenGoals)})`]
  return [within(timeColumn(plan), plan, bound), 'test = 0', ...told, ...restricted].join(' AND ')
}
