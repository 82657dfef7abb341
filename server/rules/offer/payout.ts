import { specificity, type RowConditions } from '#contract/offers/payout-row.ts'
import { addAmounts, percentOf, toUnits } from '#contract/money/amount.ts'

/** A payout row of a goal. Empty lists mean "any"; amounts and percentages are decimal texts in the offer's currency. */
export type PayoutRule = {
  id: number
  goal_id: number
  position: number
  affiliate_ids: number[]
  landing_ids: number[]
  geos: string[]
  devices: string[]
  oses: string[]
  payout_fixed: string
  payout_percent: string
  revenue_fixed: string
  revenue_percent: string
}

/** `landing` is the numeric id of the landing the visitor reached; 0 = the offer's own address. */
type Conversion = { goalId: number; affiliateId: number; landing: number; geo: string; device: string; os: string }

/**
 * The payout row a conversion is paid by: among the rows of its goal that fit it, the most specific, of equals the one
 * that stands higher. Null when no row fits, which an active offer's base row rules out.
 */
export function choosePayoutRule<Rule extends PayoutRule>(rules: readonly Rule[], conversion: Conversion): Rule | null {
  let best: Rule | null = null
  for (const rule of rules) {
    if (fits(rule, conversion) && (best === null || bySpecificity(rule, best) < 0)) best = rule
  }
  return best
}

/**
 * What a row pays and earns for an amount the advertiser reported (null = none; then percentages bring nothing). What
 * percentages bring is rounded to `scale` decimals, those of the offer's currency.
 */
export function payoutOf(
  rule: Pick<PayoutRule, 'payout_fixed' | 'payout_percent' | 'revenue_fixed' | 'revenue_percent'>,
  amount: string | null,
  scale: number,
): { payout: string; revenue: string } {
  const base = amount ?? '0'
  return {
    payout: addAmounts(rule.payout_fixed, percentOf(base, rule.payout_percent, scale)),
    revenue: addAmounts(rule.revenue_fixed, percentOf(base, rule.revenue_percent, scale)),
  }
}

/** What an advertiser may say of a conversion in place of a fixed price: what it brings us, or the affiliate. */
export type Stated = 'revenue' | 'payout'

/** A row by which an amount is itself the revenue, or the payout; what the other side gets stays as it is. One that shares amounts stays. */
export function statedBy<Rule extends PayoutRule>(rule: Rule, stated: Stated | undefined, amount: string | null): Rule {
  if (stated === undefined || amount === null || sharesAmount(rule)) return rule
  return stated === 'revenue'
    ? { ...rule, revenue_fixed: '0', revenue_percent: '100' }
    : { ...rule, payout_fixed: '0', payout_percent: '100' }
}

/** Whether a row pays or earns a share of an amount, so that without one nobody knows how much. */
export function sharesAmount(rule: Pick<PayoutRule, 'payout_percent' | 'revenue_percent'>): boolean {
  return toUnits(rule.payout_percent) !== 0n || toUnits(rule.revenue_percent) !== 0n
}

/** One line of the terms an affiliate gets; the first that fits a conversion counts. */
export type ResultingTerms = {
  landings: number[]
  geos: string[]
  devices: string[]
  oses: string[]
  payout_fixed: string
  payout_percent: string
}

/**
 * What remains of one goal's rows for one affiliate, in the order in which they count. Rows of other affiliates are left
 * out, so are landings the affiliate does not know, and what a row before always overrules, so that nobody reads terms
 * they cannot get.
 */
export function resultingTerms(rules: readonly PayoutRule[], affiliateId: number, knownLandings: readonly number[]): ResultingTerms[] {
  const kept: ResultingTerms[] = []
  for (const rule of rules.filter((one) => admits(one.affiliate_ids, affiliateId)).toSorted(bySpecificity)) {
    const landings = rule.landing_ids.filter((id) => knownLandings.includes(id))
    if (rule.landing_ids.length > 0 && landings.length === 0) continue
    const overruling = kept.filter(
      (earlier) => covers(earlier.landings, landings) && covers(earlier.devices, rule.devices) && covers(earlier.oses, rule.oses),
    )
    if (overruling.some((earlier) => earlier.geos.length === 0)) continue
    const geos = rule.geos.filter((geo) => !overruling.some((earlier) => earlier.geos.includes(geo)))
    if (rule.geos.length > 0 && geos.length === 0) continue
    kept.push({
      landings,
      geos,
      devices: rule.devices,
      oses: rule.oses,
      payout_fixed: rule.payout_fixed,
      payout_percent: rule.payout_percent,
    })
  }
  return kept
}

function fits(rule: PayoutRule, { goalId, affiliateId, landing, geo, device, os }: Conversion): boolean {
  return (
    rule.goal_id === goalId &&
    admits(rule.affiliate_ids, affiliateId) &&
    admits(rule.landing_ids, landing) &&
    admits(rule.geos, geo) &&
    admits(rule.devices, device) &&
    admits(rule.oses, os)
  )
}

function admits<Value>(list: readonly Value[], value: Value): boolean {
  return list.length === 0 || list.includes(value)
}

/** Whether everything `inner` admits is admitted by `outer` too. */
function covers<Value>(outer: readonly Value[], inner: readonly Value[]): boolean {
  return outer.length === 0 || (inner.length > 0 && inner.every((value) => outer.includes(value)))
}

function bySpecificity(a: PayoutRule, b: PayoutRule): number {
  return specificity(conditionsOf(b)) - specificity(conditionsOf(a)) || a.position - b.position || a.id - b.id
}

function conditionsOf({ affiliate_ids, landing_ids, geos, devices, oses }: PayoutRule): RowConditions {
  return { affiliates: affiliate_ids, landings: landing_ids, geos, devices, oses }
}
