import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { auditFilters } from '#contract/people/audit.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { containing, countRows, pageOf } from '#server/platform/pg/paging.ts'
import { isWithin, rawPage } from '#server/platform/pg/raw-list.ts'
import type { ThingKey } from './thing.queries.ts'

type AuditRow = {
  at: Date
  actor_id: number | null
  acting_id: number | null
  key_id: number | null
  address: string
  action: string
  entity: string
  entity_id: string
  before: object | null
  after: object | null
}

/** Appends any number of entries to the audit log. */
export async function insertAudit(db: DbOrTrx, rows: AuditRow[]): Promise<void> {
  await insertRows(db, 'audit', rows)
}

/** Entries that are about one of some things, or were done by an account. */
export type AuditOf = { things: readonly (ThingKey | { entity: string; ids: 'all' })[]; by: number | null }

/** One page of what was logged of some things or done by somebody, newest first, and how many entries there are in all. */
export async function listAudit(db: Db, of: AuditOf, page: { count: number; page: number }) {
  const about = of.things.map(isAbout)
  const by = of.by === null ? [] : [isBy([of.by])]
  const found = db.selectFrom('audit as l').where(sql<boolean>`(${sql.join([...about, ...by, sql`false`], sql` or `)})`)
  const { limit, offset } = pageOf(page)
  const [rows, list] = await Promise.all([
    countRows(found),
    withPeople(found).orderBy('l.at', 'desc').orderBy('l.id', 'desc').limit(limit).offset(offset).execute(),
  ])
  return { rows, list }
}

type Filters = z.output<typeof auditFilters>
/** What the filters name by uuid or by a text: accounts, things found by number or name, and those the caller is not told of. */
export type AuditAsked = { people: readonly number[]; found: readonly ThingKey[]; hidden: readonly ThingKey[] }

/** The whole log, newest first, up to the moment `until`; `after` leads to the next page. */
export async function searchAudit(db: Db, filters: Filters, { people, found, hidden }: AuditAsked, until: Date) {
  const entries = db
    .selectFrom('audit as l')
    .where(isWithin(filters, until, 'l.at'))
    .$if(filters.entity.length > 0, (query) => query.where('l.entity', 'in', filters.entity))
    .$if(filters.action.length > 0, (query) => query.where('l.action', 'in', filters.action))
    .$if(filters.person_uuid.length > 0, (query) => query.where(isBy(people)))
    .$if(filters.search !== '', (query) => query.where(holds(filters.search, found)))
    .$if(hidden.length > 0, (query) => query.where(sql<boolean>`not (${sql.join(hidden.map(isAbout), sql` or `)})`))
  const [rows, page] = await Promise.all([
    countRows(entries),
    rawPage(withPeople(entries), filters, { at: 'l.at' }, { at: 'l.at', id: 'l.id', atOf: (row) => row.at }),
  ])
  return { rows, ...page }
}

/** A shorter text is looked for among numbers, keys and names only: the index of what was written has pieces of three. */
const SHORTEST_TEXT = 3

function holds(search: string, found: readonly ThingKey[]): RawBuilder<boolean> {
  const written = sql`(coalesce(l.before::text, '') || ' ' || coalesce(l.after::text, '')) ilike ${containing(JSON.stringify(search).slice(1, -1))}`
  const parts = [...found.map(isAbout), ...(search.length >= SHORTEST_TEXT ? [written] : []), sql`false`]
  return sql<boolean>`(${sql.join(parts, sql` or `)})`
}

function isAbout({ entity, ids }: AuditOf['things'][number]): RawBuilder<boolean> {
  if (ids === 'all') return sql<boolean>`(l.entity = ${entity})`
  return sql`(l.entity = ${entity} and l.entity_id = any(${[...ids]}::text[]))`
}

function isBy(accounts: readonly number[]): RawBuilder<boolean> {
  return sql`(l.actor_id = any(${[...accounts]}::int[]) or l.acting_id = any(${[...accounts]}::int[]))`
}

/** Which kinds of things and which actions there are, without reading every row: one step of the index for each. */
export async function auditWords(db: Db): Promise<{ entities: string[]; actions: string[] }> {
  const [entities, actions] = await Promise.all([distinct(db, 'entity'), distinct(db, 'action')])
  return { entities, actions }
}

async function distinct(db: Db, column: 'entity' | 'action'): Promise<string[]> {
  const name = sql.ref(column)
  const { rows } = await sql<{ word: string }>`
    with recursive words as (
      (select ${name} as word from audit order by ${name} limit 1)
      union all
      select (select ${name} from audit where ${name} > w.word order by ${name} limit 1) from words w where w.word is not null)
    select word from words where word is not null`.execute(db)
  return rows.map(({ word }) => word)
}

/** The last entry about each of some things, by its number: what was done, when and by whom, and what it was before. */
export async function lastAudits(db: DbOrTrx, entity: string, entityIds: readonly number[]) {
  const { rows } = await sql<{ entity_id: string; action: string; actor_id: number | null; at: Date; before: unknown }>`
    select l.* from unnest(${entityIds.map(String)}::text[]) as e (id)
      cross join lateral (select entity_id, action, coalesce(acting_id, actor_id) as actor_id, at, before from audit
        where entity = ${entity} and entity_id = e.id order by id desc limit 1) l`.execute(db)
  return new Map(rows.map((row) => [Number(row.entity_id), row]))
}

/** One entry about one thing. */
export function findAudit(db: DbOrTrx, entity: string, entityId: number, id: string) {
  return db
    .selectFrom('audit as l')
    .select(['l.action', 'l.at', 'l.before', 'l.after'])
    .where('l.entity', '=', entity)
    .where('l.entity_id', '=', String(entityId))
    .where('l.id', '=', id)
    .executeTakeFirst()
}

/** The columns of entries, with who did it and who was behind that. */
function withPeople(found: ReturnType<typeof entriesOf>) {
  return found
    .leftJoin('account as a', 'a.id', 'l.actor_id')
    .leftJoin('account as b', 'b.id', 'l.acting_id')
    .leftJoin('api_key as k', 'k.id', 'l.key_id')
    .select(['l.id', 'l.at', 'l.action', 'l.entity', 'l.entity_id', 'l.address', 'l.before', 'l.after', 'l.actor_id'])
    .select([
      'a.uuid as actor_uuid',
      'a.name as actor_name',
      'a.role as actor_role',
      'b.uuid as acting_uuid',
      'b.name as acting_name',
      'k.name as key_name',
    ])
}

const entriesOf = (db: Db) => db.selectFrom('audit as l')
