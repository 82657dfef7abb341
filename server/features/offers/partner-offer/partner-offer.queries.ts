import { sql } from 'kysely'
import type { z } from 'zod'
import type { partnerOfferFilters } from '#contract/offers/partner-offer.ts'
import type { OfferCap } from '#contract/offers/offer-cap.ts'
import type { OfferStatus } from '#contract/offers/offer-fields.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage, type SortKey } from '#server/platform/pg/list-page.ts'
import { countRows, isFoundBy, pageOf } from '#server/platform/pg/paging.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { OWN_ACCESS } from '../access/access.queries.ts'
import { landingIsFor } from '../landing/landing.queries.ts'
import { takesGeo } from '../offer/offer.queries.ts'

type Filters = z.output<typeof partnerOfferFilters>

// not by terms and state, which follow from the affiliate's own rows and from the clock
const SORT_COLUMNS = {
  id: 'o.id',
  title: 'o.title',
  access: OWN_ACCESS,
  vertical: 'o.vertical',
  created_at: 'o.created_at',
} as const satisfies Record<Filters['sort'], SortKey>

/** One page of the offers an affiliate may see, and how many there are in all; with `before` only those of lower numbers. */
export async function listPartnerOffers(db: Db, now: number, affiliateId: number, filters: Filters, before: number | null = null) {
  const found = visibleOffers(db, affiliateId)
    .$if(before !== null, (query) => query.where('o.id', '<', before))
    .$if(filters.tab !== 'all', (query) => query.where(OWN_STATUS, '=', 'active').where(isWithinDates(now)))
    .$if(filters.tab === 'live', (query) => query.where(OWN_ACCESS, '=', 'approved'))
    .$if(filters.tab === 'available', (query) =>
      query.where(OWN_ACCESS, 'in', ['none', 'rejected']).where('o.privacy', '=', 'premoderation'),
    )
    .$if(filters.access.length > 0, (query) => query.where(OWN_ACCESS, 'in', filters.access))
    .$if(filters.vertical.length > 0, (query) => query.where('o.vertical', 'in', filters.vertical))
    .$if(filters.geo.length > 0, (query) => query.where(takesGeo(filters.geo)))
    .$if(filters.search !== '', (query) => query.where(isFoundBy(filters.search, { texts: ['o.title'], id: 'o.id', uuid: 'o.uuid' })))
  return listPage(found.select([...LIST_COLUMNS]).select([OWN_STATUS.as('status'), OWN_ACCESS.as('access')]), SORT_COLUMNS, filters)
}

/** One offer an affiliate may see; columns that are staff's alone are not even read. */
export function getPartnerOffer(db: DbOrTrx, affiliateId: number, key: string) {
  return (
    visibleOffers(db, affiliateId)
      .select([
        ...LIST_COLUMNS,
        'o.description',
        'o.kpi',
        'o.preview_url',
        'o.hold_days',
        'o.click_lifetime_days',
        'o.caps',
        'o.time_zone',
        'a.message as access_message',
        'a.reason as access_reason',
      ])
      // away from the landings of an offer of leads nobody would take one
      .select(sql<string[]>`case when o.type = 'api' then '{}' else o.deep_link_hosts end`.as('deep_link_hosts'))
      .select([OWN_STATUS.as('status'), OWN_ACCESS.as('access')])
      .where(keyIs(key, { uuid: 'o.uuid', id: 'o.id' }))
      .executeTakeFirst()
  )
}
export type PartnerOfferRow = NonNullable<Awaited<ReturnType<typeof getPartnerOffer>>>
export type PartnerListRow = Awaited<ReturnType<typeof listPartnerOffers>>['list'][number]

/** An affiliate in scope by its uuid; undefined where there is none. */
export async function findAffiliate(db: DbOrTrx, scope: Scope, uuid: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select('f.id')
    .where('a.uuid', '=', uuid)
    .where(inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }))
    .executeTakeFirst()
  return row?.id
}

/** One page of the caps of active offers an affiliate may send traffic to, each a row, and how many there are in all. */
export async function listAffiliateCaps(
  db: Db,
  affiliateId: number,
  { search, direction, ...paging }: { search: string; direction: 'asc' | 'desc'; count: number; page: number },
) {
  const found = visibleOffers(db, affiliateId)
    .innerJoinLateral(
      sql<{ cap: OfferCap; place: string }>`jsonb_array_elements(o.caps) with ordinality`.as<'c'>(sql`c (cap, place)`),
      (join) => join.onTrue(),
    )
    .where(OWN_ACCESS, '=', 'approved')
    .where(OWN_STATUS, '=', 'active')
    .$if(search !== '', (query) => query.where(isFoundBy(search, { texts: ['o.title'], id: 'o.id', uuid: 'o.uuid' })))
  const { limit, offset } = pageOf(paging)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select(['o.uuid', 'o.id', 'o.title', 'o.currency', 'o.time_zone', 'c.cap'])
      .orderBy('o.title', direction)
      .orderBy('o.id')
      .orderBy('c.place')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** The most entries of the log that are looked through for what concerns one affiliate. */
const MOST_ENTRIES = 300

/** What was logged of saving offers an affiliate may see, of a private one since it was let in; newest first. */
export function listOfferAudit(db: DbOrTrx, affiliateId: number, since: Date, offer: string | null) {
  return visibleOffers(db, affiliateId)
    .innerJoin('audit as l', (join) => join.on('l.entity', '=', 'offer').on(sql<boolean>`l.entity_id = o.id::text`))
    .select(['l.at', 'l.before', 'l.after', 'o.uuid as offer_uuid', 'o.id as offer_number', 'o.title as offer_title', 'o.currency'])
    .where('l.action', 'in', ['update', 'undo', 'set_status'])
    .where('l.at', '>=', since)
    .where(sql<boolean>`(o.privacy <> 'private' or l.at >= coalesce(a.decided_at, a.requested_at))`)
    .$if(offer !== null, (query) => query.where('o.uuid', '=', offer))
    .orderBy('l.id', 'desc')
    .limit(MOST_ENTRIES)
    .execute()
}

/** Puts a request of an affiliate down; over an earlier rejection too, never over any other entry. Answers whether it is new. */
export async function saveRequest(db: DbOrTrx, offerId: number, affiliateId: number, message: string, now: number): Promise<boolean> {
  const request = { status: 'pending' as const, message, reason: '', requested_at: new Date(now), decided_at: null, decided_by: null }
  const saved = await db
    .insertInto('offer_access')
    .values({ offer_id: offerId, affiliate_id: affiliateId, ...request })
    .onConflict((conflict) =>
      conflict.columns(['offer_id', 'affiliate_id']).doUpdateSet(request).where('offer_access.status', '=', 'rejected'),
    )
    .returning('offer_id')
    .executeTakeFirst()
  return saved !== undefined
}

/** The status as affiliates see it: what an advertiser offers that is not active itself takes no visitors, like a paused offer. */
const OWN_STATUS = sql<OfferStatus>`case
  when o.status = 'active' and (select v.status from advertiser v where v.id = o.advertiser_id) <> 'active' then 'paused'
  else o.status end`

const LIST_COLUMNS = [
  'o.uuid',
  'o.id',
  'o.title',
  'o.type',
  'o.privacy',
  'o.vertical',
  'o.currency',
  'o.targeting',
  'o.traffic_sources',
  'o.created_at',
  'o.start_at',
  'o.stop_at',
] as const

function isWithinDates(now: number) {
  const at = new Date(now)
  return sql<boolean>`(o.start_at is null or o.start_at <= ${at}) and (o.stop_at is null or o.stop_at > ${at})`
}

/** Offers that run or ran, private ones only where the affiliate was let in, and none it is blocked from. */
function visibleOffers(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('offer as o')
    .leftJoin('offer_access as a', (join) => join.onRef('a.offer_id', '=', 'o.id').on('a.affiliate_id', '=', affiliateId))
    .where(sql<boolean>`(o.status in ('active', 'paused') or (o.status = 'stopped' and ${OWN_ACCESS} = 'approved'))`)
    .where(sql<boolean>`a.status is distinct from 'blocked' and (o.privacy <> 'private' or a.status = 'approved')`)
}

/** The active affiliates that staff let into an offer, each with the landings of it that it knows. */
export async function listReaders(db: DbOrTrx, offerId: number) {
  const { rows } = await sql<{ affiliateId: number; uuid: string; landings: { id: number; uuid: string; name: string }[] }>`
    select f.id as "affiliateId", a.uuid, coalesce(json_agg(json_build_object('id', l.id, 'uuid', l.uuid, 'name', l.name) order by l.id)
             filter (where l.id is not null), '[]') as landings
      from offer_access s join affiliate f on f.id = s.affiliate_id and f.status = 'active' join account a on a.id = f.account_id
      left join offer_landing x on x.offer_id = s.offer_id
      left join landing l on l.id = x.landing_id and l.status = 'active' and ${landingIsFor(sql<number>`f.id`)}
     where s.offer_id = ${offerId} and s.status = 'approved'
     group by f.id, a.uuid`.execute(db)
  return rows
}
