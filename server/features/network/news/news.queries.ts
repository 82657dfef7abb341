import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { NewsStatus, newsFilters } from '#contract/network/news.ts'
import type { Db, DbOrTrx, Tables } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { isUuidOf } from '#server/platform/pg/paging.ts'
import { whoseStatusChanges } from '#server/platform/pg/status-change.ts'
import { hasTitle, IS_FOR } from './reader.queries.ts'

type Filters = z.output<typeof newsFilters>

/** The title most see. */
const TITLE = sql<string>`coalesce(nullif(n.texts #>> '{en,title}', ''), n.texts #>> '{uk,title}')`
const READERS = sql<number>`(select count(*)::int from news_read r where r.news_id = n.id)`

/** What stored ones are at a moment: scheduled is what is published later. */
function statusAt(now: number): RawBuilder<NewsStatus> {
  return sql<NewsStatus>`case when n.status = 'published' and n.publish_at > ${new Date(now)} then 'scheduled' else n.status end`
}

/** One page of all news, archived ones only where they are asked for, and how many there are. */
export async function listWritten(db: Db, now: number, filters: Filters) {
  const status = statusAt(now)
  const found = written(db, now)
    .$if(filters.status.length > 0, (query) => query.where(status, 'in', filters.status))
    .$if(filters.status.length === 0, (query) => query.where('n.status', '<>', 'archived'))
    .$if(filters.role.length > 0, (query) => query.where(sql<boolean>`(n.roles && ${filters.role}::text[])`))
    .$if(filters.geo.length > 0, (query) => query.where(sql<boolean>`(n.geos && ${filters.geo}::text[])`))
    .$if(filters.tag.length > 0, (query) => query.where(sql<boolean>`(n.tags && ${filters.tag}::text[])`))
    .$if(filters.pinned.length === 1, (query) => query.where('n.pinned', '=', filters.pinned[0] === 'yes'))
    .$if(filters.search !== '', (query) =>
      query.where((where) =>
        where.or([hasTitle(filters.search), isUuidOf(filters.search, 'n.uuid'), sql<boolean>`n.id::text = ${filters.search}`]),
      ),
    )
  const columns = {
    id: 'n.id',
    title: TITLE,
    status,
    publish_at: 'n.publish_at',
    pinned: 'n.pinned',
    author: 'by.name',
    readers: READERS,
    created_at: 'n.created_at',
    updated_at: 'n.updated_at',
  } as const satisfies Record<Filters['sort'], unknown>
  return listPage(found, columns, filters)
}

/** One of all by uuid or number; `lock` keeps it from changing meanwhile. */
export function getWritten(db: DbOrTrx, now: number, key: string, lock = false) {
  return written(db, now)
    .where(keyIs(key, { uuid: 'n.uuid', id: 'n.id' }))
    .$if(lock, (query) => query.forNoKeyUpdate('n'))
    .executeTakeFirst()
}
export type WrittenRow = NonNullable<Awaited<ReturnType<typeof getWritten>>>

/** Locks those of these uuids whose status would change, in the order of their ids. */
export function lockWritten(db: DbOrTrx, now: number, change: { uuids: string[]; status?: NewsStatus; expected?: NewsStatus | undefined }) {
  const found = db
    .selectFrom((from) => from.selectFrom('news as n').selectAll('n').select(statusAt(now).as('shown')).as('l'))
    .select(['l.id', 'l.shown', 'l.publish_at'])
  return whoseStatusChanges(found, { uuid: 'l.uuid', id: 'l.id', status: 'l.shown' }, change).forNoKeyUpdate('l').execute()
}

export function insertNews(db: DbOrTrx, values: Insertable<Tables['news']>) {
  return db.insertInto('news').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

/** Names the picture of news that were just made, once it is theirs: whether there is such a file is asked before. */
export async function showCover(db: DbOrTrx, id: number, cover: string | null): Promise<void> {
  if (cover !== null) await db.updateTable('news').set({ cover }).where('id', '=', id).execute()
}

export async function updateNews(db: DbOrTrx, ids: number[], values: Updateable<Tables['news']>): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('news')
    .set({ ...values, version: sql<number>`version + 1` })
    .where('id', 'in', ids)
    .execute()
}

/** How many active people an audience has. */
export async function countReach(db: DbOrTrx, audience: { roles: string[]; geos: string[]; tags: string[] }) {
  const { rows } = await sql<{ affiliates: number; staff: number }>`
    select count(f.id)::int as affiliates, count(m.id)::int as staff
      from (select ${audience.roles}::text[] as roles, ${audience.geos}::text[] as geos, ${audience.tags}::text[] as tags) n
      cross join account a
      left join affiliate f on f.account_id = a.id and f.status = 'active'
      left join manager m on m.account_id = a.id and m.status = 'active'
     where (f.id is not null or m.id is not null) and ${IS_FOR}`.execute(db)
  return rows[0] ?? { affiliates: 0, staff: 0 }
}

function written(db: DbOrTrx, now: number) {
  return db
    .selectFrom('news as n')
    .leftJoin('account as by', 'by.id', 'n.created_by')
    .select(['n.id', 'n.uuid', 'n.texts', 'n.cover', 'n.roles', 'n.geos', 'n.tags', 'n.pinned', 'n.publish_at'])
    .select(['n.created_at', 'n.updated_at', 'n.version', 'n.status as stored', 'by.name as author'])
    .select([statusAt(now).as('status'), TITLE.as('title'), READERS.as('readers')])
}
