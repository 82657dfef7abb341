import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, countryCode, line, moment, reference, someOf, timeZone, uuid } from '#contract/fields.ts'
import { trafficAsked } from '#contract/leads/traffic-type.ts'
import { currency } from '#contract/money/amount.ts'
import { offerType } from '#contract/offers/offer-type.ts'
import { rawListOf, rawPaging, sorting } from '#contract/paging.ts'
import { DETAIL_FILTERS, detailFilters, texts, VISITOR_FACTS } from './click-column.ts'
import { FILTER_IDS, isFilter } from './dimension.ts'
import { period } from './period.ts'
import { reportFilters, reportKey } from './report.ts'
import { verdict } from './verdict.ts'

/** pending: the advertiser has still to decide; hold: approved, waiting out the offer's days; trash is outside all rates. */
export const CONVERSION_STATUSES = ['pending', 'hold', 'approved', 'declined', 'trash'] as const
export const conversionStatus = z.enum(CONVERSION_STATUSES)
export type ConversionStatus = z.output<typeof conversionStatus>

export const PAYMENT_STATES = ['open', 'invoiced', 'paid'] as const

/** What changed a status: an advertiser's postback, staff, a file, or a rule (hold over, cap reached). */
export const CHANGE_ORIGINS = ['postback', 'staff', 'import', 'rule'] as const
export const changeOrigin = z.enum(CHANGE_ORIGINS)
export type ChangeOrigin = z.output<typeof changeOrigin>

/** A name, where the caller may see it: the other side of a conversion is null unless it is the caller's too. */
const partner = reference.nullable()

export const conversion = z.object({
  uuid,
  id: z.string(),
  created_at: moment,
  click_at: moment,
  click_id: z.string(),
  transaction_id: z.string().nullable(),
  offer: reference,
  offer_type: offerType,
  /** null for an affiliate where the goal is hidden. */
  goal: z.object({ code: z.string(), title: z.string() }).nullable(),
  affiliate: partner,
  /** Staff only, like `revenue` and `amount`. */
  advertiser: partner.optional(),
  status: conversionStatus,
  payment_state: z.enum(PAYMENT_STATES),
  reason: z.string(),
  hold_until: moment.nullable(),
  currency,
  payout: z.string(),
  revenue: z.string().optional(),
  /** What the advertiser reported, in the conversion's currency. */
  amount: z.string().nullable().optional(),
  geo: z.string(),
  device: z.string(),
  os: z.string(),
  browser: z.string(),
  lang: z.string(),
  landing: reportKey,
  prelanding: reportKey,
  source: z.string(),
  /** sub1 to sub10. */
  subs: z.array(z.string()),
  aff_click_id: z.string(),
  /** Affiliates see addresses cut to /24 and /48. */
  ip: z.string(),
  ua: z.string(),
  ...texts(VISITOR_FACTS),
})

/** Revenue and profit for staff only. */
const sums = { payout: z.string(), revenue: z.string().optional(), profit: z.string().optional() }

/** The money of all conversions of a list, the currency of most of them first: amounts of different ones are never added. */
export const conversionTotals = {
  /** Of it what nobody gets: declined, or in the trash. Absent where that is nothing. */
  amounts: z.array(z.object({ currency, ...sums, lost: z.object(sums).optional() })),
}

/** What conversions are filtered by as reports are, with the details of their clicks: all but why clicks are refused and to which product a lead was sent. */
export const CONVERSION_FILTERS = [...FILTER_IDS.filter((id) => id !== 'reason' && id !== 'product'), ...DETAIL_FILTERS]

/**
 * What conversions are sorted by: not by landings, whose names stand elsewhere and are not for every affiliate, nor by what only
 * tells one click from another. Who does not see revenue, amounts, partners and reasons in full is not told of them by the order.
 */
export const CONVERSION_SORTS = [
  'created_at',
  'id',
  'status',
  'payout',
  'revenue',
  'profit',
  'amount',
  'hold_until',
  'click_at',
  'payment',
  'click_id',
  'transaction_id',
  'reason',
  ...CONVERSION_FILTERS.filter((id) => isFilter(id)).filter((id) => id !== 'manager' && id !== 'landing' && id !== 'prelanding'),
] as const

export const conversionFilters = z.object({
  ...rawPaging,
  /** Amounts as numbers, whatever their currency. In any order but the newest first pages have no cursor. */
  ...sorting(CONVERSION_SORTS),
  /** Of receipt, by days of the zone (null = the caller's own); null = whenever. Goes before `from` and `to`. */
  period: period.nullable().default(null),
  zone: timeZone.nullable().default(null),
  /** Receipt, from inclusive, to exclusive. */
  from: moment.nullable().default(null),
  to: moment.nullable().default(null),
  /** Only of offers of this type; null = of both. */
  offer_type: offerType.nullable().default(null),
  /** Of offers of leads; where something is looked for nothing said means both. */
  traffic: trafficAsked,
  offer_uuid: z.array(uuid).max(100).default([]),
  affiliate_uuid: z.array(uuid).max(100).default([]),
  advertiser_uuid: z.array(uuid).max(100).default([]),
  landing_uuid: z.array(uuid).max(100).default([]),
  prelanding_uuid: z.array(uuid).max(100).default([]),
  status: someOf(conversionStatus),
  goal: z.array(line(64)).max(50).default([]),
  geo: z.array(countryCode).max(250).default([]),
  filters: reportFilters.omit({ reason: true }).extend(detailFilters).prefault({}),
  /** A click id (ours, the affiliate's or an ad network's), transaction id, or a conversion's uuid or number, whole. */
  search: line(512).default(''),
})

/**
 * The life of one conversion, oldest first: a page for those who have one, a panel over the list for others. Who does not
 * see the advertiser gets postbacks without what they said, who does not see the affiliate none that were sent to it;
 * affiliates get only the bookings of their own accounts, and no names of staff.
 */
export const conversionDetail = z.object({
  conversion,
  /** The click as it was stored; null when its row is gone (retention) or not stored yet. */
  click: z
    .object({
      at: moment,
      reason: z.string(),
      flags: z.array(z.string()),
      geo: z.string(),
      device: z.string(),
      os: z.string(),
      browser: z.string(),
      lang: z.string(),
      ip: z.string(),
      ua: z.string(),
      source: z.string(),
      subs: z.array(z.string()),
      aff_click_id: z.string(),
      landing: reportKey,
      prelanding: reportKey,
    })
    .nullable(),
  /** The click's own checks, then those the postback had to pass, then the payout rule. */
  verdicts: z.array(verdict),
  history: z.array(
    z.object({
      /** Its number in the chain the affiliate can verify, and its hash there; null and '' where the affiliate was told nothing of it. */
      chain_seq: z.int().nullable(),
      at: moment,
      from: conversionStatus.nullable(),
      to: conversionStatus,
      reason: z.string(),
      origin: changeOrigin,
      /** The member of staff, for staff. */
      actor: z.string().nullable(),
      payout: z.string(),
      hash: z.string(),
    }),
  ),
  postbacks_in: z.array(
    z.object({
      id: z.string(),
      at: moment,
      method: z.string(),
      query: z.string(),
      body: z.string(),
      ip: z.string(),
      outcome: z.string(),
      reason: z.string(),
      http_status: z.int(),
    }),
  ),
  postbacks_out: z.array(
    z.object({
      uuid,
      at: moment,
      method: z.string(),
      url: z.string(),
      state: z.string(),
      tries: z.int(),
      http_status: z.int().nullable(),
      error: z.string(),
      next_try_at: moment.nullable(),
      attempts: z.array(
        z.object({ at: moment, duration_ms: z.int(), http_status: z.int().nullable(), error: z.string(), response: z.string() }),
      ),
    }),
  ),
  /** The bookings, entry by entry; positive = debit. */
  money: z.array(
    z.object({ at: moment, kind: z.string(), currency, entries: z.array(z.object({ account: z.string(), amount: z.string() })) }),
  ),
})

/** What staff may decide. `approved` means hold where the offer has hold days left; a conversion on hold is released by it. */
export const DECISIONS = ['approved', 'declined', 'trash', 'pending'] as const
export const decision = z.object({
  uuids: z.array(uuid).min(1).max(1000),
  status: z.enum(DECISIONS),
  /** Those that do not stand at it, where it is told, are refused. */
  expected: conversionStatus.optional(),
  /** Required for declined and trash; affiliates see it. */
  reason: line(200).default(''),
})

const refused = z.array(z.object({ uuid, reason: z.string() }))

/** What `undo` takes back: the entry of the conversion's history a decision wrote. */
const recorded = z.object({ uuid, seq: z.int() })

export const conversionImport = z.object({
  /**
   * CSV with a header line (comma or semicolon). Changes: `conversion_id` (uuid or number) or `click_id`/`transaction_id`,
   * with `status` and, where wanted, `reason` and `amount`. New ones: `click_id`, `goal`, `status`, `amount`, `currency`, `transaction_id`.
   */
  csv: z.string().min(1).max(1_000_000),
})

export const conversionApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/conversion/v1/list',
    access: 'report.read',
    reads: true,
    summary: 'Raw conversions in the own scope, newest first.',
    body: conversionFilters,
    response: rawListOf(conversion, conversionTotals),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/conversion/v1/get/:uuid',
    access: 'report.read',
    summary: 'The whole life of one conversion, with the fields of who asks.',
    params: byUuid,
    response: conversionDetail,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/conversion/v1/decide',
    access: 'conversion.decide',
    summary: 'Approves, declines, trashes or reopens up to 1,000 conversions.',
    body: decision,
    response: z.object({
      changed: z.int(),
      refused,
      decisions: z.array(recorded),
      /** Until when the last of those that are on hold now is; null where none is. */
      hold_until: moment.nullable(),
    }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/conversion/v1/undo',
    access: 'conversion.decide',
    summary: 'Takes up to 1,000 own decisions back, each to the state before it; what has changed since is refused.',
    body: z.object({ decisions: z.array(recorded).min(1).max(1000) }),
    response: z.object({ changed: z.int(), refused }),
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/conversion/v1/import',
    access: 'conversion.decide',
    summary: 'Applies a file of statuses and new conversions, line by line.',
    body: conversionImport,
    response: z.object({
      created: z.int(),
      changed: z.int(),
      unchanged: z.int(),
      /** Changes of paid conversions that wait in the inbox, where the network asks first. */
      held: z.int(),
      failed: z.array(z.object({ line: z.int(), reason: z.string() })),
    }),
  }),
  chain: endpoint({
    method: 'POST',
    path: '/api/conversion/v1/chain',
    access: 'balance.own',
    reads: true,
    summary: 'The own history, entry by entry, with the hashes that chain it.',
    body: z.object({ after_seq: z.int().min(0).default(0), most: z.int().min(1).max(5_000).default(1_000) }),
    response: z.object({
      head: z.object({ seq: z.int(), hash: z.string() }),
      /** `body` is the canonical JSON (RFC 8785) the hash was made of. */
      list: z.array(z.object({ seq: z.int(), body: z.string(), hash: z.string() })),
    }),
  }),
}
