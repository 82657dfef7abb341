import { sql, type RawBuilder } from 'kysely'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { containing, countRows, pageOf } from '#server/platform/pg/paging.ts'

/**
 * Whether news `n` are for the account `a`, whose affiliate is `f` where it is one. Nobody named is everybody; countries and
 * tags narrow affiliates, and where no role is named they name them: then staff are not meant.
 */
export const IS_FOR: RawBuilder<boolean> = sql<boolean>`(
  (a.role = any(n.roles) or n.roles = '{}' and (a.role = 'affiliate' or n.geos = '{}' and n.tags = '{}'))
  and (a.role <> 'affiliate' or (n.geos = '{}' or coalesce(f.country = any(n.geos), false) or f.geos && n.geos)
                            and (n.tags = '{}' or f.tags && n.tags)))`

/** Whether news `n` are out: published, and due. What is scheduled comes out by this condition alone. */
export function isOut(now: number): RawBuilder<boolean> {
  return sql<boolean>`(n.status = 'published' and n.publish_at <= ${new Date(now)})`
}

/** Unread is what somebody has not opened; what was there before they came is old. */
const UNREAD = sql<boolean>`(r.account_id is null and n.publish_at >= a.created_at)`

/** One page of the news an account may read, pinned ones first, then the newest, and how many there are. */
export async function listNews(
  db: Db,
  now: number,
  accountId: number,
  { search, unread, ...page }: { search: string; unread: boolean; count: number; page: number },
) {
  const found = newsFor(db, now, accountId)
    .$if(unread, (query) => query.where(UNREAD))
    .$if(search !== '', (query) => query.where(hasTitle(search)))
  const { limit, offset } = pageOf(page)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select(['n.uuid', 'n.texts', 'n.cover', 'n.pinned', 'n.publish_at'])
      .select(sql<boolean>`not ${UNREAD}`.as('read'))
      .orderBy('n.pinned', 'desc')
      .orderBy('n.publish_at', 'desc')
      .orderBy('n.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** One of them, by uuid or number. */
export function getNews(db: DbOrTrx, now: number, accountId: number, key: string) {
  return newsFor(db, now, accountId)
    .select(['n.id', 'n.uuid', 'n.texts', 'n.cover', 'n.pinned', 'n.publish_at'])
    .select(sql<boolean>`not ${UNREAD}`.as('read'))
    .where(keyIs(key, { uuid: 'n.uuid', id: 'n.id' }))
    .executeTakeFirst()
}
export type ReadRow = NonNullable<Awaited<ReturnType<typeof getNews>>>

export function countUnreadNews(db: Db, now: number, accountId: number): Promise<number> {
  return countRows(newsFor(db, now, accountId).where(UNREAD))
}

/** Marks news an account may read, by uuid; undefined = all that came out until a moment. Answers how many were new to it. */
export async function readNews(db: DbOrTrx, now: number, accountId: number, which: { uuid: string } | { until: Date }): Promise<number> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('news_read')
    .columns(['news_id', 'account_id', 'at'])
    .expression(
      newsFor(db, now, accountId)
        .select(['n.id', sql<number>`${accountId}::int`.as('account_id'), sql<Date>`${new Date(now)}::timestamptz`.as('at')])
        .$if('uuid' in which, (query) => query.where('n.uuid', '=', 'uuid' in which ? which.uuid : ''))
        .$if('until' in which, (query) => query.where(UNREAD).where('n.publish_at', '<=', 'until' in which ? which.until : new Date(0))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0)
}

/** What the bell told of news an account has read by now is read too. */
export async function readTold(db: DbOrTrx, now: number, accountId: number): Promise<void> {
  await sql`
    update notification t set read_at = ${new Date(now)}
     where t.account_id = ${accountId} and t.news_id is not null and t.read_at is null
       and exists (select from news_read r where r.account_id = t.account_id and r.news_id = t.news_id)`.execute(db)
}

/** The numbers of the news an account may read. */
export function newsOf(db: DbOrTrx, now: number, accountId: number) {
  return newsFor(db, now, accountId).select('n.id')
}

/** Whether an account may read news by their number. */
export async function mayRead(db: DbOrTrx, now: number, accountId: number, newsId: number): Promise<boolean> {
  return (await newsOf(db, now, accountId).where('n.id', '=', newsId).executeTakeFirst()) !== undefined
}

/** Whether a title in any language has a text in it. */
export function hasTitle(search: string): RawBuilder<boolean> {
  return sql<boolean>`(n.texts #>> '{en,title}' ilike ${containing(search)} or n.texts #>> '{uk,title}' ilike ${containing(search)})`
}

function newsFor(db: DbOrTrx, now: number, accountId: number) {
  return db
    .selectFrom('news as n')
    .innerJoin('account as a', (join) => join.on('a.id', '=', accountId))
    .leftJoin('affiliate as f', 'f.account_id', 'a.id')
    .leftJoin('news_read as r', (join) => join.onRef('r.news_id', '=', 'n.id').onRef('r.account_id', '=', 'a.id'))
    .where(isOut(now))
    .where(IS_FOR)
}
