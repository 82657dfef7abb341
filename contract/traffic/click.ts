import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line, moment, timeZone } from '#contract/fields.ts'
import { rawListOf, rawPaging } from '#contract/paging.ts'
import { conversion } from './conversion.ts'
import { DIMENSIONS, FILTER_IDS, type FilterId } from './dimension.ts'
import { period, reportFilters, reportKey } from './report.ts'

/** counted: sent on; refused: with a reason; filtered: bots, HEAD, previews; test: test clicks. */
export const CLICK_KINDS = ['counted', 'refused', 'filtered', 'test'] as const
const clickKind = z.enum(CLICK_KINDS)

export const clickFilters = z.object({
  ...rawPaging,
  period: period.prefault({}),
  zone: timeZone.nullable().default(null),
  kinds: z.array(clickKind).max(4).default(['counted', 'refused']),
  filters: reportFilters.prefault({}),
  /** One of our click ids, the affiliate's own id, or that of an ad network (gclid …), whole. */
  search: line(255).default(''),
})

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
/** Columns of a click by what they hold: a `code` is copied, a `text` is read. */
export const CLICK_COLUMNS = {
  aff_click_id: 'code',
  ip: 'code',
  ua: 'text',
  referrer_path: 'text',
  ad_id: 'code',
  hints: 'text',
  unread: 'text',
} as const satisfies Record<string, 'code' | 'text'>
/** What clicks show beside that: columns nobody groups by. Affiliates see addresses cut to /24 and /48; '' once cleared. */
export const CLICK_DETAILS = beside(DIMENSIONS, Object.keys(CLICK_COLUMNS) as (keyof typeof CLICK_COLUMNS)[]) // keys of a literal object

export const click = z.object({
  at: moment,
  /** Ours; null for a click of before the keys were made. */
  click_id: z.string().nullable(),
  kind: clickKind,
  /** Why it was refused; '' otherwise. */
  reason: z.string(),
  /** bot, head, prefetch, test, duplicate, deeplink_ignored */
  flags: z.array(z.string()),
  offer: reportKey,
  affiliate: reportKey.optional(),
  advertiser: reportKey.optional(),
  landing: reportKey,
  prelanding: reportKey,
  ...texts(CLICK_TEXTS),
  /** sub1 to sub10. */
  subs: z.array(z.string()),
  ...texts(CLICK_DETAILS),
})

/** One click with what came of it: its conversions, the first one first; affiliates get no revenue. */
export const clickDetail = z.object({
  click,
  conversions: z.array(
    conversion.pick({
      uuid: true,
      id: true,
      created_at: true,
      status: true,
      reason: true,
      goal: true,
      currency: true,
      payout: true,
      revenue: true,
    }),
  ),
})

/** The columns that are no dimensions: those are shown as such. */
export function beside<Table extends object, Name extends string>(dimensions: Table, columns: readonly Name[]) {
  return columns.filter((name): name is Exclude<Name, keyof Table> => !Object.hasOwn(dimensions, name))
}

function texts<Name extends string>(names: readonly Name[]): Record<Name, z.ZodString> {
  return Object.fromEntries(names.map((name) => [name, z.string()])) as Record<Name, z.ZodString> // one for each name
}

/** Raw clicks of direct-link traffic, refused ones too. */
export const clickApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/report/v1/clicks',
    access: 'report.read',
    summary: 'Raw clicks in the own scope, newest first.',
    body: clickFilters,
    response: rawListOf(click),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/report/v1/click/:uuid',
    access: 'report.read',
    summary: 'One click in the own scope by its click id, whatever its kind, with its conversions.',
    params: z.object({ uuid: line(64) }),
    response: clickDetail,
  }),
}
