import type { Permission } from '#contract/access.ts'

/** What figures are made from. */
export type Side = 'click' | 'conversion' | 'lead'

export type Metric = {
  /** `count`: a whole number; `money`: decimal text with four decimals; `percent`: a number, 3.5 = 3.5 %; `duration`: whole seconds; `wait`: milliseconds. */
  type: 'count' | 'money' | 'percent' | 'duration' | 'wait'
  /** Needed on top of `report.read`. */
  permission?: Permission
  /** An estimate within 3 %, shown with ≈ and never billed on. */
  approximate?: true
  /** Rows may be added up; rates and estimates may not. */
  additive?: true
  /** The rows it needs: where the grouping has none of one of them, it is null. Two: a ratio. `lead`: user sessions and their sends. */
  sides: readonly Side[]
  /** It counts leads nobody took, which stand at no taker: by one, or narrowed to one, nobody knows it. */
  untaken?: true
}

/**
 * What a report can show, once. Bots, HEAD, prefetch and test clicks are in no figure but `filtered`; test conversions
 * are in none, trash is in no figure but its own: conversions + declined + trash are the rows of the list. A conversion on hold is
 * approved and waits out the offer's days, so its money counts; that of a pending one is apart, or counts where a question says so.
 */
export const METRICS = {
  clicks: { type: 'count', sides: ['click'], additive: true },
  uniques: { type: 'count', sides: ['click'], approximate: true },
  refused: { type: 'count', sides: ['click'], additive: true },
  filtered: { type: 'count', sides: ['click'], additive: true },
  conversions: { type: 'count', sides: ['conversion'], additive: true },
  approved: { type: 'count', sides: ['conversion'], additive: true },
  hold: { type: 'count', sides: ['conversion'], additive: true },
  pending: { type: 'count', sides: ['conversion'], additive: true },
  declined: { type: 'count', sides: ['conversion'], additive: true },
  trash: { type: 'count', sides: ['conversion'], additive: true },
  cr: { type: 'percent', sides: ['click', 'conversion'] },
  approval: { type: 'percent', sides: ['conversion'] },
  epc: { type: 'money', sides: ['click', 'conversion'] },
  payout: { type: 'money', sides: ['conversion'], additive: true },
  hold_payout: { type: 'money', sides: ['conversion'], additive: true },
  pending_payout: { type: 'money', sides: ['conversion'], additive: true },
  revenue: { type: 'money', sides: ['conversion'], additive: true, permission: 'report.money' },
  pending_revenue: { type: 'money', sides: ['conversion'], additive: true, permission: 'report.money' },
  revenue_epc: { type: 'money', sides: ['click', 'conversion'], permission: 'report.money' },
  profit: { type: 'money', sides: ['conversion'], additive: true, permission: 'report.money' },
  margin: { type: 'percent', sides: ['conversion'], permission: 'report.money' },
  time_to_conversion: { type: 'duration', sides: ['conversion'] },
  leads: { type: 'count', sides: ['lead'], additive: true },
  leads_accepted: { type: 'count', sides: ['lead'], additive: true },
  leads_rejected: { type: 'count', sides: ['lead'], additive: true, untaken: true },
  leads_duplicate: { type: 'count', sides: ['lead'], additive: true, untaken: true },
  leads_waiting: { type: 'count', sides: ['lead'], additive: true, untaken: true },
  lead_acceptance: { type: 'percent', sides: ['lead'], untaken: true },
  lead_cr: { type: 'percent', sides: ['lead', 'conversion'] },
  lead_epl: { type: 'money', sides: ['lead', 'conversion'] },
  sends: { type: 'count', sides: ['lead'], additive: true, permission: 'report.money' },
  send_acceptance: { type: 'percent', sides: ['lead'], permission: 'report.money' },
  answer_time: { type: 'wait', sides: ['lead'], permission: 'report.money' },
} as const satisfies Record<string, Metric>

export type MetricId = keyof typeof METRICS
export const METRIC_IDS = Object.keys(METRICS) as [MetricId, ...MetricId[]] // keys of a literal object

/** A metric with its optional fields visible to the type checker. */
export function metricOf(id: MetricId): Metric {
  return METRICS[id]
}

/** Whether a metric is of leads: only statistics of offers of leads have it. */
export function isOfLeads(id: MetricId): boolean {
  return metricOf(id).sides.includes('lead')
}
