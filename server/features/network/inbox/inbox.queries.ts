import { sql, type RawBuilder } from 'kysely'
import { INBOX_DAYS } from '#contract/network/inbox.ts'
import { isHeldForReview, needsMapping, waitsForOrder } from '#server/features/traffic/postback/log.queries.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { landingIsInScope } from '#server/features/offers/landing/landing.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { reference } from '#server/platform/pg/reference.ts'

const DAY = 86_400_000
const OFFER = reference({ uuid: 'o.uuid', id: 'o.id', name: 'o.title' }).as('offer')
const SIDES = { affiliateManager: 'f.manager_id', advertiserManager: 'v.manager_id' }

/** Requests for access to offers one may change; affiliates of others without their names. */
export function accessWaiting(db: DbOrTrx, scope: Scope, now: number) {
  const found = db
    .selectFrom('offer_access as x')
    .innerJoin('offer as o', 'o.id', 'x.offer_id')
    .leftJoin('advertiser as v', 'v.id', 'o.advertiser_id')
    .innerJoin('affiliate as f', 'f.id', 'x.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .where('x.status', '=', 'pending')
    .where('o.status', '!=', 'archived')
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
  const name = sql<string>`case when ${isInScope(scope, { affiliateManager: 'f.manager_id' })} then a.name else '' end`
  const record = sql<{ approved: number; declined: number }>`(
    select json_build_object('approved', count(*) filter (where c.status in ('approved', 'hold')), 'declined', count(*) filter (where c.status = 'declined'))
      from conversion c join advertiser cv on cv.id = c.advertiser_id
     where c.affiliate_id = f.id and c.created_at > ${new Date(now - INBOX_DAYS * DAY)}
       and ${inScope(scope, { affiliateManager: 'f.manager_id', advertiserManager: 'cv.manager_id' })})`
  const list = found
    .select([sql<string>`coalesce(f.country, '')`.as('geo'), 'f.traffic_sources as sources', record.as('record')])
    .select([sql<string>`o.uuid || ' ' || a.uuid`.as('id'), 'x.requested_at as at', 'x.message as text', OFFER])
    .select(sql<{ uuid: string; id: number; name: string }>`json_build_object('uuid', a.uuid, 'id', f.id, 'name', ${name})`.as('affiliate'))
    .orderBy('x.requested_at', (order) => order.asc().nullsFirst())
    .orderBy('x.offer_id')
    .orderBy('x.affiliate_id')
  return { found, list }
}

/** Applications of affiliates. */
export function affiliatesWaiting(db: DbOrTrx, scope: Scope) {
  const found = db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .where('f.status', '=', 'moderation')
    .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
  const list = found
    .select(['a.uuid as id', 'f.created_at as at', 'a.email as text', affiliateOf(sql`true`)])
    .select([sql<string>`coalesce(f.country, '')`.as('geo'), 'f.traffic_sources as sources'])
    .orderBy('f.created_at')
    .orderBy('f.id')
  return { found, list }
}

/** Landings somebody proposed, with one of the offers they are for. */
export function landingsWaiting(db: DbOrTrx, scope: Scope) {
  const found = db
    .selectFrom('landing as l')
    .leftJoin('advertiser as d', 'd.id', 'l.advertiser_id')
    .leftJoin('account as by', 'by.id', 'l.proposed_by')
    .leftJoinLateral(
      (join) =>
        join
          .selectFrom('offer_landing as x')
          .innerJoin('offer', 'offer.id', 'x.offer_id')
          .select(['offer.uuid', 'offer.id', 'offer.title'])
          .whereRef('x.landing_id', '=', 'l.id')
          .orderBy('offer.id')
          .limit(1)
          .as('o'),
      (join) => join.onTrue(),
    )
    .where('l.status', '=', 'moderation')
    .where(landingIsInScope(scope))
  const list = found
    .select(['l.uuid as id', 'l.created_at as at', 'l.url as text', 'by.name as by', OFFER])
    .select([
      reference({ uuid: 'd.uuid', id: 'd.id', name: 'd.name' }).as('advertiser'),
      reference({ uuid: 'l.uuid', id: 'l.id', name: 'l.name' }).as('landing'),
    ])
    .orderBy('l.created_at')
    .orderBy('l.id')
  return { found, list }
}

/** Pending conversions of either side; the other side without its name. */
export function conversionsWaiting(db: DbOrTrx, scope: Scope) {
  const found = db
    .selectFrom('conversion as c')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('affiliate as f', 'f.id', 'c.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .innerJoin('advertiser as v', 'v.id', 'c.advertiser_id')
    .where('c.status', '=', 'pending')
    .where(inScope(scope, SIDES))
  const list = found
    .select(['c.uuid as id', 'c.created_at as at', 'c.geo', 'g.title as goal', CONVERSION, OFFER, affiliateOf(seesAffiliate(scope))])
    .select(advertiserOf(scope))
    .select(sql<Money>`${MONEY}`.as('money'))
    .orderBy('c.created_at')
    .orderBy('c.id')
  return { found, list }
}

/** Postbacks to affiliates that were given up lately: the last try of each, of postbacks that are still there. */
export function deliveriesWaiting(db: DbOrTrx, scope: Scope, now: number) {
  const found = db
    .selectFrom('postback_delivery as d')
    .innerJoin('affiliate_postback as p', 'p.id', 'd.postback_id')
    .innerJoin('conversion as c', 'c.id', 'd.conversion_id')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('affiliate as f', 'f.id', 'd.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .where('d.state', '=', 'dead')
    .where('d.dismissed_at', 'is', null)
    .where('p.status', '!=', 'deleted')
    .where('d.created_at', '>', new Date(now - INBOX_DAYS * DAY))
    .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
    .where(
      sql<boolean>`not exists (select from postback_delivery later
        where later.postback_id = d.postback_id and later.history_seq = d.history_seq and later.replay > d.replay)`,
    )
  const list = found
    .select(['d.uuid as id', sql<Date>`coalesce(d.done_at, d.created_at)`.as('at'), 'd.url as text', 'd.error as reason'])
    .select([CONVERSION, OFFER, affiliateOf(sql`true`)])
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
  return { found, list }
}

/** Postbacks of advertisers that lately were not understood, and those held for review and refunds that wait for their order however long. */
export function postbacksWaiting(db: DbOrTrx, scope: Scope, now: number) {
  const found = db
    .selectFrom('postback_in as p')
    .leftJoin('offer as o', 'o.id', 'p.offer_id')
    .leftJoin('affiliate as f', 'f.id', 'p.affiliate_id')
    .leftJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('advertiser as v', 'v.id', 'p.advertiser_id')
    .leftJoin('conversion as c', 'c.id', 'p.conversion_id')
    .where(
      sql<boolean>`((${needsMapping()} and p.received_at > ${new Date(now - INBOX_DAYS * DAY)}) or ${isHeldForReview()} or ${waitsForOrder()})`,
    )
    .where(inScope(scope, SIDES))
  const list = found
    .select(['p.id', 'p.received_at as at', OFFER, affiliateOf(seesAffiliate(scope)), advertiserOf(scope)])
    .select([
      sql<string>`case when ${isHeldForReview()} then p.outcome else p.reason end`.as('reason'),
      sql<Money | null>`case when c.id is not null then ${MONEY} end`.as('money'),
      sql<{ uuid: string; id: string } | null>`case when c.id is not null then json_build_object('uuid', c.uuid, 'id', c.id::text) end`.as(
        'conversion',
      ),
    ])
    .select(
      sql<string>`coalesce(nullif(p.answer -> 'body' ->> 'detail', ''), p.answer -> 'body' ->> 'parameter', case when ${waitsForOrder()} then ${REFUND} end, '')`.as(
        'text',
      ),
    )
    .orderBy('p.received_at', 'desc')
    .orderBy('p.id', 'desc')
  return { found, list }
}

/** Tickets whose affiliate waits for an answer, the longest first; `text` is how its last message begins. */
export function ticketsWaiting(db: DbOrTrx, scope: Scope) {
  const found = db
    .selectFrom('ticket as t')
    .innerJoin('affiliate as f', 'f.id', 't.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('account as by', 'by.id', 't.assignee_id')
    .where('t.status', '=', 'waiting_us')
    .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
  const list = found
    .select(['t.uuid as id', 't.waiting_since as at', 't.category as reason', 'by.name as by', affiliateOf(sql`true`)])
    .select([
      reference({ uuid: 't.uuid', id: 't.id', name: 't.subject' }).as('ticket'),
      sql<string>`coalesce((select left(m.body, 160) from ticket_message m
        where m.ticket_id = t.id and m.kind = 'message' order by m.id desc limit 1), '')`.as('text'),
    ])
    .orderBy('t.waiting_since')
    .orderBy('t.id')
  return { found, list }
}

/** Referrals that are kept back, the longest first; `by` brought the affiliate. */
export function referralsWaiting(db: DbOrTrx, scope: Scope) {
  const found = db
    .selectFrom('referral as r')
    .innerJoin('affiliate as f', 'f.id', 'r.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .innerJoin('affiliate as g', 'g.id', 'r.referrer_id')
    .innerJoin('account as by', 'by.id', 'g.account_id')
    .where('r.state', '=', 'held')
    .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
    .where(inScope(scope, { affiliateManager: 'g.manager_id' }))
  const list = found
    .select(['r.uuid as id', 'r.held_at as at', 'by.name as by', affiliateOf(sql`true`)])
    .orderBy('r.held_at')
    .orderBy('r.id')
  return { found, list }
}

/** Offers in scope that have caps and run, or would if a cap had not paused them. */
export function cappedOffers(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('offer as o')
    .leftJoin('advertiser as v', 'v.id', 'o.advertiser_id')
    .where(sql<boolean>`o.caps <> '[]'`)
    .where(sql<boolean>`(o.status = 'active' or (o.status = 'paused' and o.over_cap_action = 'pause'))`)
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
    .select(['o.uuid', 'o.id', 'o.title as name', 'o.caps', 'o.time_zone', 'o.currency', 'o.status'])
    .orderBy('o.id')
    .execute()
}

/** The number of a refund's order and what goes back. */
const REFUND = sql`concat_ws(' · ', p.transaction_id, trim_scale((p.parsed -> 'refund' ->> 'amount')::numeric)::text || ' ' || left(p.parsed ->> 'currency', 8))`

type Money = { currency: string; payout: string; revenue: string }
const MONEY = sql`json_build_object('currency', c.currency, 'payout', c.payout::text, 'revenue', c.revenue::text)`
const CONVERSION = sql<{ uuid: string; id: string }>`json_build_object('uuid', c.uuid, 'id', c.id::text)`.as('conversion')

function affiliateOf(seen: RawBuilder<boolean> | RawBuilder<unknown>) {
  return sql<{ uuid: string; id: number; name: string } | null>`
    case when ${seen} then ${reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' })} end`.as('affiliate')
}

function advertiserOf(scope: Scope) {
  return sql<{ uuid: string; id: number; name: string } | null>`
    case when ${isInScope(scope, { advertiserManager: 'v.manager_id' })} then ${reference({ uuid: 'v.uuid', id: 'v.id', name: 'v.name' })} end`.as(
    'advertiser',
  )
}

function seesAffiliate(scope: Scope): RawBuilder<boolean> {
  return isInScope(scope, { affiliateManager: 'f.manager_id' })
}
