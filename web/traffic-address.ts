import { DETAIL_FILTERS, type DetailFilter } from '#contract/traffic/click-column.ts'
import { FILTER_IDS, type FilterId } from '#contract/traffic/dimension.ts'
import { PERIOD_KEYS } from '#web/kit/list/asked-period.ts'
import { conditionKeys } from '#web/kit/list/condition.ts'
import type { Preset } from '#web/period.ts'

export type TrafficFilter = FilterId | DetailFilter
/** Everything that general statistics, clicks and conversions are narrowed by, one or the other. */
export const TRAFFIC_FILTERS: readonly TrafficFilter[] = [...FILTER_IDS, ...DETAIL_FILTERS]

/** The keys of an address that hold what traffic is narrowed to, on whichever of the three screens: one takes them from the other. */
export const TRAFFIC_KEYS = [...TRAFFIC_FILTERS.flatMap(conditionKeys), 'status', 'kinds']

/** What lists called things in addresses of before. */
export const OLD_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TRAFFIC_FILTERS.map((id) => [`_${id}`, id])),
  ...Object.fromEntries(['offer', 'affiliate', 'advertiser', 'landing', 'prelanding'].map((id) => [`${id}_uuid`, id])),
  geo: 'geo',
}

/** What a tab of statistics takes along from another: what is narrowed to, the period and zone, and how the report is made. `usual` is the period meant while the address names none. */
export function carried(search: URLSearchParams, usual: Preset | null): string {
  const next = new URLSearchParams()
  for (const key of [...PERIOD_KEYS, ...TRAFFIC_KEYS, ...REPORT_KEYS]) for (const value of search.getAll(key)) next.append(key, value)
  if (usual !== null && !next.has('period')) next.set('period', usual)
  return next.size === 0 ? '' : `?${next}`
}
/** How a report is made; the tabs beside it carry that along. */
export const REPORT_KEYS: readonly string[] = [
  'group',
  'metrics',
  'currency',
  'time',
  'traffic',
  'pending',
  'compare',
  'compare_from',
  'compare_to',
  'match_weekday',
]
