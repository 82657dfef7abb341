import type { Permission } from '#contract/access.ts'

export type Metric = {
  /** `count`: a whole number; `money`: decimal text with four decimals; `percent`: a number, 3.5 = 3.5 %; `duration`: whole seconds. */
  type: 'count' | 'money' | 'percent' | 'duration'
  /** Needed on top of `report.read`. */
  permission?: Permission
  /** An estimate within 3 %, shown with ≈ and never billed on. */
  approximate?: true
  /** Rows may be added up; rates and estimates may not. */
  additive?: true
  /** The rows it needs: where the other side is grouped by, it is null. `both`: a ratio of the two. */
  side: 'click' | 'conversion' | 'both'
}

/**
 * What a report can show, once. Bots, HEAD, prefetch and test clicks are in no figure but `filtered`; test conversions
 * are in none, trash is in no figure but its own: conversions + declined + trash are the rows of the list. A conversion on hold is
 * approved and waits out the offer's days, so its money counts; that of a pending one is apart, or counts where a question says so.
 */
export const METRICS = {
  clicks: { type: 'count', side: 'click', additive: true },
  uniques: { type: 'count', side: 'click', approximate: true },
  refused: { type: 'count', side: 'click', additive: true },
  filtered: { type: 'count', side: 'click', additive: true },
  conversions: { type: 'count', side: 'conversion', additive: true },
  approved: { type: 'count', side: 'conversion', additive: true },
  hold: { type: 'count', side: 'conversion', additive: true },
  pending: { type: 'count', side: 'conversion', additive: true },
  declined: { type: 'count', side: 'conversion', additive: true },
  trash: { type: 'count', side: 'conversion', additive: true },
  cr: { type: 'percent', side: 'both' },
  approval: { type: 'percent', side: 'conversion' },
  epc: { type: 'money', side: 'both' },
  payout: { type: 'money', side: 'conversion', additive: true },
  hold_payout: { type: 'money', side: 'conversion', additive: true },
  pending_payout: { type: 'money', side: 'conversion', additive: true },
  revenue: { type: 'money', side: 'conversion', additive: true, permission: 'report.money' },
  pending_revenue: { type: 'money', side: 'conversion', additive: true, permission: 'report.money' },
  revenue_epc: { type: 'money', side: 'both', permission: 'report.money' },
  profit: { type: 'money', side: 'conversion', additive: true, permission: 'report.money' },
  margin: { type: 'percent', side: 'conversion', permission: 'report.money' },
  time_to_conversion: { type: 'duration', side: 'conversion' },
} as const satisfies Record<string, Metric>

export type MetricId = keyof typeof METRICS
export const METRIC_IDS = Object.keys(METRICS) as [MetricId, ...MetricId[]] // keys of a literal object

/** A metric with its optional fields visible to the type checker. */
export function metricOf(id: MetricId): Metric {
  return METRICS[id]
}
