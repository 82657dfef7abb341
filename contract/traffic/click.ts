import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line, moment, timeZone } from '#contract/fields.ts'
import { offerType } from '#contract/offers/offer-type.ts'
import { rawListOf, rawPaging, sorting } from '#contract/paging.ts'
import { CLICK_DETAILS, CLICK_TEXTS, detailFilters, texts } from './click-column.ts'
import { conversion, conversionDetail } from './conversion.ts'
import { FILTER_IDS } from './dimension.ts'
import { period } from './period.ts'
import { reportFilters, reportKey } from './report.ts'

/** counted: sent on; refused: with a reason; filtered: bots, HEAD, previews; test: test clicks. */
export const CLICK_KINDS = ['counted', 'refused', 'filtered', 'test'] as const
const clickKind = z.enum(CLICK_KINDS)

/** What clicks are sorted by: all that reports are filtered by but what clicks have not themselves; nobody orders by ids and addresses. */
export const CLICK_SORTS = [
  'at',
  'kind',
  ...FILTER_IDS.filter((id) => id !== 'goal' && id !== 'product' && id !== 'currency' && id !== 'manager'),
] as const

export const clickFilters = z.object({
  ...rawPaging,
  /** In any order but the newest first pages have no cursor; names one may not know stand together. */
  ...sorting(CLICK_SORTS),
  period: period.prefault({}),
  zone: timeZone.nullable().default(null),
  kinds: z.array(clickKind).max(4).default(['counted', 'refused']),
  /** Only on offers of this type; null = of both. */
  offer_type: offerType.nullable().default(null),
  filters: reportFilters.extend(detailFilters).prefault({}),
  /** One of our click ids, the affiliate's own id, or that of an ad network (gclid …), whole. */
  search: line(512).default(''),
})

/** How many clicks of the kinds asked for a list has; not behind a cursor. */
export const clickTotals = {
  counted: z.int(),
  refused: z.int(),
  filtered: z.int(),
  test: z.int(),
  /** Different visitors among the counted, estimated; null where they would have to be looked for in the rows. */
  uniques: z.int().nullable(),
}

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
  /** What advertisers reported of it, refused calls too, oldest first, at most 100; for staff, and without what a call said. */
  postbacks_in: z.array(
    conversionDetail.shape.postbacks_in.element.pick({ id: true, at: true, outcome: true, reason: true, http_status: true }),
  ),
  /** What the affiliate was told of its conversions, oldest first, at most 100; for the affiliate and staff who may know it. */
  postbacks_out: conversionDetail.shape.postbacks_out,
})

/** Raw clicks of direct-link traffic, refused ones too. */
export const clickApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/report/v1/clicks',
    access: 'report.read',
    reads: true,
    summary: 'Raw clicks in the own scope, newest first.',
    body: clickFilters,
    response: rawListOf(click, clickTotals),
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
