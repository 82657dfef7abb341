import { sql } from 'kysely'
import type { z } from 'zod'
import type { recoldApi } from '#contract/leads/recold.ts'
import { isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { isSeen } from '#server/features/leads/lead-list/lead-list.queries.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { pageOf } from '#server/platform/pg/paging.ts'
import { words } from '#server/platform/pg/words.ts'
import { HAS_IT } from '#server/rules/lead/states.ts'

type Filters = z.output<typeof recoldApi.items.body>

/**
 * One page of the people of a distribution as far as they are in scope: those under way and to come first, then the newest. The rows are
 * found first, and only theirs is looked up.
 */
export async function listItems(db: Db, scope: Scope, recoldId: number, filters: Filters) {
  const found = db
    .selectFrom('recold_item as i')
    .where('i.recold_id', '=', recoldId)
    .$if(!(await seesAll(db, scope, recoldId)), (query) => query.where(isSeen(scope, sql`coalesce(i.affiliate_id, 0)`)))
    .$if(filters.status.length > 0, (query) => query.where('i.status', 'in', filters.status))
    .$if(filters.skip_reason.length > 0, (query) => query.where('i.skip_reason', 'in', filters.skip_reason))
    .$if(filters.country.length > 0, (query) => query.where('i.country', 'in', filters.country))
  const { limit, offset } = pageOf(filters)
  const page = found.select('i.id').orderBy(SHOWN_BY).orderBy('i.place').orderBy('i.id').limit(limit).offset(offset)
  const [{ rows }, list] = await Promise.all([
    found.select(sql<number>`count(*)::int`.as('rows')).executeTakeFirstOrThrow(),
    db
      .selectFrom(page.as('k'))
      .innerJoin('recold_item as i', 'i.id', 'k.id')
      .innerJoin('lead_list_item as t', 't.id', 'i.list_item_id')
      .innerJoin('person as p', 'p.id', 'i.person_id')
      .leftJoin('user_session as o', 'o.id', 't.session_id')
      .leftJoin('affiliate as f', 'f.id', 't.affiliate_id')
      .leftJoin('account as a', 'a.id', 'f.account_id')
      .leftJoin('user_session as s', 's.id', 'i.session_id')
      .leftJoin('lead_send as n', (join) => join.onRef('n.session_id', '=', 's.id').on(sql<boolean>`n.status in (${words(HAS_IT)})`))
      .leftJoin('product as d', 'd.id', 'n.product_id')
      .leftJoin('advertiser as v', 'v.id', 'n.advertiser_id')
      .select(['i.uuid', 'i.status', 'i.skip_reason', 'i.country', 'i.scheduled_at', 'i.sent_at', 'i.ended_at'])
      .select(['a.uuid as affiliate_uuid', 'f.id as affiliate_number', 'a.name as affiliate_name', 'p.erased_at'])
      .select(sql<Buffer | null>`coalesce(s.sealed, t.sealed, o.sealed, p.sealed)`.as('sealed'))
      .select(['s.uuid as session_uuid', 's.id as session_number', 's.status as session_status', 's.reason as session_reason'])
      .select(['s.call_status', 'n.uuid as lead_id', 'd.uuid as product_uuid', 'd.id as product_number', 'd.title as product_title'])
      .select(isInScope(scope, { advertiserManager: 'v.manager_id' }).as('sees_advertiser'))
      .select(
        sql<string>`coalesce((select string_agg(distinct g.title, ', ') from conversion c join goal g on g.id = c.goal_id
          where c.click_id = s.click_id), '')`.as('goal'),
      )
      .orderBy(SHOWN_BY)
      .orderBy('i.place')
      .orderBy('i.id')
      .execute(),
  ])
  return { rows, list }
}

/** As `recold_item_shown` is ordered. */
const SHOWN_BY = sql`coalesce(i.scheduled_at, i.sent_at, i.ended_at) desc nulls last`

/** Whether the list of a distribution holds nobody the caller does not see: then nobody is looked at one by one. */
async function seesAll(db: Db, scope: Scope, recoldId: number): Promise<boolean> {
  if (scope.kind === 'all') return true
  const { rows } = await sql`
    select 1 from recold r join lead_list_count c on c.list_id = r.list_id
     where r.id = ${recoldId} and not ${isSeen(scope, sql`c.affiliate_id`)} limit 1`.execute(db)
  return rows.length === 0
}
export type ItemRow = Awaited<ReturnType<typeof listItems>>['list'][number]

/** People of a distribution who are passed over or cancelled by hand before they are sent; answers how many. */
export async function endWaiting(
  trx: Trx,
  recoldId: number,
  uuids: readonly string[] | null,
  status: 'skipped' | 'cancelled',
  now: Date,
): Promise<number> {
  const ended = await trx
    .updateTable('recold_item')
    .set({ status, ended_at: now, scheduled_at: null })
    .where('recold_id', '=', recoldId)
    .where('status', 'in', ['pending', 'scheduled'])
    .$if(uuids !== null, (query) => query.where('uuid', 'in', [...(uuids ?? [])]))
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}

/** Where people of a distribution stand in its list. */
export async function listItemsOf(trx: Trx, recoldId: number, uuids: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('recold_item')
    .select('list_item_id')
    .where('recold_id', '=', recoldId)
    .where('uuid', 'in', [...uuids])
    .execute()
  return rows.map(({ list_item_id: id }) => id)
}

/** Of some people of a distribution those who wait and were taken out of its list are sent by it no more; answers how many. */
export async function cancelTakenOut(trx: Trx, recoldId: number, uuids: readonly string[], now: Date): Promise<number> {
  const ended = await trx
    .updateTable('recold_item as i')
    .from('lead_list_item as t')
    .set({ status: 'cancelled', ended_at: now, scheduled_at: null })
    .whereRef('t.id', '=', 'i.list_item_id')
    .where('t.removed_at', 'is not', null)
    .where('i.recold_id', '=', recoldId)
    .where('i.status', 'in', ['pending', 'scheduled'])
    .where('i.uuid', 'in', [...uuids])
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}

/** Failed people wait once more, in their old places; their sessions are the same. Answers how many. */
export async function retryFailed(trx: Trx, recoldId: number, uuids: readonly string[]): Promise<number> {
  const again = await trx
    .updateTable('recold_item')
    .set({ status: 'pending', ended_at: null, scheduled_at: null })
    .where('recold_id', '=', recoldId)
    .where('status', 'in', ['failed', 'no_capacity'])
    .where('uuid', 'in', [...uuids])
    .executeTakeFirst()
  return Number(again.numUpdatedRows)
}

/** Whoever was planned is planned anew. */
export async function unplan(trx: Trx, recoldId: number): Promise<void> {
  await trx
    .updateTable('recold_item')
    .set({ status: 'pending', scheduled_at: null })
    .where('recold_id', '=', recoldId)
    .where('status', '=', 'scheduled')
    .execute()
}

/** People passed over for the limit of their country wait again. */
export async function restoreCapped(trx: Trx, recoldId: number): Promise<void> {
  await trx
    .updateTable('recold_item')
    .set({ status: 'pending', skip_reason: '', ended_at: null })
    .where('recold_id', '=', recoldId)
    .where('status', '=', 'skipped')
    .where('skip_reason', '=', 'geo_cap')
    .execute()
}
