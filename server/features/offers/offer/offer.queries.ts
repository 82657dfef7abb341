import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { offerFilters } from '#contract/offers/offer.ts'
import { offerFields, offerListFields, type OfferStatus } from '#contract/offers/offer-fields.ts'
import type { FigureId } from '#contract/traffic/figures.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { columnsOf, pickFields } from '#server/platform/pg/fields.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage, type Rank, type SortKey } from '#server/platform/pg/list-page.ts'
import { isFoundBy, isUuidOf } from '#server/platform/pg/paging.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

type Filters = z.output<typeof offerFilters>

const SORT_COLUMNS = {
  id: 'o.id',
  title: 'o.title',
  status: 'o.status',
  privacy: 'o.privacy',
  type: 'o.type',
  vertical: 'o.vertical',
  currency: 'o.currency',
  created_at: 'o.created_at',
  updated_at: 'o.updated_at',
  payout: sql`case when r.payout_fixed is not null then (r.payout_fixed, r.payout_percent) end`,
  revenue: sql`case when r.revenue_fixed is not null then (r.revenue_fixed, r.revenue_percent) end`,
} as const satisfies Partial<Record<Filters['sort'], SortKey>>

/** Nobody learns from the order whose advertiser an offer of others has, nor how many ask for it. */
function sortKeys(scope: Scope) {
  return {
    ...SORT_COLUMNS,
    advertiser: sql`case when ${isOwn(scope)} then d.name end`,
    pending: sql`case when ${isOwn(scope)} then ${COUNT_PENDING} end`,
  } satisfies Record<Exclude<Filters['sort'], FigureId>, SortKey>
}

/** One page of offers, and how many there are in all. Staff read every offer; `scope` tells which advertisers are theirs. */
export async function listOffers(db: Db, scope: Scope, filters: Filters, rank?: Rank) {
  const found = offers(db)
    .$if(filters.status.length > 0, (query) => query.where('o.status', 'in', filters.status))
    .$if(filters.status.length === 0, (query) => query.where('o.status', '!=', 'archived'))
    .$if(filters.type.length > 0, (query) => query.where('o.type', 'in', filters.type))
    .$if(filters.privacy.length > 0, (query) => query.where('o.privacy', 'in', filters.privacy))
    // whose offer it is must not be learnt by asking
    .$if(filters.advertiser_uuid.length > 0, (query) => query.where('d.uuid', 'in', filters.advertiser_uuid).where(isOwn(scope)))
    .$if(filters.manager_uuid.length > 0, (query) => query.where(isOfManagers(filters.manager_uuid)).where(isOwn(scope)))
    .$if(filters.vertical.length > 0, (query) => query.where('o.vertical', 'in', filters.vertical))
    .$if(filters.tag.length > 0, (query) => query.where('o.tags', '&&', sql<string[]>`${filters.tag}::text[]`))
    .$if(filters.geo.length > 0, (query) => query.where(takesGeo(filters.geo)))
    .$if(filters.search !== '', (query) => query.where(isFoundBy(filters.search, { texts: ['o.title'], id: 'o.id', uuid: 'o.uuid' })))
  return listPage(
    found.select([...SHOWN_COLUMNS, ...columnsOf(offerListFields, 'o')]).select([PENDING, isOwn(scope).as('editable')]),
    sortKeys(scope),
    filters,
    rank,
  )
}

/** One offer by uuid or numeric id with all its columns; `editable` tells whether its advertiser is in scope. */
export function getOffer(db: DbOrTrx, scope: Scope, key: string) {
  return offers(db)
    .select([...SHOWN_COLUMNS, ...columnsOf(offerFields, 'o'), 'o.postback_token', 'o.version'])
    .select([PENDING, isOwn(scope).as('editable')])
    .where(keyIs(key, { uuid: 'o.uuid', id: 'o.id' }))
    .executeTakeFirst()
}
export type OfferRow = NonNullable<Awaited<ReturnType<typeof getOffer>>>
export type OfferListRow = Awaited<ReturnType<typeof listOffers>>['list'][number]

/** Locks an offer one may change, in a way that lets conversions refer to it meanwhile; undefined when there is none. */
export function lockOffer(db: DbOrTrx, scope: Scope, key: string) {
  return db
    .selectFrom('offer as o')
    .leftJoin('advertiser as d', 'd.id', 'o.advertiser_id')
    .select(['o.id', 'o.uuid', 'o.type', 'o.status', 'o.title', 'o.updated_at', 'o.version', 'o.advertiser_id'])
    .where(keyIs(key, { uuid: 'o.uuid', id: 'o.id' }))
    .where(isOwn(scope))
    .forNoKeyUpdate('o')
    .executeTakeFirst()
}

/** The number of an offer one may change. */
export async function findOfferId(db: DbOrTrx, scope: Scope, key: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('offer as o')
    .leftJoin('advertiser as d', 'd.id', 'o.advertiser_id')
    .select('o.id')
    .where(keyIs(key, { uuid: 'o.uuid', id: 'o.id' }))
    .where(isOwn(scope))
    .executeTakeFirst()
  return row?.id
}

/** The columns of an offer's form, with its advertiser; one of leads has none. */
export function getOfferForm(db: DbOrTrx, id: number) {
  return db
    .selectFrom('offer as o')
    .leftJoin('advertiser as d', 'd.id', 'o.advertiser_id')
    .select([...columnsOf(offerFields, 'o'), 'd.uuid as advertiser_uuid', 'o.type'])
    .where('o.id', '=', id)
    .executeTakeFirstOrThrow()
}

type Form = z.output<z.ZodObject<typeof offerFields>>

/** Makes a draft; without an advertiser it is one of leads. */
export function insertOffer(db: DbOrTrx, now: number, form: Form, advertiserId: number | null) {
  const type = advertiserId === null ? 'api' : 'direct'
  return db
    .insertInto('offer')
    .values({ ...formColumns(form, advertiserId), type, status: 'draft', created_at: new Date(now), updated_at: new Date(now) })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
}

type Locked = { id: number; updated_at: Date }

export async function updateOffer(db: DbOrTrx, now: number, offer: Locked, form: Form, advertiserId: number | null): Promise<void> {
  await db
    .updateTable('offer')
    .set({ ...formColumns(form, advertiserId), updated_at: laterThan(offer, now) })
    .where('id', '=', offer.id)
    .execute()
}

/** Notes that a part of a locked offer has changed: a form opened before is refused. Answers the version that makes. */
export async function touchOffer(db: DbOrTrx, now: number, offer: Locked): Promise<number> {
  const { version } = await db
    .updateTable('offer')
    .set({ updated_at: laterThan(offer, now) })
    .where('id', '=', offer.id)
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

export async function setOfferStatus(db: DbOrTrx, ids: number[], status: OfferStatus): Promise<void> {
  if (ids.length > 0) await db.updateTable('offer').set({ status }).where('id', 'in', ids).execute()
}

/** Deletes an offer nothing refers to, with its goals, rows, landings and groups. */
export async function deleteOffer(trx: DbOrTrx, id: number): Promise<void> {
  await trx.deleteFrom('offer_group').where('offer_id', '=', id).execute()
  await trx.deleteFrom('offer').where('id', '=', id).execute()
}

export async function setPostbackToken(db: DbOrTrx, id: number, token: string | null): Promise<void> {
  await db.updateTable('offer').set({ postback_token: token }).where('id', '=', id).execute()
}

function formColumns(form: Form, advertiserId: number | null) {
  return {
    ...pickFields(form, offerFields),
    advertiser_id: advertiserId,
    targeting: JSON.stringify(form.targeting),
    caps: JSON.stringify(form.caps),
    start_at: form.start_at === null ? null : new Date(form.start_at),
    stop_at: form.stop_at === null ? null : new Date(form.stop_at),
  }
}

/** Moves on even when two changes share a millisecond, so that the version counts both. */
function laterThan(offer: Locked, now: number): Date {
  return new Date(Math.max(now, offer.updated_at.getTime() + 1))
}

/** Locks the offers one may change among these, in the order of their ids. */
export function lockOffers(db: DbOrTrx, scope: Scope, uuids: string[]) {
  return db
    .selectFrom('offer as o')
    .leftJoin('advertiser as d', 'd.id', 'o.advertiser_id')
    .select(['o.id', 'o.uuid', 'o.type', 'o.status', 'o.title', 'o.tracking_url', 'd.status as advertiser_status'])
    .where(sql<boolean>`o.uuid = any(${uuids}::uuid[])`)
    .where(isOwn(scope))
    .orderBy('o.id')
    .forNoKeyUpdate('o')
    .execute()
}

/** How many affiliates have which access to an offer. */
export async function countAccess(db: DbOrTrx, offerId: number) {
  const counts = { pending: 0, approved: 0, rejected: 0, blocked: 0 }
  const rows = await db
    .selectFrom('offer_access')
    .select(['status', sql<string>`count(*)`.as('rows')])
    .where('offer_id', '=', offerId)
    .groupBy('status')
    .execute()
  for (const row of rows) counts[row.status] = Number(row.rows)
  return counts
}

/** Offers to choose from, by title: for staff all but archived ones, which are found by their uuid, for an affiliate those it may see. */
export function listOfferOptions(db: Db, scope: Scope, search: string, type?: 'direct' | 'api') {
  return db
    .selectFrom('offer as o')
    .select(['o.uuid', 'o.id', 'o.title as name', 'o.status', 'o.currency'])
    .where(isFoundBy(search, { texts: ['o.title'], id: 'o.id', uuid: 'o.uuid' }))
    .$if(scope.kind !== 'affiliate', (query) =>
      query.where((where) => where.or([where('o.status', '!=', 'archived'), isUuidOf(search, 'o.uuid')])),
    )
    .$if(scope.kind === 'affiliate', (query) => query.where(hasEverSeen(scope.kind === 'affiliate' ? scope.affiliateId : 0)))
    .$if(type !== undefined, (query) => query.where('o.type', '=', type ?? 'api'))
    .orderBy('o.title')
    .limit(50)
    .execute()
}

/** Whether an offer takes traffic from any of these countries. Expects `offer as o`. */
export function takesGeo(geos: string[]): RawBuilder<boolean> {
  return sql<boolean>`case o.targeting -> 'geo' ->> 'mode'
    when 'include' then jsonb_exists_any(o.targeting -> 'geo' -> 'values', ${geos}::text[])
    when 'exclude' then not jsonb_exists_all(o.targeting -> 'geo' -> 'values', ${geos}::text[])
    else true end`
}

/** Offers an affiliate may choose in its statistics: those it was let into, and open ones that run or ran. */
function hasEverSeen(affiliateId: number): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from offer_access x where x.offer_id = o.id and x.affiliate_id = ${affiliateId} and x.status = 'approved')
    or (o.privacy = 'public' and o.status in ('active', 'paused', 'stopped')
        and not exists (select 1 from offer_access x where x.offer_id = o.id and x.affiliate_id = ${affiliateId})))`
}

/** Whether one of these managers looks after its advertiser. Expects `advertiser as d`. */
function isOfManagers(uuids: string[]): RawBuilder<boolean> {
  return sql<boolean>`d.manager_id in (select m.id from manager m join account a on a.id = m.account_id where a.uuid = any(${uuids}::uuid[]))`
}

/** Whether an offer is somebody's to change. One of leads is where each of its products is of an advertiser in scope. Expects `offer as o`, `advertiser as d`. */
export function isOwn(scope: Scope): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql<boolean>`true`
  return sql<boolean>`case when o.type = 'api' then coalesce((
    select bool_and(coalesce(${inScope(scope, { advertiserManager: 'pd.manager_id' })}, false))
      from offer_group og join offer_member om on om.group_id = og.id join product p on p.id = om.product_id
      join advertiser pd on pd.id = p.advertiser_id where og.offer_id = o.id), false)
    else ${isInScope(scope, { advertiserManager: 'd.manager_id' })} end`
}

const SHOWN_COLUMNS = [
  'o.uuid',
  'o.id',
  'o.type',
  'o.status',
  'o.targeting',
  'o.created_at',
  'o.updated_at',
  'd.uuid as advertiser_uuid',
  'd.id as advertiser_number',
  'd.name as advertiser_name',
  'd.status as advertiser_status',
  'r.payout_fixed',
  'r.payout_percent',
  'r.revenue_fixed',
  'r.revenue_percent',
] as const

const COUNT_PENDING = sql<string>`(select count(*) from offer_access x where x.offer_id = o.id and x.status = 'pending')`
const PENDING = COUNT_PENDING.as('pending')

/** Offers with their advertiser and the base row of the default goal: at most one row each, by two unique indexes. */
function offers(db: DbOrTrx) {
  return db
    .selectFrom('offer as o')
    .leftJoin('advertiser as d', 'd.id', 'o.advertiser_id')
    .leftJoin('goal as g', (join) => join.onRef('g.offer_id', '=', 'o.id').on('g.is_default', '=', true).on('g.retired', '=', false))
    .leftJoin('payout_rule as r', (join) =>
      join
        .onRef('r.goal_id', '=', 'g.id')
        .on(sql<boolean>`r.affiliate_ids = '{}' and r.landing_ids = '{}' and r.geos = '{}' and r.devices = '{}' and r.oses = '{}'`),
    )
}
