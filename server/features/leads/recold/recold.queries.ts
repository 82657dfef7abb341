import { sql, type Insertable, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { recoldApi, RecoldItemStatus } from '#contract/leads/recold.ts'
import type { SkipReason } from '#contract/leads/recold-plan.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { containing } from '#server/platform/pg/paging.ts'

type Filters = z.output<typeof recoldApi.list.body> & { since: Date | null; until: Date | null }

/** Where changes of distributions are announced, by their numbers. */
export const RECOLD_CHANNEL = 'recold'

const SORT_COLUMNS = {
  id: 'r.id',
  title: 'r.title',
  status: 'r.status',
  last_send_at: 'r.last_send_at',
  created_at: 'r.created_at',
} as const satisfies Record<Filters['sort'], string>

/** One page of the distributions in scope, and how many there are in all. */
export function listRecolds(db: Db, scope: Scope, filters: Filters) {
  const found = recoldsInScope(db, scope)
    .$if(filters.status.length > 0, (query) => query.where('r.status', 'in', filters.status))
    .$if(filters.status.length === 0, (query) => query.where('r.status', '!=', 'deleted'))
    .$if(filters.list_uuid.length > 0, (query) => query.where('l.uuid', 'in', filters.list_uuid))
    .$if(filters.since !== null, (query) => query.where('r.created_at', '>=', filters.since))
    .$if(filters.until !== null, (query) => query.where('r.created_at', '<', filters.until))
    .$if(filters.search !== '', (query) => query.where(isCalled(filters.search)))
  return listPage(found, SORT_COLUMNS, filters)
}
export type RecoldListRow = Awaited<ReturnType<typeof listRecolds>>['list'][number]

function isCalled(search: string) {
  const part = containing(search)
  return sql<boolean>`(r.title ilike ${part} or l.title ilike ${part} or o.title ilike ${part} or ma.name ilike ${part}
    or r.id::text = ${search} or r.uuid::text = ${search} or aa.name ilike ${part}
    or exists (select 1 from product p where p.id = any(r.product_ids) and p.title ilike ${part}))`
}

/** One distribution in scope by uuid or number; `lock` keeps it from changing meanwhile. */
export function getRecold(db: DbOrTrx, scope: Scope, key: string, lock = false) {
  return recoldsInScope(db, scope)
    .where(keyIs(key, { uuid: 'r.uuid', id: 'r.id' }))
    .$if(lock, (query) => query.forNoKeyUpdate('r'))
    .executeTakeFirst()
}
export type RecoldFound = NonNullable<Awaited<ReturnType<typeof getRecold>>>

function recoldsInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('recold as r')
    .innerJoin('lead_list as l', 'l.id', 'r.list_id')
    .innerJoin('offer as o', 'o.id', 'r.offer_id')
    .innerJoin('affiliate as f', 'f.id', 'r.affiliate_id')
    .innerJoin('account as aa', 'aa.id', 'f.account_id')
    .leftJoin('manager as m', 'm.id', 'r.manager_id')
    .leftJoin('account as ma', 'ma.id', 'm.account_id')
    .where(inScope(scope, { affiliateManager: 'r.manager_id' }))
    .select([
      'r.id',
      'r.uuid',
      'r.title',
      'r.status',
      'r.pause_reason',
      'r.payout',
      'r.payout_amount',
      'r.schedule',
      'r.pacing',
      'r.data',
      'r.skip',
      'r.seed',
    ])
    .select(['r.list_id', 'r.offer_id', 'r.product_ids', 'r.affiliate_id', 'r.manager_id', 'r.team', 'r.taken_item_id', 'r.next_place'])
    .select([
      'r.caps_from',
      'r.resumed_at',
      'r.rests_until',
      'r.planned_end',
      'r.forecast',
      'r.projection',
      'r.last_send_at',
      'r.started_at',
      'r.finished_at',
      'r.created_at',
      'r.version',
    ])
    .select(['l.uuid as list_uuid', 'l.title as list_title', 'o.uuid as offer_uuid', 'o.title as offer_title'])
    .select(['aa.uuid as affiliate_uuid', 'aa.name as affiliate_name', 'ma.uuid as manager_uuid', 'ma.name as manager_name'])
}

export function insertRecold(trx: Trx, values: Insertable<Tables['recold']>) {
  return trx.insertInto('recold').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

/** Changes a distribution and tells those who watch it. */
export async function updateRecold(trx: Trx, id: number, values: Updateable<Tables['recold']>): Promise<void> {
  await trx.updateTable('recold').set(values).where('id', '=', id).execute()
  await announceRecold(trx, id)
}

export async function announceRecold(trx: DbOrTrx, id: number): Promise<void> {
  await sql`select pg_notify(${RECOLD_CHANNEL}, ${String(id)})`.execute(trx)
}

export type RecoldCounts = {
  id: number
  counts: Partial<Record<RecoldItemStatus, number>>
  /** Why people were passed over. */
  skipped: Partial<Record<SkipReason, number>>
  nextAt: Date | null
  waiting: number
}

/** Of distributions how many people stand where, when the next is sent, and how many of their lists are not taken in. */
export async function countItems(db: DbOrTrx, ids: readonly number[]): Promise<Map<number, RecoldCounts>> {
  const { rows } = await sql<{ recold_id: number; status: RecoldItemStatus; skip_reason: SkipReason | ''; count: number }>`
    select recold_id, status, skip_reason, sum(items)::int as count from recold_count
     where recold_id = any(${[...ids]}::int[]) group by recold_id, status, skip_reason having sum(items) > 0`.execute(db)
  const next = await sql<{ id: number; at: Date | null }>`
    select r.id, least(
             (select min(scheduled_at) from recold_item where recold_id = r.id and status = 'scheduled'),
             (select min(not_before) from recold_item where recold_id = r.id and status = 'pending' and not_before < 'infinity')) as at
      from recold r where r.id = any(${[...ids]}::int[])`.execute(db)
  const waiting = await sql<{ id: number; count: number }>`
    select r.id, (select count(*)::int from lead_list_item i left join affiliate f on f.id = i.affiliate_id
                   where i.list_id = r.list_id and i.id > r.taken_item_id and i.removed_at is null
                     and (r.team is null or i.affiliate_id is null or f.manager_id = any(r.team))) as count
      from recold r where r.id = any(${[...ids]}::int[]) and r.status in ('draft', 'active', 'paused')`.execute(db)
  const found = new Map(ids.map((id): [number, RecoldCounts] => [id, { id, counts: {}, skipped: {}, nextAt: null, waiting: 0 }]))
  for (const { recold_id, status, skip_reason, count } of rows) {
    const one = found.get(recold_id)
    if (one === undefined) continue
    one.counts[status] = (one.counts[status] ?? 0) + count
    if (status === 'skipped' && skip_reason !== '') one.skipped[skip_reason] = count
  }
  for (const { id, at } of next.rows) {
    const one = found.get(id)
    if (one !== undefined) one.nextAt = at
  }
  for (const { id, count } of waiting.rows) {
    const one = found.get(id)
    if (one !== undefined) one.waiting = count
  }
  return found
}

/** Makes one of the counts of a kind, so that their sum stays quick to read; whoever reads meanwhile reads the same sum. */
export async function gatherCounts(db: Db): Promise<void> {
  await sql`
    with many as (
      select distinct recold_id, status, skip_reason, sent_hour from recold_count where fresh
    ),
    gone as (
      delete from recold_count c using many m
       where c.recold_id = m.recold_id and c.status = m.status and c.skip_reason = m.skip_reason and c.sent_hour is not distinct from m.sent_hour
      returning c.recold_id, c.status, c.skip_reason, c.sent_hour, c.items
    )
    insert into recold_count (recold_id, status, skip_reason, sent_hour, items, fresh)
    select recold_id, status, skip_reason, sent_hour, sum(items), false from gone group by 1, 2, 3, 4 having sum(items) <> 0`.execute(db)
}

/** What the cold sessions of distributions brought: conversions that bring money, and revenue by currency. */
export async function readEarned(db: DbOrTrx, ids: readonly number[]) {
  const { rows } = await sql<{ recold_id: number; currency: string; conversions: number; revenue: string }>`
    select recold_id, currency, (count(*) filter (where status in ('approved', 'hold', 'pending')))::int as conversions,
           coalesce(sum(revenue) filter (where status in ('approved', 'hold')), 0)::text as revenue
      from conversion where recold_id = any(${[...ids]}::int[]) and revenue > 0 group by recold_id, currency order by currency`.execute(db)
  return Map.groupBy(rows, ({ recold_id }) => recold_id)
}

/** Sends by the hour, from the hour of `since` on. */
export async function sentByHour(db: DbOrTrx, id: number, since: Date): Promise<{ hour: string; slots: number }[]> {
  const { rows } = await sql<{ hour: Date; slots: number }>`
    select sent_hour as hour, sum(items)::int as slots from recold_count
     where recold_id = ${id} and sent_hour > ${since}::timestamptz - interval '1 hour' group by 1 having sum(items) > 0 order by 1`.execute(
    db,
  )
  return rows.map(({ hour, slots }) => ({ hour: hour.toISOString(), slots }))
}

/** What advertisers said of the latest that were not taken, where they are in scope. */
export function listErrors(db: DbOrTrx, scope: Scope, id: number) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .innerJoin('product as p', 'p.id', 'n.product_id')
    .innerJoin('advertiser as v', 'v.id', 'n.advertiser_id')
    .select(['n.asked_at', 'n.reason', 'p.title'])
    .where('s.recold_id', '=', id)
    .where('n.status', 'in', ['error', 'ambiguous', 'no_capacity'])
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
    .orderBy('n.id', 'desc')
    .limit(10)
    .execute()
}
