import type { Permission } from '#contract/access.ts'
import type { Side } from './metric.ts'

export type Dimension = {
  /** The heading it stands under in the picker. */
  group: 'time' | 'partner' | 'offer' | 'lead' | 'place' | 'device' | 'visit' | 'sub'
  /**
   * What its keys are. `time`: the first moment of the hour, day, week (Monday) or month; `weekday`: 1 (Monday) to 7;
   * `entity`: a number with a name and, where the caller may see it, a uuid; `code`: a word of a known list; `text`: whatever the click carried;
   * `stage`: a word for what became of a lead, which is grouped by and not filtered by.
   */
  type: 'time' | 'weekday' | 'entity' | 'code' | 'text' | 'stage'
  /** Needed on top of `report.read`. */
  permission?: Permission
  /** Which rows alone have it; absent: all. Figures of other sides are then null. */
  side?: Side
  /** It says who has a lead; one nobody took has none, so that what is made of those too is not known by it. */
  taker?: true
}

/**
 * What a report can be grouped and filtered by, once: filters, options, query, columns and address bar follow this table;
 * the names stand in `web/i18n/{en,uk}/dimension.json`. `manager` is the affiliate's present manager; `currency` is the offer's.
 * A dimension is read from the column of its own name; `server/statistics/expression.ts` names the others.
 */
export const DIMENSIONS = {
  hour: { group: 'time', type: 'time' },
  day: { group: 'time', type: 'time' },
  week: { group: 'time', type: 'time' },
  month: { group: 'time', type: 'time' },
  weekday: { group: 'time', type: 'weekday' },
  offer: { group: 'offer', type: 'entity' },
  goal: { group: 'offer', type: 'entity', side: 'conversion' },
  landing: { group: 'offer', type: 'entity' },
  prelanding: { group: 'offer', type: 'entity' },
  currency: { group: 'offer', type: 'code' },
  lead_status: { group: 'lead', type: 'stage', side: 'lead' },
  lead_reason: { group: 'lead', type: 'stage', side: 'lead' },
  send_outcome: { group: 'lead', type: 'stage', side: 'lead', permission: 'report.money' },
  product: { group: 'lead', type: 'entity', side: 'lead', permission: 'report.money', taker: true },
  affiliate: { group: 'partner', type: 'entity', permission: 'affiliate.read' },
  advertiser: { group: 'partner', type: 'entity', permission: 'report.money', taker: true },
  manager: { group: 'partner', type: 'entity', permission: 'affiliate.read' },
  geo: { group: 'place', type: 'code' },
  region: { group: 'place', type: 'text' },
  city: { group: 'place', type: 'text' },
  network: { group: 'place', type: 'text' },
  connection: { group: 'place', type: 'code' },
  device: { group: 'device', type: 'code' },
  brand: { group: 'device', type: 'text' },
  model: { group: 'device', type: 'text' },
  os: { group: 'device', type: 'code' },
  os_version: { group: 'device', type: 'text' },
  browser: { group: 'device', type: 'code' },
  browser_version: { group: 'device', type: 'text' },
  language: { group: 'device', type: 'code' },
  referrer: { group: 'visit', type: 'text' },
  ad_param: { group: 'visit', type: 'text' },
  reason: { group: 'visit', type: 'code', side: 'click' },
  source: { group: 'sub', type: 'text' },
  sub1: { group: 'sub', type: 'text' },
  sub2: { group: 'sub', type: 'text' },
  sub3: { group: 'sub', type: 'text' },
  sub4: { group: 'sub', type: 'text' },
  sub5: { group: 'sub', type: 'text' },
  sub6: { group: 'sub', type: 'text' },
  sub7: { group: 'sub', type: 'text' },
  sub8: { group: 'sub', type: 'text' },
  sub9: { group: 'sub', type: 'text' },
  sub10: { group: 'sub', type: 'text' },
} as const satisfies Record<string, Dimension>

export type DimensionId = keyof typeof DIMENSIONS
export const DIMENSION_IDS = Object.keys(DIMENSIONS) as [DimensionId, ...DimensionId[]] // keys of a literal object

/** A dimension with its optional fields visible to the type checker. */
export function dimensionOf(id: DimensionId): Dimension {
  return DIMENSIONS[id]
}

export type FilterId = {
  [Id in DimensionId]: (typeof DIMENSIONS)[Id]['type'] extends 'time' | 'weekday' | 'stage' ? never : Id
}[DimensionId]
const UNFILTERED: ReadonlySet<Dimension['type']> = new Set(['time', 'weekday', 'stage'])

/** The dimensions that can be filtered by: all but those of time, for which there is the period, and what became of leads, by which their list is filtered. */
export const FILTER_IDS = DIMENSION_IDS.filter((id): id is FilterId => isFilter(id))

/** Whether a name is that of a dimension that can be filtered by. */
export function isFilter(name: string): name is FilterId {
  const id = DIMENSION_IDS.find((one) => one === name)
  return id !== undefined && !UNFILTERED.has(DIMENSIONS[id].type)
}
