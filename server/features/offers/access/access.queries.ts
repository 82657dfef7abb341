import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { accessFilters, accessStatus } from '#contract/offers/offer.ts'
import type { ownAccess } from '#contract/offers/partner-offer.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { keyOf, type SortKey } from '#server/platform/pg/list-page.ts'
import { containing, countRows, pageOf } from '#server/platform/pg/paging.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { isOwn } from '../offer/offer.queries.ts'

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
    .where((where) => where.or([inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }), isOwn(scope)]))
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
      .select([isOwnAffiliate(scope).as('own_affiliate'), isOwn(scope).as('editable')])
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
 * The entries of these offers and affiliates whose status differs from the one given, as they are; where one is
 * expected only those. An affiliate without an entry counts where it is in scope.
 */
export function findDecidable(
  db: DbOrTrx,
  scope: Scope,
  offerIds: number[],
  entries: { offer_uuid: string; affiliate_uuid: string }[],
  { status, expected }: { status: Status; expected?: Status | undefined },
) {
  return db
    .selectFrom(pairs(entries).as('w'))
    .innerJoin('offer as o', 'o.uuid', 'w.offer_uuid')
    .innerJoin('account as a', 'a.uuid', 'w.affiliate_uuid')
    .innerJoin('affiliate as f', 'f.account_id', 'a.id')
    .leftJoin('offer_access as x', (join) => join.onRef('x.offer_id', '=', 'o.id').onRef('x.affiliate_id', '=', 'f.id'))
    .select(['o.id as offer_id', 'f.id as affiliate_id', 'x.status', 'x.reason', 'x.decided_at', 'x.decided_by'])
    .where(sql<boolean>`o.id = any(${offerIds}::int[])`)
    .where((where) => where.or([where('x.status', 'is not', null), isOwnAffiliate(scope)]))
    .where(sql<boolean>`x.status is distinct from ${status}`)
    .$if(expected !== undefined, (query) => query.where('x.status', '=', expected ?? null))
    .orderBy('o.id')
    .orderBy('f.id')
    .execute()
}

/** The entries that still are as somebody's decision of a moment left them, each with what the log says of it before. */
export function findDecided(
  db: DbOrTrx,
  offerIds: number[],
  entries: { offer_uuid: string; affiliate_uuid: string }[],
  { decided_at, decided_by }: { decided_at: Date; decided_by: number },
) {
  return db
    .selectFrom(pairs(entries).as('w'))
    .innerJoin('offer as o', 'o.uuid', 'w.offer_uuid')
    .innerJoin('account as a', 'a.uuid', 'w.affiliate_uuid')
    .innerJoin('affiliate as f', 'f.account_id', 'a.id')
    .innerJoin('offer_access as x', (join) => join.onRef('x.offer_id', '=', 'o.id').onRef('x.affiliate_id', '=', 'f.id'))
    .innerJoinLateral(
      (one) =>
        one
          .selectFrom('audit')
          .select('before')
          .where('entity', '=', 'offer')
          .where('entity_id', '=', sql<string>`o.id::text`)
          .where('action', '=', 'decide_access')
          .whereRef('at', '=', 'x.decided_at')
          .where(sql<boolean>`after->>'affiliate_id' = f.id::text and after->>'status' = x.status`)
          .orderBy('id', 'desc')
          .limit(1)
          .as('l'),
      (join) => join.onTrue(),
    )
    .select(['x.offer_id', 'x.affiliate_id', 'x.status', 'x.reason', 'x.decided_at', 'x.decided_by', 'l.before'])
    .where(sql<boolean>`o.id = any(${offerIds}::int[])`)
    .where('x.decided_at', '=', decided_at)
    .where('x.decided_by', '=', decided_by)
    .orderBy('o.id')
    .orderBy('f.id')
    .forUpdate('x')
    .execute()
}

type Earlier = {
  offer_id: number
  affiliate_id: number
  status: Status | null
  reason: string
  decided_at: Date | null
  decided_by: number | null
}

/** Makes entries what they were; those without a status were none. */
export async function restoreAccess(db: DbOrTrx, entries: readonly Earlier[]): Promise<void> {
  await sql`
    with earlier as (
      select * from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
        as e (offer_id int, affiliate_id int, status text, reason text, decided_at timestamptz, decided_by int)
    ), gone as (
      delete from offer_access x using earlier e where x.offer_id = e.offer_id and x.affiliate_id = e.affiliate_id and e.status is null
    )
    update offer_access x set status = e.status, reason = e.reason, decided_at = e.decided_at, decided_by = e.decided_by
      from earlier e where x.offer_id = e.offer_id and x.affiliate_id = e.affiliate_id and e.status is not null`.execute(db)
}

function pairs(entries: { offer_uuid: string; affiliate_uuid: string }[]) {
  return sql<{ offer_uuid: string; affiliate_uuid: string }>`(select distinct * from unnest(
    ${entries.map((entry) => entry.offer_uuid)}::uuid[], ${entries.map((entry) => entry.affiliate_uuid)}::uuid[]) as pair (offer_uuid, affiliate_uuid))`
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
