import { METRIC_IDS, metricOf, type MetricId, type Side } from '#contract/traffic/metric.ts'
import { divideRounded, fromUnits } from '#contract/money/amount.ts'

/**
 * What is added up in the engine; every metric follows from these. Money is in hundred-millionths × `RATE_SCALE`. `lead_results`: conversions
 * of the one goal leads of an offer are sold for, so that a lead counts once, however often its person pays in.
 */
export const CLICK_SUMS = ['clicks', 'uniques', 'refused', 'filtered'] as const
const FACT_SUMS = [
  'conversions',
  'lead_results',
  'approved',
  'hold',
  'pending',
  'declined',
  'trash',
  'payout',
  'hold_payout',
  'pending_payout',
  'revenue',
  'pending_revenue',
  'seconds',
] as const
/** `answered`: sends with an answer, `answer_ms` how long those took together. */
export const LEAD_SUMS = [
  'leads',
  'leads_accepted',
  'leads_rejected',
  'leads_duplicate',
  'leads_waiting',
  'sends',
  'sends_accepted',
  'answered',
  'answer_ms',
] as const
export type ClickSum = (typeof CLICK_SUMS)[number]
export type LeadSum = (typeof LEAD_SUMS)[number]
export type FactSum = (typeof FACT_SUMS)[number]
/** What metrics are made of. */
export type AskedSum = ClickSum | FactSum | LeadSum | 'last'
/** `unrated`: conversions with an amount and without the rate of its day. */
export type SumId = AskedSum | 'unrated'
export type Sums = Partial<Record<SumId, bigint>>

/** Amounts are multiplied by whole rates of nineteen decimals, so that no sum is rounded before it is shown; more the engine reads as a float. */
export const RATE_SCALE = 10n ** 19n

/** The sums each metric is made of. */
const PARTS: Readonly<Record<MetricId, readonly AskedSum[]>> = {
  clicks: ['clicks'],
  uniques: ['uniques'],
  refused: ['refused'],
  filtered: ['filtered'],
  conversions: ['conversions'],
  approved: ['approved'],
  hold: ['hold'],
  pending: ['pending'],
  declined: ['declined'],
  trash: ['trash'],
  cr: ['conversions', 'clicks'],
  approval: ['approved', 'hold', 'declined'],
  epc: ['payout', 'clicks'],
  payout: ['payout'],
  hold_payout: ['hold_payout'],
  pending_payout: ['pending_payout'],
  pending_revenue: ['pending_revenue'],
  revenue: ['revenue'],
  revenue_epc: ['revenue', 'clicks'],
  profit: ['revenue', 'payout'],
  margin: ['revenue', 'payout'],
  time_to_conversion: ['conversions', 'seconds'],
  leads: ['leads'],
  leads_accepted: ['leads_accepted'],
  leads_rejected: ['leads_rejected'],
  leads_duplicate: ['leads_duplicate'],
  leads_waiting: ['leads_waiting'],
  lead_acceptance: ['leads_accepted', 'leads_rejected', 'leads_duplicate'],
  lead_cr: ['lead_results', 'leads'],
  lead_epl: ['payout', 'leads'],
  sends: ['sends'],
  send_acceptance: ['sends_accepted', 'answered'],
  answer_time: ['answer_ms', 'answered'],
}

/** The sums some metrics need, each once. */
export function sumsOf(metrics: readonly MetricId[]): AskedSum[] {
  return [...new Set(metrics.flatMap((metric) => PARTS[metric]))]
}

/**
 * How the engine orders by a metric, over sums named by `sum`. For order only: what is shown is computed exactly by
 * `metricValues`.
 */
export function orderBy(metric: MetricId, sum: (id: SumId) => string, rated: boolean): string {
  const ratio = (upper: string, lower: string) => `if(${lower} = 0, NULL, toFloat64(${upper}) / toFloat64(${lower}))`
  if (rated && isMoney(metric)) return `if(s_unrated != 0, NULL, ${orderBy(metric, sum, false)})`
  switch (metric) {
    case 'cr':
      return ratio(sum('conversions'), sum('clicks'))
    case 'approval':
      return ratio(`(${sum('approved')} + ${sum('hold')})`, `(${sum('approved')} + ${sum('hold')} + ${sum('declined')})`)
    case 'epc':
      return ratio(sum('payout'), sum('clicks'))
    case 'revenue_epc':
      return ratio(sum('revenue'), sum('clicks'))
    case 'profit':
      return `(${sum('revenue')} - ${sum('payout')})`
    case 'margin':
      return ratio(`(${sum('revenue')} - ${sum('payout')})`, sum('revenue'))
    case 'time_to_conversion':
      return ratio(sum('seconds'), sum('conversions'))
    case 'lead_acceptance':
      return ratio(sum('leads_accepted'), `(${sum('leads_accepted')} + ${sum('leads_rejected')} + ${sum('leads_duplicate')})`)
    case 'lead_cr':
      return ratio(sum('lead_results'), sum('leads'))
    case 'lead_epl':
      return ratio(sum('payout'), sum('leads'))
    case 'send_acceptance':
      return ratio(sum('sends_accepted'), sum('answered'))
    case 'answer_time':
      return ratio(sum('answer_ms'), sum('answered'))
    default:
      return sum(metric)
  }
}

export type MetricValue = string | number | null
export type MetricValues = Partial<Record<MetricId, MetricValue>>

/** Adds sums up; not for uniques and the last moment, which are no sums. */
export function addSums(all: readonly Sums[]): Sums {
  const total: Sums = {}
  for (const sums of all) for (const [id, value] of Object.entries(sums) as [SumId, bigint][]) total[id] = (total[id] ?? 0n) + value // its own keys
  return total
}

/** Which kinds of rows a report draws on. */
export type Sides = Record<Side, boolean>

/** Which figures can be said. */
export type Known = (metric: MetricId) => boolean

/** The figures of one row. What nobody knows by the grouping is null, and so is money where a rate is missing: part of it would be wrong. */
export function metricValues(sums: Sums, metrics: readonly MetricId[], known: Known): MetricValues {
  return Object.fromEntries(
    metrics.map((metric) => {
      const rated = (sums.unrated ?? 0n) === 0n || !isMoney(metric)
      return [metric, known(metric) && rated ? metricValue(sums, metric) : null]
    }),
  )
}

function metricValue(sums: Sums, metric: MetricId): MetricValue {
  const sum = (id: SumId) => sums[id] ?? 0n
  const total = sum('conversions')
  switch (metric) {
    case 'cr':
      return percent(total, sum('clicks'))
    case 'approval':
      return percent(sum('approved') + sum('hold'), sum('approved') + sum('hold') + sum('declined'))
    case 'epc':
      return sum('clicks') === 0n ? null : money(sum('payout'), sum('clicks'))
    case 'revenue_epc':
      return sum('clicks') === 0n ? null : money(sum('revenue'), sum('clicks'))
    case 'profit':
      return money(sum('revenue') - sum('payout'))
    case 'margin':
      return percent(sum('revenue') - sum('payout'), sum('revenue'))
    case 'time_to_conversion':
      return total === 0n ? null : Number(divideRounded(sum('seconds'), total))
    case 'lead_acceptance':
      return percent(sum('leads_accepted'), sum('leads_accepted') + sum('leads_rejected') + sum('leads_duplicate'))
    case 'lead_cr':
      return percent(sum('lead_results'), sum('leads'))
    case 'lead_epl':
      return sum('leads') === 0n ? null : money(sum('payout'), sum('leads'))
    case 'send_acceptance':
      return percent(sum('sends_accepted'), sum('answered'))
    case 'answer_time':
      return sum('answered') === 0n ? null : Number(divideRounded(sum('answer_ms'), sum('answered')))
    case 'payout':
    case 'hold_payout':
    case 'pending_payout':
    case 'pending_revenue':
    case 'revenue':
      return money(sum(metric))
    default:
      return Number(sum(metric))
  }
}

/** Rounded once, half away from zero, where it leaves the engine. */
function money(units: bigint, by = 1n): string {
  return fromUnits(divideRounded(units, RATE_SCALE * by))
}

/** A share of a hundred with four decimals. */
function percent(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number(divideRounded(part * 1_000_000n, whole)) / 10_000
}

/** The metrics that are money. */
export const MONEY_METRICS: readonly MetricId[] = METRIC_IDS.filter((id) => metricOf(id).type === 'money')

/** Whether a metric is money or follows from it alone. */
export function isMoney(metric: MetricId): boolean {
  return metric === 'margin' || metricOf(metric).type === 'money'
}
