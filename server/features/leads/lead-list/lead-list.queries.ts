import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { LEAD_SOURCES, leadListApi, leadListStatus } from '#contract/leads/lead-list.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { containing } from '#server/platform/pg/paging.ts'
import { reference } from '#server/platform/pg/reference.ts'
import { words } from '#server/platform/pg/words.ts'

type Filters = z.output<typeof leadListApi.list.body>
export type LeadListStatus = z.output<typeof leadListStatus>
export type LeadSource = (typeof LEAD_SOURCES)[number]

/** One page of the lists in scope, those that are put away only where they are asked for. */
export function listLists(db: DbOrTrx, scope: Scope, asked: Filters) {
  return listPage(
    listsInScope(db, scope)
      .$if(asked.status.length > 0, (query) => query.where(stateOf(), 'in', asked.status))
      .$if(asked.status.length === 0, (query) => query.where('l.archived_at', 'is', null))
      .$if(asked.search !== '', (query) => query.where(isCalled(asked.search)))
      .$if(asked.owner_uuid.length > 0, (query) => query.where('ma.uuid', 'in', asked.owner_uuid)),
    { id: 'l.id', title: 'l.title', total: 't.total', owner: 'ma.name', created_at: 'l.created_at', updated_at: 'l.updated_at' },
    asked,
  )
}

/** Lists to choose from. */
export function findLists(db: DbOrTrx, scope: Scope, search: string) {
  return db
    .selectFrom('lead_list as l')
    .select(['l.uuid', 'l.id', 'l.title as name'])
    .where('l.deleted_at', 'is', null)
    .where('l.archived_at', 'is', null)
    .where(inScope(scope, { affiliateManager: 'l.manager_id' }))
    .$if(search !== '', (query) => query.where(isCalled(search)))
    .orderBy('l.id', 'desc')
    .limit(50)
    .execute()
}

/** One list in scope by uuid or number. */
export function getList(db: DbOrTrx, scope: Scope, key: string) {
  return listsInScope(db, scope)
    .where(keyIs(key, { uuid: 'l.uuid', id: 'l.id' }))
    .executeTakeFirst()
}
export type LeadListRow = NonNullable<Awaited<ReturnType<typeof getList>>>

/** Lists in scope, locked in the order of their numbers: who changes one waits for whoever does. */
export function lockLists(trx: Trx, scope: Scope, keys: readonly string[]) {
  return trx
    .selectFrom('lead_list as l')
    .select(['l.id', 'l.uuid', 'l.title', 'l.description', 'l.manager_id', 'l.archived_at', 'l.version'])
    .where('l.deleted_at', 'is', null)
    .where(inScope(scope, { affiliateManager: 'l.manager_id' }))
    .where((of) => of.or(keys.map((key) => keyIs(key, { uuid: 'l.uuid', id: 'l.id' }))))
    .orderBy('l.id')
    .forUpdate('l')
    .execute()
}
export type LockedList = Awaited<ReturnType<typeof lockLists>>[number]

export function insertList(trx: Trx, values: Insertable<Tables['lead_list']>) {
  return trx.insertInto('lead_list').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateList(trx: Trx, id: number, values: Updateable<Tables['lead_list']>): Promise<void> {
  await trx.updateTable('lead_list').set(values).where('id', '=', id).execute()
}

/** Whether an owner has another list of this title. */
export async function isTitleTaken(trx: Trx, managerId: number | null, title: string, but: number): Promise<boolean> {
  const found = await trx
    .selectFrom('lead_list')
    .select('id')
    .where(sql<boolean>`coalesce(manager_id, 0) = ${managerId ?? 0}`)
    .where(sql<boolean>`lower(title) = lower(${title})`)
    .where('deleted_at', 'is', null)
    .where('id', '<>', but)
    .executeTakeFirst()
  return found !== undefined
}

/** Distributions of some lists that are not deleted, the latest five of each, with how many there are. */
export async function usesOf(db: DbOrTrx, listIds: readonly number[]) {
  if (listIds.length === 0) return []
  const { rows } = await sql<{ list_id: number; uuid: string; title: string; status: string; uses: number }>`
    select list_id, uuid, title, status, uses from (
      select r.list_id, r.uuid, r.title, r.status, count(*) over (partition by r.list_id)::int as uses,
             row_number() over (partition by r.list_id order by r.id desc) as place
        from recold r where r.list_id = any(${[...listIds]}::int[]) and r.status <> 'deleted') e
     where place <= 5 order by list_id, place`.execute(db)
  return rows
}

/** The titles of what is about to send a list, or does, and of rules that name it: at most five. */
export async function usersOf(trx: Trx, listId: number): Promise<{ title: string }[]> {
  const { rows } = await sql<{ title: string }>`
    select title from (select r.id, 1 as kind, r.title from recold r where r.list_id = ${listId} and r.status in (${sql.join(IN_USE)})
                       union all select r.id, 2, r.title ${rulesOf(sql`${listId}::int`)}) e
     order by kind, id limit 5`.execute(trx)
  return rows
}

/** Rules that name a list, by their settings in force or their latest ones. */
function rulesOf(listId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`from cold_rule r where r.status <> 'archived' and exists (
    select from cold_rule_version v where v.id in (r.version_id, r.live_version_id) and v.list_ids @> array[${listId}])`
}

/** How many of some lists are of each country and source, as far as somebody sees who is in them. */
export async function countsOf(db: DbOrTrx, scope: Scope, listIds: readonly number[]) {
  if (listIds.length === 0) return []
  const { rows } = await sql<{ list_id: number; source: LeadSource; country: string; items: number; removed: number }>`
    select c.list_id, c.source, c.country, sum(c.items)::int as items, sum(c.removed)::int as removed
      from lead_list_count c where c.list_id = any(${[...listIds]}::int[]) and ${isSeen(scope, sql`c.affiliate_id`)}
     group by 1, 2, 3`.execute(db)
  return rows
}

/** How many of some lists nobody sends to: suppressed, and for whatever reason. */
export async function unsendableOf(db: DbOrTrx, scope: Scope, listIds: readonly number[]) {
  if (listIds.length === 0) return []
  const lists = sql`i.list_id = any(${[...listIds]}::int[]) and i.removed_at is null and ${isSeen(scope, sql`coalesce(i.affiliate_id, 0)`)}`
  // of large lists those are looked at whom nobody sends to, not all that are in them; neither is left to how the planner guesses
  const joined = (await areLarge(db, listIds))
    ? sql`(select p.id, p.suppressed_at from person p where ${UNSENDABLE} offset 0) p
          cross join lateral (select i.list_id from lead_list_item i where i.person_id = p.id and ${lists} offset 0) i`
    : sql`person p join lead_list_item i on i.person_id = p.id and ${UNSENDABLE} and ${lists}`
  const { rows } = await sql<{ list_id: number; unsendable: number; suppressed: number }>`
    select i.list_id, count(*)::int as unsendable, (count(*) filter (where p.suppressed_at is not null))::int as suppressed
      from ${joined} group by 1`.execute(db)
  return rows
}

/** As the index `person_unsendable` has them. */
const UNSENDABLE = sql.raw('(p.suppressed_at is not null or p.erased_at is not null or p.restricted_at is not null or p.test)')

/** Whether more people are in some lists than nobody sends to at all, as far as the index of those is known. */
async function areLarge(db: DbOrTrx, listIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql<{ large: boolean }>`
    select coalesce(sum(c.items), 0) > (select case when reltuples < 0 then 1e12 else reltuples end from pg_class where oid = 'person_unsendable'::regclass) as large
      from lead_list_count c where c.list_id = any(${[...listIds]}::int[])`.execute(db)
  return rows[0]?.large ?? false
}

/** Whether somebody sees who is in a list: whose affiliate is theirs, and whoever came in a file. */
export function isSeen(scope: Scope, affiliateId: RawBuilder<unknown>): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql`true`
  if (scope.kind === 'affiliate') return sql`false`
  return sql<boolean>`(${affiliateId} = 0 or ${affiliateId} in (select id from affiliate where manager_id = any(${scope.managerIds}::int[])))`
}

const IN_USE = ['draft', 'active', 'paused'] as const

function stateOf(): RawBuilder<LeadListStatus> {
  return sql<LeadListStatus>`case when l.archived_at is not null then 'archived'
    when exists (select from recold r where r.list_id = l.id and r.status in (${words(IN_USE)}))
      or exists (select ${rulesOf(sql`l.id`)}) then 'in_use'
    when t.total > 0 then 'ready' else 'draft' end`
}

function listsInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('lead_list as l')
    .leftJoin('manager as m', 'm.id', 'l.manager_id')
    .leftJoin('account as ma', 'ma.id', 'm.account_id')
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom('lead_list_count as c')
          .select(sql<number>`coalesce(sum(c.items), 0)::int`.as('total'))
          .whereRef('c.list_id', '=', 'l.id')
          .where(isSeen(scope, sql`c.affiliate_id`))
          .as('t'),
      (join) => join.onTrue(),
    )
    .select(['l.uuid', 'l.id', 'l.title', 'l.description', 'l.created_at', 'l.updated_at', 'l.version', 't.total'])
    .select([stateOf().as('status'), reference({ uuid: 'ma.uuid', id: 'm.id', name: 'ma.name' }).as('owner')])
    .where('l.deleted_at', 'is', null)
    .where(inScope(scope, { affiliateManager: 'l.manager_id' }))
}

function isCalled(text: string): RawBuilder<boolean> {
  return sql<boolean>`(l.title ilike ${containing(text)} or l.id::text = ${text})`
}
