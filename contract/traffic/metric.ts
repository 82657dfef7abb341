import type { Permission } from '#contract/access.ts'

export type Metric = {
  label: string
  /** One sentence for the hover: what is counted, and by what it is divided. */
  definition: string
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
 * What a report can show, once. Bots, HEAD, prefetch and test clicks are in no figure but `filtered`; test and trash
 * conversions are in none. A conversion on hold is approved and waits out the offer's days, so its money counts.
 */
export const METRICS = {
  clicks: {
    label: 'Clicks',
    type: 'count',
    side: 'click',
    additive: true,
    definition: 'Visitors sent on, without refused ones, bots and previews.',
  },
  uniques: {
    label: 'Uniques',
    type: 'count',
    side: 'click',
    approximate: true,
    definition: 'Different visitors among the clicks, estimated.',
  },
  refused: { label: 'Refused', type: 'count', side: 'click', additive: true, definition: 'Clicks that an offer’s rules turned away.' },
  filtered: {
    label: 'Filtered',
    type: 'count',
    side: 'click',
    additive: true,
    definition: 'Bots, previews and HEAD requests: answered, never counted.',
  },
  conversions: {
    label: 'Conversions',
    type: 'count',
    side: 'conversion',
    additive: true,
    definition: 'Approved, on hold and pending together.',
  },
  approved: { label: 'Approved', type: 'count', side: 'conversion', additive: true, definition: 'Conversions that are approved for good.' },
  hold: {
    label: 'On hold',
    type: 'count',
    side: 'conversion',
    additive: true,
    definition: 'Approved conversions that wait out the offer’s hold days.',
  },
  pending: {
    label: 'Pending',
    type: 'count',
    side: 'conversion',
    additive: true,
    definition: 'Conversions the advertiser has still to decide.',
  },
  declined: { label: 'Declined', type: 'count', side: 'conversion', additive: true, definition: 'Conversions that were declined.' },
  cr: { label: 'CR', type: 'percent', side: 'both', definition: 'Approved, on hold and pending conversions ÷ clicks.' },
  approval: { label: 'Approval', type: 'percent', side: 'conversion', definition: 'Approved ÷ (approved + declined).' },
  epc: { label: 'EPC', type: 'money', side: 'both', definition: 'Payout ÷ clicks.' },
  payout: {
    label: 'Payout',
    type: 'money',
    side: 'conversion',
    additive: true,
    definition: 'What affiliates earn by approved conversions, those on hold included.',
  },
  hold_payout: {
    label: 'Payout on hold',
    type: 'money',
    side: 'conversion',
    additive: true,
    definition: 'The part of the payout that is still on hold.',
  },
  revenue: {
    label: 'Revenue',
    type: 'money',
    side: 'conversion',
    additive: true,
    permission: 'report.money',
    definition: 'What advertisers owe for approved conversions, those on hold included.',
  },
  revenue_epc: { label: 'Revenue per click', type: 'money', side: 'both', permission: 'report.money', definition: 'Revenue ÷ clicks.' },
  profit: {
    label: 'Profit',
    type: 'money',
    side: 'conversion',
    additive: true,
    permission: 'report.money',
    definition: 'Revenue − payout.',
  },
  margin: { label: 'Margin', type: 'percent', side: 'conversion', permission: 'report.money', definition: 'Profit ÷ revenue.' },
  time_to_conversion: {
    label: 'Time to conversion',
    type: 'duration',
    side: 'conversion',
    definition: 'Mean time from click to conversion, of approved, held and pending ones.',
  },
} as const satisfies Record<string, Metric>

export type MetricId = keyof typeof METRICS
export const METRIC_IDS = Object.keys(METRICS) as [MetricId, ...MetricId[]] // keys of a literal object

/** A metric with its optional fields visible to the type checker. */
export function metricOf(id: MetricId): Metric {
  return METRICS[id]
}
