import type { Permission } from '#contract/access.ts'

export type Dimension = {
  label: string
  /** The heading it stands under in the picker. */
  group: 'time' | 'partner' | 'offer' | 'visitor' | 'sub'
  /**
   * What its keys are. `time`: the first moment of the hour, day, week (Monday) or month; `weekday`: 1 (Monday) to 7;
   * `entity`: a number with a name and, where the caller may see it, a uuid; `code`: a word of a known list; `text`: whatever the click carried.
   */
  type: 'time' | 'weekday' | 'entity' | 'code' | 'text'
  /** Needed on top of `report.read`. */
  permission?: Permission
  /** Which rows have it: clicks only, conversions only, or (absent) both. Figures of the other side are then null. */
  side?: 'click' | 'conversion'
}

/**
 * What a report can be grouped and filtered by, once: options, query, columns and address bar follow this table.
 * `manager` is the affiliate's present manager; `currency` is the offer's.
 */
export const DIMENSIONS = {
  hour: { label: 'Hour', group: 'time', type: 'time' },
  day: { label: 'Day', group: 'time', type: 'time' },
  week: { label: 'Week', group: 'time', type: 'time' },
  month: { label: 'Month', group: 'time', type: 'time' },
  weekday: { label: 'Weekday', group: 'time', type: 'weekday' },
  offer: { label: 'Offer', group: 'offer', type: 'entity' },
  goal: { label: 'Goal', group: 'offer', type: 'entity', side: 'conversion' },
  landing: { label: 'Landing', group: 'offer', type: 'entity' },
  prelanding: { label: 'Pre-landing', group: 'offer', type: 'entity' },
  currency: { label: 'Currency', group: 'offer', type: 'code' },
  affiliate: { label: 'Affiliate', group: 'partner', type: 'entity', permission: 'affiliate.read' },
  advertiser: { label: 'Advertiser', group: 'partner', type: 'entity', permission: 'report.money' },
  manager: { label: 'Manager', group: 'partner', type: 'entity', permission: 'affiliate.read' },
  geo: { label: 'Country', group: 'visitor', type: 'code' },
  device: { label: 'Device', group: 'visitor', type: 'code' },
  os: { label: 'System', group: 'visitor', type: 'code' },
  browser: { label: 'Browser', group: 'visitor', type: 'code' },
  language: { label: 'Language', group: 'visitor', type: 'code' },
  reason: { label: 'Refusal reason', group: 'visitor', type: 'code', side: 'click' },
  source: { label: 'Source', group: 'sub', type: 'text' },
  sub1: { label: 'Sub 1', group: 'sub', type: 'text' },
  sub2: { label: 'Sub 2', group: 'sub', type: 'text' },
  sub3: { label: 'Sub 3', group: 'sub', type: 'text' },
  sub4: { label: 'Sub 4', group: 'sub', type: 'text' },
  sub5: { label: 'Sub 5', group: 'sub', type: 'text' },
  sub6: { label: 'Sub 6', group: 'sub', type: 'text' },
  sub7: { label: 'Sub 7', group: 'sub', type: 'text' },
  sub8: { label: 'Sub 8', group: 'sub', type: 'text' },
  sub9: { label: 'Sub 9', group: 'sub', type: 'text' },
  sub10: { label: 'Sub 10', group: 'sub', type: 'text' },
} as const satisfies Record<string, Dimension>

export type DimensionId = keyof typeof DIMENSIONS
export const DIMENSION_IDS = Object.keys(DIMENSIONS) as [DimensionId, ...DimensionId[]] // keys of a literal object

/** A dimension with its optional fields visible to the type checker. */
export function dimensionOf(id: DimensionId): Dimension {
  return DIMENSIONS[id]
}
