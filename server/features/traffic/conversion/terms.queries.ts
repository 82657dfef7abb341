import { sql } from 'kysely'
import type { Dialect } from '#contract/traffic/dialect.ts'
import { scaleOf, type Currency } from '#contract/money/amount.ts'
import { compileOnce } from '#server/platform/pg/compile-once.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { PostbackWord } from '#server/rules/conversion/postback-meaning.ts'
import type { PayoutRule } from '#server/rules/offer/payout.ts'

export type Goal = { id: number; code: string; title: string; type: string; is_default: boolean; repeatable: boolean; retired: boolean }

/** What an offer says about conversions: who may report them, how they are paid, and when they count. */
export type OfferTerms = {
  id: number
  title: string
  currency: Currency
  /** Decimals that computed amounts get. */
  scale: number
  hold_days: number
  click_lifetime_days: number
  /** Seconds from click to conversion. */
  min_conversion_time: number | null
  max_conversion_time: number | null
  postback_token: string | null
  advertiser_id: number
  advertiser_token: string
  /** The one before it, and until when calls that carry it are taken. */
  previous_token: string | null
  previous_token_until: Date | null
  allowed_ips: string[]
  postback_auth: 'token' | 'ip' | 'either' | 'both'
  postback_words: PostbackWord[]
  /** How its advertiser reports now, and the sealed secret that signs its bodies (base64); null = as anybody. */
  spoken: { version: number; dialect: Dialect | null; secret: string | null } | null
  no_status_approved: boolean
  goals: Goal[]
  rules: PayoutRule[]
}

/**
 * The terms of offers by id, whatever their status: paused and stopped ones still take postbacks for earlier clicks. An API offer
 * has no advertiser of its own: it is found only where one is named, whose product took the lead. One statement.
 */
export async function loadTerms(
  db: DbOrTrx,
  offerIds: readonly number[],
  advertiserId: number | null = null,
): Promise<Map<number, OfferTerms>> {
  const rows = await termsOf(db, { offerIds: [...new Set(offerIds)], advertiserId })
  return new Map(rows.map(({ decimals, ...row }) => [row.id, { ...row, scale: scaleOf(decimals) }]))
}

/** For how many days offers hold what was approved, by number: of API offers too, whose terms are those of whoever took the lead. */
export async function holdDaysOf(db: DbOrTrx, offerIds: readonly number[]): Promise<Map<number, number>> {
  if (offerIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('offer')
    .select(['id', 'hold_days'])
    .where('id', 'in', [...new Set(offerIds)])
    .execute()
  return new Map(rows.map(({ id, hold_days }) => [id, hold_days]))
}

const termsOf = compileOnce((db, { offerIds, advertiserId }: { offerIds: number[]; advertiserId: number | null }) =>
  db
    .selectFrom('offer as o')
    .innerJoin('advertiser as v', (join) => join.on(sql<boolean>`v.id = coalesce(o.advertiser_id, ${advertiserId}::integer)`))
    .innerJoin('currency as c', 'c.code', 'o.currency')
    .select([
      'o.id',
      'o.title',
      'o.currency',
      'o.hold_days',
      'o.click_lifetime_days',
      'o.min_conversion_time',
      'o.max_conversion_time',
      'o.postback_token',
      'v.id as advertiser_id',
      'v.postback_token as advertiser_token',
      'v.previous_token',
      'v.previous_token_until',
      'v.allowed_ips',
      'v.postback_auth',
      'v.postback_words',
      'v.no_status_approved',
      'c.decimals',
    ])
    .select([
      sql<OfferTerms['spoken']>`(
        select json_build_object('version', d.version, 'dialect', d.dialect, 'secret', encode(d.secret, 'base64'))
          from advertiser_dialect d where d.advertiser_id = v.id order by d.version desc limit 1)`.as('spoken'),
      sql<Goal[]>`(
        select coalesce(json_agg(json_build_object(
          'id', g.id, 'code', g.code, 'title', g.title, 'type', g.type, 'is_default', g.is_default, 'repeatable', g.repeatable, 'retired', g.retired) order by g.position, g.id), '[]')
          from goal g where g.offer_id = o.id)`.as('goals'),
      // amounts as text: JSON numbers would be floats
      sql<PayoutRule[]>`(
        select coalesce(json_agg(json_build_object(
          'id', r.id, 'goal_id', r.goal_id, 'position', r.position, 'affiliate_ids', r.affiliate_ids, 'landing_ids', r.landing_ids, 'geos', r.geos, 'devices', r.devices, 'oses', r.oses,
          'payout_fixed', r.payout_fixed::text, 'payout_percent', r.payout_percent::text,
          'revenue_fixed', r.revenue_fixed::text, 'revenue_percent', r.revenue_percent::text) order by r.position, r.id), '[]')
          from payout_rule r where r.offer_id = o.id)`.as('rules'),
    ])
    .where(sql<boolean>`o.id = any(${offerIds}::int[])`),
)
