import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import type { z } from 'zod'
import { landingFields, type landingApi, type landingFilters } from '#contract/offers/landing.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db, DbOrTrx, Tables } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { columnsOf } from '#server/platform/pg/fields.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { reference } from '#server/platform/pg/reference.ts'
import { isFoundBy, isUuidOf } from '#server/platform/pg/paging.ts'
import { OWN_ACCESS } from '../access/access.queries.ts'

type Filters = z.output<typeof landingFilters>
type Options = z.output<typeof landingApi.options.body>

const SORT_COLUMNS = {
  id: 'l.id',
  name: 'l.name',
  type: 'l.type',
  status: 'l.status',
  language: 'l.language',
  privacy: 'l.privacy',
  offers: 'offers',
  advertiser: 'd.name',
  check: 'l.check_status',
  url: 'l.url',
  proposed_by: 'by.name',
  reason: 'l.reason',
  checked_at: 'l.checked_at',
  created_at: 'l.created_at',
} as const satisfies Record<Filters['sort'], string>

/** One page of the landings in scope, and how many there are in all. */
export async function listLandings(db: Db, scope: Scope, filters: Filters) {
  const found = landingsInScope(db, scope)
    .$if(filters.status.length > 0, (query) => query.where('l.status', 'in', filters.status))
    .$if(filters.status.length === 0, (query) => query.where('l.status', '!=', 'deleted'))
    .$if(filters.type.length > 0, (query) => query.where('l.type', 'in', filters.type))
    .$if(filters.language.length > 0, (query) => query.where('l.language', 'in', filters.language))
    .$if(filters.tag.length > 0, (query) => query.where('l.tags', '&&', sql<string[]>`${filters.tag}::text[]`))
    .$if(filters.offer_uuid.length > 0, (query) => query.where(standsIn(filters.offer_uuid)))
    .$if(filters.advertiser_uuid.length > 0, (query) => query.where('d.uuid', 'in', filters.advertiser_uuid))
    .$if(filters.privacy.length > 0, (query) => query.where('l.privacy', 'in', filters.privacy))
    .$if(filters.reachable.length > 0, (query) => query.where(REACHABLE, 'in', filters.reachable))
    .$if(filters.search !== '', (query) =>
      query.where(isFoundBy(filters.search, { texts: ['l.name', 'l.url'], id: 'l.id', uuid: 'l.uuid' })),
    )
  return listPage(found, SORT_COLUMNS, filters)
}

/** One landing in scope by uuid or numeric id; `lock` keeps it from changing meanwhile. */
export function getLanding(db: DbOrTrx, scope: Scope, key: string, lock = false) {
  return landingsInScope(db, scope)
    .where(keyIs(key, { uuid: 'l.uuid', id: 'l.id' }))
    .$if(lock, (query) => query.forNoKeyUpdate('l'))
    .executeTakeFirst()
}
export type LandingRow = NonNullable<Awaited<ReturnType<typeof getLanding>>>

/** The offers that have a landing, the running ones first. */
export function offersOfLanding(db: DbOrTrx, landingId: number) {
  return db
    .selectFrom('offer_landing as x')
    .innerJoin('offer as o', 'o.id', 'x.offer_id')
    .select(['o.uuid', 'o.id', 'o.title as name', 'o.status', 'o.advertiser_id', 'x.weight'])
    .where('x.landing_id', '=', landingId)
    .orderBy(sql`o.status <> 'active'`)
    .orderBy('o.id')
    .execute()
}

/**
 * Landings to choose from, by name: those that may stand in offers of the scope. None of `status` means all but deleted ones, which are found by their uuid, none of `type` both.
 * Addresses and proposals are for those who write offers; others only filter statistics by them.
 */
export function listLandingOptions(
  db: Db,
  scope: Scope,
  { search, status, type, advertiser_uuid: advertiser, unowned }: Options,
  writesOffers: boolean,
) {
  return landingsInScope(db, scope)
    .clearSelect()
    .select(['l.uuid', 'l.id', 'l.name', 'l.type', 'l.status', 'l.language'])
    .select(writesOffers ? 'l.url' : sql<string>`''`.as('url'))
    .where(isFoundBy(search, { texts: ['l.name'], id: 'l.id', uuid: 'l.uuid' }))
    .$if(!writesOffers, (query) => query.where('l.status', '!=', 'moderation'))
    .$if(type.length > 0, (query) => query.where('l.type', 'in', type))
    .$if(status.length > 0, (query) => query.where('l.status', 'in', status))
    .$if(status.length === 0, (query) => query.where((where) => where.or([where('l.status', '!=', 'deleted'), isUuidOf(search, 'l.uuid')])))
    .$if(advertiser !== null, (query) => query.where((where) => where.or([where('d.uuid', '=', advertiser), where('d.id', 'is', null)])))
    .$if(unowned, (query) => query.where('l.advertiser_id', 'is', null))
    .orderBy('l.name')
    .limit(50)
    .execute()
}

/** Locks the landings of these uuids, in the order of their ids. */
export function lockLandings(db: DbOrTrx, scope: Scope, uuids: string[]) {
  return landingsInScope(db, scope)
    .clearSelect()
    .select(['l.id', 'l.name', 'l.status', 'l.reason'])
    .where(sql<boolean>`l.uuid = any(${uuids}::uuid[])`)
    .orderBy('l.id')
    .forNoKeyUpdate('l')
    .execute()
}

export function insertLanding(db: DbOrTrx, values: Insertable<Tables['landing']>) {
  return db.insertInto('landing').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateLandings(db: DbOrTrx, ids: number[], values: Updateable<Tables['landing']>): Promise<void> {
  if (ids.length > 0) await db.updateTable('landing').set(values).where('id', 'in', ids).execute()
}

/** Landings whose look is due, active ones and those that wait for a decision, each taken by one worker: whoever dies with it leaves it for `again`. */
export function takeDue(db: DbOrTrx, now: number, again: number, count: number) {
  return db
    .updateTable('landing')
    .set({ next_check_at: new Date(again) })
    .where(
      sql<boolean>`id in (select id from landing where status in ('active', 'moderation') and next_check_at <= ${new Date(now)}
        order by next_check_at limit ${count} for update skip locked)`,
    )
    .returning(['id', 'url'])
    .execute()
}

/** Keeps what a look found, unless the landing has another address by now. */
export async function saveCheck(
  db: DbOrTrx,
  landing: { id: number; url: string },
  found: { checked_at: Date; check_status: number | null; check_error: string; next_check_at: Date },
  works: boolean,
): Promise<void> {
  await db
    .updateTable('landing')
    .set({ ...found, failures: works ? 0 : sql<number>`failures + 1` })
    .where('id', '=', landing.id)
    .where('url', '=', landing.url)
    .execute()
}

/**
 * Whether staff of a scope know a landing and may choose it: those of its advertisers, those its offers have, and of the
 * network's own, which have no advertiser, the public ones that are active. The query needs `landing as l` and its
 * advertiser as `d`.
 */
export function landingIsInScope(scope: Scope): RawBuilder<boolean> {
  if (scope.kind === 'affiliate') return sql`false`
  return sql`(${inScope(scope, { advertiserManager: 'd.manager_id' })}
    or l.advertiser_id is null and l.privacy = 'public' and l.status = 'active'
    or exists (select from offer_landing x join offer o on o.id = x.offer_id join advertiser p on p.id = o.advertiser_id
      where x.landing_id = l.id and coalesce(l.advertiser_id, o.advertiser_id) = o.advertiser_id
        and ${inScope(scope, { advertiserManager: 'p.manager_id' })}))`
}

/**
 * Whether a landing `l` is one for this affiliate: no proposal, and for everybody or for it by name. In which offers it may
 * know of it is another question, and each that asks has its own answer.
 */
export function landingIsFor(affiliateId: number | RawBuilder<number>): RawBuilder<boolean> {
  return sql<boolean>`l.status <> 'moderation' and (l.privacy = 'public' or ${affiliateId} = any(l.affiliate_ids))`
}

/**
 * Those of some landings a scope knows without having sent visitors there: whoever counts numbers finds out no more. For an
 * affiliate more than it may choose (`listPartnerLandings`), for offers that ended stay in its figures, and less than it may
 * read of traffic it has (`namesOf`).
 */
export async function knownLandings(db: DbOrTrx, scope: Scope, ids: readonly number[]): Promise<Set<number>> {
  const known =
    scope.kind === 'affiliate'
      ? sql<boolean>`${landingIsFor(scope.affiliateId)} and exists (
          select from offer_landing x join offer o on o.id = x.offer_id
            left join offer_access a on a.offer_id = o.id and a.affiliate_id = ${scope.affiliateId}
          where x.landing_id = l.id and o.status <> 'draft' and ${OWN_ACCESS} = 'approved')`
      : // all staff read offers, and with them public landings
        sql<boolean>`(${landingIsInScope(scope)} or l.privacy = 'public')`
  const found = db.selectFrom('landing as l').leftJoin('advertiser as d', 'd.id', 'l.advertiser_id').select('l.id')
  return new Set(
    (
      await found
        .where(sql<boolean>`l.id = any(${[...ids]}::int[])`)
        .where(known)
        .execute()
    ).map(({ id }) => id),
  )
}

/** As `LandingCheck` shows it. */
const REACHABLE = sql<
  Filters['reachable'][number]
>`case when l.checked_at is null then 'unchecked' when l.failures = 0 then 'works' else 'fails' end`
const OFFERS = sql<number>`(select count(*)::int from offer_landing x where x.landing_id = l.id)`.as('offers')
const ACTIVE_OFFERS = sql<number>`(select count(*)::int from offer_landing x join offer o on o.id = x.offer_id
  where x.landing_id = l.id and o.status = 'active')`.as('active_offers')

function standsIn(offerUuids: string[]) {
  return sql<boolean>`exists (select from offer_landing x join offer o on o.id = x.offer_id
    where x.landing_id = l.id and o.uuid = any(${offerUuids}::uuid[]))`
}

function landingsInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('landing as l')
    .leftJoin('advertiser as d', 'd.id', 'l.advertiser_id')
    .leftJoin('account as by', 'by.id', 'l.proposed_by')
    .where(landingIsInScope(scope))
    .select([...columnsOf(landingFields, 'l'), 'l.uuid', 'l.id', 'l.status', 'l.affiliate_ids', 'l.advertiser_id', 'l.reason', 'l.version'])
    .select(['l.checked_at', 'l.check_status', 'l.check_error', 'l.failures', 'l.created_at', 'by.name as proposed_by'])
    .select([reference({ uuid: 'd.uuid', id: 'd.id', name: 'd.name' }).as('advertiser'), OFFERS, ACTIVE_OFFERS])
}
