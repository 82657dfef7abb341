import { sql, type Insertable, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { StatusChange } from '#contract/fields.ts'
import { advertiserFields, type advertiserFilters } from '#contract/people/advertiser.ts'
import type { FigureId } from '#contract/traffic/figures.ts'
import { isCreditBlocked } from '#server/features/money/advertiser-billing/credit.queries.ts'
import type { Db, DbOrTrx, Tables } from '#server/platform/pg/database.ts'
import { columnsOf } from '#server/platform/pg/fields.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage, type Rank } from '#server/platform/pg/list-page.ts'
import { isFoundBy, isUuidOf } from '#server/platform/pg/paging.ts'
import { whoseStatusChanges } from '#server/platform/pg/status-change.ts'
import { reference } from '#server/platform/pg/reference.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

type Filters = z.output<typeof advertiserFilters>

const SORT_COLUMNS = {
  id: 'd.id',
  name: 'd.name',
  email: 'd.email',
  external_id: 'd.external_id',
  status: 'd.status',
  manager: 'ma.name',
  offers: 'offers',
  currency: 'd.currency',
  created_at: 'd.created_at',
} as const satisfies Record<Exclude<Filters['sort'], FigureId>, string>

/** One page of the advertisers in scope, and how many there are in all. Without a status deleted ones are left out. */
export async function listAdvertisers(db: Db, scope: Scope, filters: Filters, rank?: Rank) {
  const found = advertisersInScope(db, scope)
    .$if(filters.status.length > 0, (query) => query.where('d.status', 'in', filters.status))
    .$if(filters.status.length === 0, (query) => query.where('d.status', '!=', 'deleted'))
    .$if(filters.manager_uuid.length > 0, (query) => query.where('ma.uuid', 'in', filters.manager_uuid))
    .$if(filters.search !== '', (query) =>
      query.where(isFoundBy(filters.search, { texts: ['d.name', 'd.email', 'd.external_id'], id: 'd.id', uuid: 'd.uuid' })),
    )
  return listPage(found, SORT_COLUMNS, filters, rank)
}

/** One advertiser in scope by uuid or numeric id; `lock` keeps it from changing meanwhile. */
export function getAdvertiser(db: DbOrTrx, scope: Scope, key: string, lock = false) {
  return advertisersInScope(db, scope)
    .where(keyIs(key, { uuid: 'd.uuid', id: 'd.id' }))
    .$if(lock, (query) => query.forNoKeyUpdate('d'))
    .executeTakeFirst()
}
export type AdvertiserRow = NonNullable<Awaited<ReturnType<typeof getAdvertiser>>>

/** Locks the advertisers in scope whose status would change, where one is expected only from that one, in the order of their ids. */
export function lockAdvertisers(db: DbOrTrx, scope: Scope, change: StatusChange<Filters['status'][number]>) {
  return whoseStatusChanges(
    advertisersInScope(db, scope).clearSelect().select(['d.id', 'd.status']),
    { uuid: 'd.uuid', id: 'd.id', status: 'd.status' },
    change,
  )
    .forNoKeyUpdate('d')
    .execute()
}

export function insertAdvertiser(db: DbOrTrx, values: Insertable<Tables['advertiser']>) {
  return db.insertInto('advertiser').values(values).returning('id').executeTakeFirstOrThrow()
}

export async function updateAdvertisers(db: DbOrTrx, ids: number[], values: Updateable<Tables['advertiser']>): Promise<void> {
  if (ids.length > 0) await db.updateTable('advertiser').set(values).where('id', 'in', ids).execute()
}

/** Whether any of these advertisers has an active offer. */
export async function haveActiveOffers(db: DbOrTrx, ids: number[]): Promise<boolean> {
  if (ids.length === 0) return false
  return (
    (await db
      .selectFrom('offer')
      .select('id')
      .where('advertiser_id', 'in', ids)
      .where('status', '=', 'active')
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** Active advertisers in scope to choose from, by name; asked for by its uuid, one of any status. */
export function listAdvertiserOptions(db: Db, scope: Scope, search: string) {
  return advertisersInScope(db, scope)
    .clearSelect()
    .select(['d.uuid', 'd.id', 'd.name', 'd.currency'])
    .where((where) => where.or([where('d.status', '=', 'active'), isUuidOf(search, 'd.uuid')]))
    .where(isFoundBy(search, { texts: ['d.name'], id: 'd.id', uuid: 'd.uuid' }))
    .orderBy('d.name')
    .limit(50)
    .execute()
}

/** An advertiser in scope to whom an offer may be given; undefined when there is none. The row is kept from being deleted meanwhile. */
export async function findAdvertiserId(db: DbOrTrx, scope: Scope, uuid: string): Promise<number | undefined> {
  return (
    await advertisersInScope(db, scope)
      .clearSelect()
      .select('d.id')
      .where('d.uuid', '=', uuid)
      .where('d.status', '!=', 'deleted')
      .forShare('d')
      .executeTakeFirst()
  )?.id
}

function advertisersInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('advertiser as d')
    .leftJoin('manager as m', 'm.id', 'd.manager_id')
    .leftJoin('account as ma', 'ma.id', 'm.account_id')
    .where(inScope(scope, { advertiserManager: 'd.manager_id' }))
    .select(['d.uuid', 'd.id', 'd.manager_id', 'd.postback_token', 'd.previous_token_until', 'd.created_at', 'd.version'])
    .select(columnsOf(advertiserFields, 'd'))
    .select([
      reference({ uuid: 'ma.uuid', id: 'm.id', name: 'ma.name' }).as('manager'),
      sql<number>`(select count(*)::int from offer o where o.advertiser_id = d.id)`.as('offers'),
      isCreditBlocked('d.id').as('credit_blocked'),
    ])
}
