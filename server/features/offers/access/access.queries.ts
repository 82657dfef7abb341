import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { accessFilters, accessStatus } from '#contract/offers/offer.ts'
import type { ownAccess } from '#contract/offers/partner-offer.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { keyOf, type SortKey } from '#server/platform/pg/list-page.ts'
import { containing, countRows, pageOf } from '#server/platform/pg/paging.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

type Filters = z.output<typeof accessFilters>
type Status = z.output<typeof accessStatus>
type OwnAccess = z.output<typeof ownAccess>

function sortKeys(scope: Scope): Record<Filters['sort'], SortKey> {
  return {
    requested_at: 'x.requested_at',
    decided_at: 'x.decided_at',
    status: 'x.status',
    offer: 'o.title',
    affiliate: sql`case when ${isOwnAffiliate(scope)} then a.name end`,
    decided_by: 'by.name',
  }
}

/** One page of the entries where the affiliate or the offer's advertiser is in scope, and how many there are in all. */
export async function listAccess(db: Db, scope: Scope, filters: Filters) {
  const found = db
    .selectFrom('offer_access as x')
    .innerJoin('offer as o', 'o.id', 'x.offer_id')
    .leftJoin('advertiser as d', 'd.id', 'o.advertiser_id')
    .innerJoin('affiliate as f', 'f.id', 'x.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('account as by', 'by.id', 'x.decided_by')
    .where(inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id', advertiserManager: 'd.manager_id' }))
    .$if(filters.offer_uuid.length > 0, (query) => query.where('o.uuid', 'in', filters.offer_uuid))
    .$if(filters.affiliate_uuid.length > 0, (query) => query.where('a.uuid', 'in', filters.affiliate_uuid))
    .$if(filters.status.length > 0, (query) => query.where('x.status', 'in', filters.status))
    .$if(filters.search !== '', (query) =>
      query.where((where) =>
        where.or([
          // a name that is masked cannot be searched for either
          where.and([where('a.name', 'ilike', containing(filters.search)), isOwnAffiliate(scope)]),
          where('o.title', 'ilike', containing(filters.search)),
          where(sql`f.id::text`, '=', filters.search),
        ]),
      ),
    )
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select([
        'x.status',
        'x.message',
        'x.reason',
        'x.requested_at',
        'x.decided_at',
        'by.name as decided_by',
        'o.uuid as offer_uuid',
        'o.id as offer_number',
        'o.title as offer_name',
        'a.uuid as affiliate_uuid',
        'f.id as affiliate_number',
        'a.name as affiliate_name',
      ])
      .select([isOwnAffiliate(scope).as('own_affiliate'), isInScope(scope, { advertiserManager: 'd.manager_id' }).as('editable')])
      .orderBy(keyOf(sortKeys(scope)[filters.sort]), (order) =>
        filters.direction === 'asc' ? order.asc().nullsFirst() : order.desc().nullsLast(),
      )
      .orderBy('x.offer_id')
      .orderBy('x.affiliate_id')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/**
 * The entries of these offers and affiliates whose status differs from the one given, with the status before; where one is
 * expected only those. An affiliate without an entry counts where it is in scope.
 */
export function findDecidable(
  db: DbOrTrx,
  scope: Scope,
  offerIds: number[],
  entries: { offer_uuid: string; affiliate_uuid: string }[],
  { status, expected }: { status: Status; expected?: Status | undefined },
) {
  const wanted = sql<{ offer_uuid: string; affiliate_uuid: string }>`(select distinct * from unnest(
    ${entries.map((entry) => entry.offer_uuid)}::uuid[], ${entries.map((entry) => entry.affiliate_uuid)}::uuid[]) as pair (offer_uuid, affiliate_uuid))`
  return (
    db
      .selectFrom(wanted.as('w'))
      .innerJoin('offer as o', 'o.uuid', 'w.offer_uuid')
      .innerJoin('account as a', 'a.uuid', 'w.affiliate_uuid')
      .innerJoin('affiliate as f', 'f.account_id', 'a.id')
      .leftJoin('offer_access as x', (join) => join.onRef('x.offer_id', '=', 'o.id').onRef('x.affiliate_id', '=', 'f.id'))
      .select(['o.id as offer_id', 'f.id as affiliate_id', 'x.status as before'])
      .where(sql<boolean>`o.id = any(${offerIds}::int[])`)
      .where((where) => where.or([where('x.status', 'is not', null), isOwnAffiliate(scope)]))
      .where(sql<boolean>`x.status is distinct from ${status}`)
      .$if(expected !== undefined, (query) => query.where('x.status', '=', expected ?? null))
      // only who asked can wait again
      .$if(status === 'pending', (query) => query.where('x.requested_at', 'is not', null))
      .orderBy('o.id')
      .orderBy('f.id')
      .execute()
  )
}

/** Writes a decision of staff over whatever there was. */
export async function saveDecision(
  db: DbOrTrx,
  entries: readonly { offer_id: number; affiliate_id: number }[],
  decision: { status: Status; reason: string; decided_at: Date | null; decided_by: number | null },
): Promise<void> {
  if (entries.length === 0) return
  await db
    .insertInto('offer_access')
    .values(entries.map(({ offer_id, affiliate_id }) => ({ offer_id, affiliate_id, ...decision, requested_at: null })))
    .onConflict((conflict) => conflict.columns(['offer_id', 'affiliate_id']).doUpdateSet(decision))
    .execute()
}

/**
 * What an affiliate may do at an offer `o` by its own entry `a` in the access list, or none: a public one is open unless staff
 * said no. `approved` may send visitors.
 */
export const OWN_ACCESS: RawBuilder<OwnAccess> = sql<OwnAccess>`case when a.status in ('rejected', 'blocked') then a.status when o.privacy = 'public' then 'approved' else coalesce(a.status, 'none') end`

function isOwnAffiliate(scope: Scope) {
  return isInScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' })
}
