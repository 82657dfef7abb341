import { sql } from 'kysely'
import type { z } from 'zod'
import type { affiliateFilters } from '#contract/people/affiliate.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { containing, countRows, pageOf } from '#server/platform/pg/paging.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

type Filters = z.output<typeof affiliateFilters>

const SORT_COLUMNS = {
  id: 'f.id',
  name: 'a.name',
  status: 'f.status',
  created_at: 'f.created_at',
  last_login_at: 'a.last_login_at',
} as const satisfies Record<Filters['sort'], string>

/** One page of the affiliates in scope, and how many there are in all. */
export async function listAffiliates(db: Db, scope: Scope, filters: Filters) {
  const found = affiliatesInScope(db, scope)
    .$if(filters.status.length > 0, (query) => query.where('f.status', 'in', filters.status))
    .$if(filters.manager_uuid.length > 0, (query) => query.where('ma.uuid', 'in', filters.manager_uuid))
    .$if(filters.country.length > 0, (query) => query.where('f.country', 'in', filters.country))
    .$if(filters.tag.length > 0, (query) => query.where('f.tags', '&&', sql<string[]>`${filters.tag}::text[]`))
    .$if(filters.search !== '', (query) =>
      query.where((where) =>
        where.or([
          where('a.name', 'ilike', containing(filters.search)),
          where('a.email', 'ilike', containing(filters.search)),
          where(sql`f.id::text`, '=', filters.search),
        ]),
      ),
    )
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select([...LIST_COLUMNS])
      .orderBy(SORT_COLUMNS[filters.sort], (order) => (filters.direction === 'asc' ? order.asc().nullsFirst() : order.desc().nullsLast()))
      .orderBy('f.id', filters.direction)
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** One affiliate in scope by uuid or numeric id, with everything staff may see; `lock` keeps it from changing meanwhile. */
export function getAffiliate(db: DbOrTrx, scope: Scope, key: string, lock = false) {
  return affiliatesInScope(db, scope)
    .select([
      ...LIST_COLUMNS,
      'f.phone',
      'f.contacts',
      'f.notes',
      'f.traffic_sources',
      'f.verticals',
      'f.geos',
      'a.time_zone',
      'f.account_id',
      'f.manager_id',
    ])
    .where(keyIs(key, { uuid: 'a.uuid', id: 'f.id' }))
    .$if(lock, (query) => query.forUpdate('f'))
    .executeTakeFirst()
}
export type AffiliateRow = NonNullable<Awaited<ReturnType<typeof getAffiliate>>>

/** The account and address of an affiliate in scope; what acting as it and sending it links need. */
export function findAffiliateAccount(db: DbOrTrx, scope: Scope, key: string) {
  return affiliatesInScope(db, scope)
    .select(['f.id as affiliateId', 'f.account_id as accountId', 'a.email'])
    .where(keyIs(key, { uuid: 'a.uuid', id: 'f.id' }))
    .executeTakeFirst()
}

/** Sets the status of affiliates in scope, and answers those that changed with their status before. */
export async function setAffiliateStatus(db: DbOrTrx, scope: Scope, uuids: string[], status: Filters['status'][number]) {
  const before = await affiliatesInScope(db, scope)
    .select(['f.id', 'f.status'])
    .where('a.uuid', 'in', uuids)
    .where('f.status', '!=', status)
    .orderBy('f.id')
    .forUpdate('f')
    .execute()
  if (before.length > 0) {
    await db
      .updateTable('affiliate')
      .set({ status })
      .where(
        'id',
        'in',
        before.map((row) => row.id),
      )
      .execute()
  }
  return before
}

const LIST_COLUMNS = [
  'a.uuid',
  'f.id',
  'a.name',
  'a.email',
  'f.status',
  'f.country',
  'f.currency',
  'f.tags',
  'f.created_at',
  'a.last_login_at',
  'ma.uuid as manager_uuid',
  'm.id as manager_number',
  'ma.name as manager_name',
] as const

function affiliatesInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('manager as m', 'm.id', 'f.manager_id')
    .leftJoin('account as ma', 'ma.id', 'm.account_id')
    .where(inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }))
}
