import { z } from 'zod'
import { DIMENSIONS, FILTER_IDS, type Dimension, type FilterId } from './dimension.ts'
import { textFilter } from './report.ts'

/** What clicks show as text under the id of its dimension. Partners, landings, sub1 to sub10 and the reason are shown otherwise. */
export type ClickText = {
  [Id in FilterId]: (typeof DIMENSIONS)[Id]['type'] extends 'entity'
    ? never
    : Id extends 'currency' | 'reason' | `sub${number}`
      ? never
      : Id
}[FilterId]
export const CLICK_TEXTS = FILTER_IDS.filter(
  (id): id is ClickText => DIMENSIONS[id].type !== 'entity' && !/^(currency|reason|sub\d+)$/.test(id),
)

/** What clicks hold beside: a `code` is copied, a `text` is read; the heading it stands under is one of dimensions. Lists are filtered by what is `filtered`. */
export const CLICK_COLUMNS = {
  aff_click_id: { holds: 'code', group: 'sub' },
  ip: { holds: 'code', group: 'place' },
  ua: { holds: 'text', group: 'device' },
  referrer_path: { holds: 'text', group: 'visit', filtered: true },
  ad_id: { holds: 'code', group: 'visit', filtered: true },
  hints: { holds: 'text', group: 'device', filtered: true },
  unread: { holds: 'text', group: 'visit', filtered: true },
} as const satisfies Record<string, { holds: 'code' | 'text'; group: Dimension['group']; filtered?: true }>
/** Those of them nobody groups by. Affiliates see addresses cut to /24 and /48; '' once cleared. */
export const CLICK_DETAILS = beside(DIMENSIONS, Object.keys(CLICK_COLUMNS) as (keyof typeof CLICK_COLUMNS)[]) // keys of a literal object
export type ClickDetail = (typeof CLICK_DETAILS)[number]

/** Details by which lists of clicks and of conversions are filtered, and reports are not: they tell one click from all others. */
export type DetailFilter = { [Id in ClickDetail]: (typeof CLICK_COLUMNS)[Id] extends { filtered: true } ? Id : never }[ClickDetail]
export const DETAIL_FILTERS = CLICK_DETAILS.filter((id): id is DetailFilter => 'filtered' in CLICK_COLUMNS[id])
/** One field for each of them, as reports have for texts; values may be as long as the longest there is. */
export const detailFilters = Object.fromEntries(DETAIL_FILTERS.map((id) => [id, textFilter(1100)])) as Record<
  DetailFilter,
  ReturnType<typeof textFilter>
> // each id with its schema

/** The texts and details of a click that are columns of a conversion too; all others it carries by their names. */
const OF_CONVERSIONS = ['geo', 'device', 'os', 'browser', 'language', 'source', 'aff_click_id', 'ip', 'ua'] as const
export type VisitorFact = Exclude<ClickText | ClickDetail, (typeof OF_CONVERSIONS)[number]>
/** What a conversion keeps of its click beside its own columns; '' = unknown, or forgotten with the address. */
export const VISITOR_FACTS = [...CLICK_TEXTS, ...CLICK_DETAILS].filter((id): id is VisitorFact => !OF_CONVERSIONS.some((own) => own === id))

/** The columns that are no dimensions: those are shown as such. */
export function beside<Table extends object, Name extends string>(dimensions: Table, columns: readonly Name[]) {
  return columns.filter((name): name is Exclude<Name, keyof Table> => !Object.hasOwn(dimensions, name))
}

/** The shape of columns that are all text. */
export function texts<Name extends string>(names: readonly Name[]): Record<Name, z.ZodString> {
  return Object.fromEntries(names.map((name) => [name, z.string()])) as Record<Name, z.ZodString> // one for each name
}
