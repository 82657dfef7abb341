import { CURRENCY_CODES, type Currency } from '#contract/money.ts'
import { groupBy, isClickSum, NOTHING, type BranchContext } from './branch.ts'
import { keyExpression, type ExpressionContext } from './expression.ts'
import type { Parameters } from './parameters.ts'
import type { ReportPlan } from './plan.ts'
import { factConditions, restrictions, within } from './restriction.ts'
import { RATE_SCALE, type FactSum } from './sums.ts'

/** Conversions added up by the keys of a report; each delta counts with its sign, so that only present states are left. */
export function factBranch(context: BranchContext): string {
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
  const sums: Record<FactSum, string> = {
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
    ...wanted.map((sum) => `${isClickSum(sum) ? NOTHING[sum] : sums[sum]} AS c_${sum}`),
    ...(plan.rates === null ? [] : [`${ratelessExpression(rate)} AS c_rateless`]),
  ]
  return `SELECT ${columns.join(', ')} FROM conversion_fact WHERE ${where.join(' AND ')}${groupBy(plan.groups, plan.rates === null ? [] : ['currency', 'toDate(ts)'])}`
}

/** A bit for the currency whose amounts are left out because its day has no rate. */
function ratelessExpression(rate: string): string {
  const codes = `[${CURRENCY_CODES.map((code) => `'${code}'`).join(', ')}]`
  return `if(${rate} = 0 AND sumIf(sign * payout + sign * revenue, status IN ('approved', 'hold')) != 0, bitShiftLeft(toUInt64(1), indexOf(${codes}, toString(currency))), toUInt64(0))`
}

/** The currencies that a sum of those bits names. */
export function ratelessCurrencies(bits: bigint): Currency[] {
  return CURRENCY_CODES.filter((_code, index) => (bits & (1n << BigInt(index + 1))) !== 0n)
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
