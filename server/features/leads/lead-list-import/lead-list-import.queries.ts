import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { LEAD_LIST_MISTAKES, type LeadListMistake } from '#contract/leads/lead-list-mapping.ts'
import { isSeen } from '#server/features/leads/lead-list/lead-list.queries.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'

type Who = { accountId: number; scope: Scope }

/** Keeps a file that was read; answers its uuid. */
export async function insertImport(trx: Trx, values: Insertable<Tables['lead_list_import']>): Promise<string> {
  return (await trx.insertInto('lead_list_import').values(values).returning('uuid').executeTakeFirstOrThrow()).uuid
}

/** Drafts of somebody are given up when they read the next file. */
export async function deleteDraftsOf(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('lead_list_import').where('created_by', '=', accountId).where('status', '=', 'draft').execute()
}

export async function deleteDraft(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('lead_list_import').where('id', '=', id).where('status', '=', 'draft').execute()
}

/** How many files of somebody are being read. */
export function countRunning(db: DbOrTrx, accountId: number): Promise<number> {
  return countRows(db.selectFrom('lead_list_import').where('created_by', '=', accountId).where('status', '=', 'running'))
}

/** Files of lists in scope; drafts are of who read them alone. */
function importsOf(db: DbOrTrx, { accountId, scope }: Who) {
  return db
    .selectFrom('lead_list_import as m')
    .innerJoin('lead_list as l', 'l.id', 'm.list_id')
    .innerJoin('account as a', 'a.id', 'm.created_by')
    .where('l.deleted_at', 'is', null)
    .where(inScope(scope, { affiliateManager: 'l.manager_id' }))
    .where((of) => of.or([of('m.status', '!=', 'draft'), of('m.created_by', '=', accountId)]))
}

/** One of them without what stands in it; `lock` keeps it from changing meanwhile. */
export function getImport(db: DbOrTrx, who: Who, uuid: string, lock = false) {
  return importsOf(db, who)
    .select(['m.id', 'm.uuid', 'm.list_id', 'm.status', 'm.problem', 'm.file_name', 'm.encoding', 'm.delimiter', 'm.mapping', 'm.country'])
    .select(['m.rows', 'm.done', 'm.added', 'm.known', 'm.left_out', 'm.refused', 'm.basis', 'm.source', 'm.statement', 'm.confirmed_at'])
    .select(['m.created_by', 'm.created_at', 'm.ended_at', 'a.name as by', 'l.uuid as list_uuid'])
    .select(sql<boolean>`m.content is not null`.as('has_content'))
    .where(keyIs(uuid, { uuid: 'm.uuid', id: 'm.id' }))
    .$if(lock, (query) => query.forUpdate('m'))
    .executeTakeFirst()
}
export type ImportRow = NonNullable<Awaited<ReturnType<typeof getImport>>>

/** What is kept of a file, sealed. */
export async function contentOf(db: DbOrTrx, id: string): Promise<Buffer | null> {
  return (await db.selectFrom('lead_list_import').select('content').where('id', '=', id).executeTakeFirst())?.content ?? null
}

/** One page of the rows of a file that were not taken, in its order: all that is wrong with each. */
export async function listMistakes(db: DbOrTrx, id: string, filters: { count: number; page: number }) {
  const { limit, offset } = pageOf(filters)
  const [rows, { rows: list }] = await Promise.all([
    countRows(db.selectFrom('lead_list_import_mistake').where('import_id', '=', id).where('place', '=', 1)),
    sql<{ row: number; mistakes: Omit<LeadListMistake, 'row'>[] }>`
      select row, jsonb_agg(jsonb_build_object('field', field, 'code', code) order by place) as mistakes
        from lead_list_import_mistake where import_id = ${id} group by row order by row limit ${limit} offset ${offset}`.execute(db),
  ])
  return { rows, list }
}

/** One page of the files of a list, newest first. */
export async function listImports(db: Db, who: Who, listId: number, filters: { count: number; page: number }) {
  const found = importsOf(db, who).where('m.list_id', '=', listId)
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select(['m.uuid', 'm.status', 'm.file_name', 'm.rows', 'm.added', 'm.created_at', 'a.name as by'])
      .orderBy('m.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

export async function updateImport(trx: DbOrTrx, id: string, values: Updateable<Tables['lead_list_import']>): Promise<void> {
  await trx.updateTable('lead_list_import').set(values).where('id', '=', id).execute()
}

/** The file that has waited longest, locked, without what stands in it: whoever else looks takes the next. */
export function takeRunning(trx: Trx) {
  return trx
    .selectFrom('lead_list_import')
    .select(['id', 'list_id', 'mapping', 'country', 'rows', 'done', 'created_by', 'created_at', 'file_name'])
    .where('status', '=', 'running')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}
export type Running = NonNullable<Awaited<ReturnType<typeof takeRunning>>>

type Step = {
  done: number
  added: number
  known: number
  refused: number
  left_out: Readonly<Record<string, number>>
}

/** Notes how far a file has come. */
export async function addStep(trx: Trx, id: string, { done, added, known, refused, left_out }: Step): Promise<void> {
  await sql`
    update lead_list_import m
       set done = ${done}, added = m.added + ${added}, known = m.known + ${known}, refused = m.refused + ${refused},
           left_out = (select coalesce(jsonb_object_agg(e.key, e.rows), '{}') from (
             select key, sum(value::int) as rows from (
               select * from jsonb_each_text(m.left_out) union all select * from jsonb_each_text(${JSON.stringify(left_out)}::jsonb)) as n
              group by key) as e)
     where m.id = ${id}`.execute(trx)
}

/** Keeps what is wrong with rows of a file, all of a row at once. */
export async function insertMistakes(trx: Trx, id: string, mistakes: readonly LeadListMistake[]): Promise<void> {
  const places = new Map<number, number>()
  const rows = mistakes.map(({ row, field, code }) => {
    const place = (places.get(row) ?? 0) + 1
    places.set(row, place)
    return { import_id: id, row, place, field, code }
  })
  await insertRows(trx, 'lead_list_import_mistake', rows)
}

/** What a file came to. */
export function sumsOf(trx: Trx, id: string) {
  return trx
    .selectFrom('lead_list_import')
    .select(['file_name', 'added', 'known', 'refused', 'left_out'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** What is locked by whoever keeps rows of files, and by whoever takes somebody out of them. */
export const FILES_OF_PEOPLE = 'files of people'

/** The rows of a file that nobody could read; not those that were left out for who they are. */
export async function linesWithMistakes(trx: Trx, id: string): Promise<number[]> {
  const rows = await trx
    .selectFrom('lead_list_import_mistake')
    .select('row')
    .distinct()
    .where('import_id', '=', id)
    .where('code', 'in', [...LEAD_LIST_MISTAKES])
    .execute()
  return rows.map(({ row }) => row)
}

export async function anyErasedSince(trx: Trx, at: Date): Promise<boolean> {
  return (await trx.selectFrom('person_erasure').select('person_id').where('at', '>=', at).limit(1).executeTakeFirst()) !== undefined
}

/** Files that keep rows and are not being read. */
export function listKept(trx: Trx) {
  return trx
    .selectFrom('lead_list_import')
    .select(['id', 'status', 'content'])
    .where('content', 'is not', null)
    .where('status', '!=', 'running')
    .orderBy('id')
    .execute()
}

/**
 * People who are known by one of these telephones or e-mail addresses, with where they stand in a list. `seen`: a lead of theirs, or a list
 * they stand in, is in scope; that others know them is nobody's to find out.
 */
export async function findSame(db: DbOrTrx, scope: Scope, listId: number, phones: readonly Buffer[], emails: readonly Buffer[]) {
  const { rows } = await sql<{
    phone_hash: Buffer | null
    email_hash: Buffer | null
    suppressed: boolean
    restricted: boolean
    seen: boolean
    item_id: string | null
    import_id: string | null
    removed: boolean
  }>`
    select p.phone_hash, p.email_hash, p.suppressed_at is not null as suppressed, p.restricted_at is not null as restricted,
           ${isKnownTo(scope)} as seen, i.id as item_id, i.import_id, i.removed_at is not null as removed
      from (select p.id from person p where p.phone_hash = any(${[...phones]}::bytea[]) and not p.test and p.erased_at is null
            union select p.id from person p where p.email_hash = any(${[...emails]}::bytea[]) and not p.test and p.erased_at is null) k
      join person p on p.id = k.id
      left join lead_list_item i on i.list_id = ${listId} and i.person_id = p.id`.execute(db)
  return rows
}
function isKnownTo(scope: Scope): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql`true`
  return sql<boolean>`(exists (select from user_session s join affiliate f on f.id = s.affiliate_id
      where s.person_id = p.id and ${inScope(scope, { affiliateManager: 'f.manager_id' })})
    or exists (select from lead_list_item t join lead_list l on l.id = t.list_id
      where t.person_id = p.id and ${inScope(scope, { affiliateManager: 'l.manager_id' })} and ${isSeen(scope, sql`coalesce(t.affiliate_id, 0)`)}))`
}
export type SamePerson = Awaited<ReturnType<typeof findSame>>[number]

/** Adds people of a file to its list; answers whom that did. */
export async function insertItems(trx: Trx, rows: readonly Insertable<Tables['lead_list_item']>[]): Promise<void> {
  await insertRows(trx, 'lead_list_item', rows)
}

/** Ends drafts of before a moment, and forgets what stood in rows of files that are over; answers how many. */
export async function forgetContent(db: Db, before: Date): Promise<number> {
  const drafts = await sql`delete from lead_list_import where status = 'draft' and created_at < ${before}`.execute(db)
  const ended =
    await sql`update lead_list_import set content = null where content is not null and status <> 'running' and ended_at < ${before}`.execute(
      db,
    )
  return Number(drafts.numAffectedRows ?? 0) + Number(ended.numAffectedRows ?? 0)
}

/** Whether anybody of a file was sent, or is being. */
export async function isSent(db: DbOrTrx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from lead_list_item i join recold_item r on r.list_item_id = i.id
     where i.import_id = ${id} and (r.session_id is not null or r.status = 'sending') limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Whom a file brought, in whatever lists they stand by it, locked: the people before their rows, as whoever forgets or sends them. Whoever
 * would send them, or takes a lead of one, is waited for, or waits and finds them gone.
 */
export async function lockBrought(trx: Trx, id: string): Promise<string[]> {
  await sql`select id from person where id in (select person_id from lead_list_item where import_id = ${id}) order by id for update`.execute(
    trx,
  )
  const { rows } = await sql<{
    person_id: string
  }>`select person_id from lead_list_item where import_id = ${id} order by id for update`.execute(trx)
  await sql`select r.id from recold_item r join lead_list_item i on i.id = r.list_item_id where i.import_id = ${id} order by r.id for update of r`.execute(
    trx,
  )
  return [...new Set(rows.map(({ person_id }) => person_id))]
}

/** Takes whom a file brought out of distributions and lists. */
export async function deleteBrought(trx: Trx, id: string): Promise<void> {
  await sql`delete from recold_item r using lead_list_item i where i.id = r.list_item_id and i.import_id = ${id}`.execute(trx)
  await sql`delete from lead_list_item where import_id = ${id}`.execute(trx)
}

/** Deletes those of some people who came since a moment and of whom nothing else is known; the caller has locked them. */
export async function deleteStrangers(trx: Trx, ids: readonly string[], since: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from person p where p.id = any(${[...ids]}::bigint[]) and p.first_seen_at >= ${since} and p.erased_at is null and p.restricted_at is null
      and not exists (select from user_session s where s.person_id = p.id)
      and not exists (select from lead_list_item i where i.person_id = p.id)
      and not exists (select from person_erasure e where e.person_id = p.id)`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
