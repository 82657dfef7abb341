import { sql } from 'kysely'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { isSeen } from '#server/features/leads/lead-list/lead-list.queries.ts'
import { bothGeos, listMembers } from '#server/features/leads/api-offer/cascade.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { isFoundBy } from '#server/platform/pg/paging.ts'

/** What of an API offer decides who may be sent to it. */
export function findOffer(db: DbOrTrx, by: { id: number } | { uuid: string }) {
  return db
    .selectFrom('offer as o')
    .innerJoin('api_offer as l', 'l.offer_id', 'o.id')
    .select(['o.id', 'o.uuid', 'o.title', 'o.status', 'o.start_at', 'o.stop_at', 'o.targeting', 'o.currency', 'l.integration_type as type'])
    .where((where) => ('id' in by ? where('o.id', '=', by.id) : where('o.uuid', '=', by.uuid)))
    .executeTakeFirst()
}
export type TargetOffer = NonNullable<Awaited<ReturnType<typeof findOffer>>>

/** `tested`: its system accepted a test as it is now; `on`: neither it nor its advertiser was stopped, by somebody or for want of credit. */
export type Target = { productId: number; advertiserId: number; geos: readonly string[]; tested: boolean; on: boolean }

/** The products of a distribution: those chosen of its offer, else all of it. */
export async function listTargets(db: DbOrTrx, offerId: number, chosen: readonly number[]): Promise<Target[]> {
  const members = await listMembers(db, [offerId])
  return members
    .filter(({ product_id }) => chosen.length === 0 || chosen.includes(product_id))
    .map(({ product_id, advertiser_id, product_geos, terms, ready, paused, status, advertiser_status, credit_blocked }) => ({
      productId: product_id,
      advertiserId: advertiser_id,
      geos: bothGeos(product_geos, terms.geos),
      tested: ready,
      on: !paused && status === 'active' && advertiser_status === 'active' && !credit_blocked,
    }))
}

/** API offers by a part of their title, active ones first; at most 50. */
export function searchOffers(db: DbOrTrx, search: string) {
  return db
    .selectFrom('offer as o')
    .innerJoin('api_offer as l', 'l.offer_id', 'o.id')
    .select(['o.id', 'o.uuid', 'o.title', 'o.status', 'o.start_at', 'o.stop_at'])
    .where('o.status', '!=', 'archived')
    .$if(search !== '', (query) => query.where(isFoundBy(search, { texts: ['o.title'], id: 'o.id', uuid: 'o.uuid' })))
    .orderBy(sql`o.status = 'active'`, 'desc')
    .orderBy('o.title')
    .orderBy('o.id')
    .limit(50)
    .execute()
}

/** Of members those whose advertiser is in scope. */
export async function advertisersInScope(db: DbOrTrx, scope: Scope, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('advertiser as v')
    .select('v.id')
    .where('v.id', 'in', [...ids])
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Lists that can be sent, in scope, by a part of their title, with how many of their people the caller sees; at most 50. */
export function searchLists(db: DbOrTrx, scope: Scope, search: string) {
  return lists(db, scope)
    .select(
      sql<number>`(select coalesce(sum(c.items), 0)::int from lead_list_count c where c.list_id = l.id and ${isSeen(scope, sql`c.affiliate_id`)})`.as(
        'people',
      ),
    )
    .$if(search !== '', (query) => query.where(isFoundBy(search, { texts: ['l.title'], id: 'l.id', uuid: 'l.uuid' })))
    .orderBy('l.id', 'desc')
    .limit(50)
    .execute()
}

/** One list in scope that is neither archived nor deleted. */
export function findList(db: DbOrTrx, scope: Scope, uuid: string) {
  return lists(db, scope).where('l.uuid', '=', uuid).executeTakeFirst()
}

function lists(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('lead_list as l')
    .select(['l.id', 'l.uuid', 'l.title as name', 'l.manager_id'])
    .where('l.deleted_at', 'is', null)
    .where('l.archived_at', 'is', null)
    .where(inScope(scope, { affiliateManager: 'l.manager_id' }))
}

/** Products by their numbers, with their zones. */
export function listProductsOf(db: DbOrTrx, ids: readonly number[]) {
  return db
    .selectFrom('product as p')
    .select(['p.id', 'p.uuid', 'p.title as name', 'p.time_zone'])
    .where(sql<boolean>`p.id = any(${[...ids]}::int[])`)
    .orderBy('p.title')
    .execute()
}
