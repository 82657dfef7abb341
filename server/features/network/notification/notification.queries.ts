import { sql } from 'kysely'
import { MOST_NOTIFICATIONS, NOTIFICATION_DAYS } from '#contract/network/notification.ts'
import { isInScope } from '#server/access/in-scope.ts'
import type { Actor } from '#server/access/actor.ts'
import { textIn } from '#server/features/network/news/news-text.ts'
import { newsOf } from '#server/features/network/news/reader.queries.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'
import { reference } from '#server/platform/pg/reference.ts'

/** One page of somebody's notifications, newest first, and how many there are: what the bell tells, or `only` these. */
export async function listNotifications(
  db: DbOrTrx,
  now: number,
  { accountId, scope, language }: Pick<Actor, 'accountId' | 'scope' | 'language'>,
  filters: { count: number; page: number },
  only?: readonly string[],
) {
  // what is mailed is chosen apart from what the bell tells
  const found = only === undefined ? inBell(db, now, accountId) : toldTo(db, now, accountId).where('n.uuid', 'in', [...only])
  const name = sql<string>`case when ${isInScope(scope, { affiliateManager: 'f.manager_id' })} then fa.name else '' end`
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .leftJoin('offer as o', 'o.id', 'n.offer_id')
      .leftJoin('landing as l', 'l.id', 'n.landing_id')
      .leftJoin('ticket as t', 't.id', 'n.ticket_id')
      .leftJoin('affiliate as f', 'f.id', 'n.affiliate_id')
      .leftJoin('account as fa', 'fa.id', 'f.account_id')
      .leftJoin('news as w', 'w.id', 'n.news_id')
      .select(['n.uuid', 'n.kind', 'n.at', 'n.read_at', 'n.status', 'n.reason', 'n.count', 'w.uuid as news_uuid', 'w.texts as news_texts'])
      .select([
        reference({ uuid: 'o.uuid', id: 'o.id', name: 'o.title' }).as('offer'),
        reference({ uuid: 'l.uuid', id: 'l.id', name: 'l.name' }).as('landing'),
        reference({ uuid: 't.uuid', id: 't.id', name: 't.subject' }).as('ticket'),
        sql<{ uuid: string; id: number; name: string } | null>`
          case when f.id is not null then json_build_object('uuid', fa.uuid, 'id', f.id, 'name', ${name}) end`.as('affiliate'),
      ])
      .orderBy('n.at', 'desc')
      .orderBy('n.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return {
    rows,
    list: list.map(({ news_uuid, news_texts, ...row }) => ({
      ...row,
      news: news_uuid === null || news_texts === null ? null : { uuid: news_uuid, name: textIn(news_texts, language).title },
    })),
  }
}

/** What of that the bell tells: not the kinds somebody keeps out of it. */
function inBell(db: DbOrTrx, now: number, accountId: number) {
  return toldTo(db, now, accountId).where(
    sql<boolean>`not exists (select from notification_choice c where c.account_id = n.account_id and c.kind = n.kind and not c.bell)`,
  )
}

/** What somebody was told, but for decisions about offers that do not exist for them since they were blocked, and news they may read no more. */
function toldTo(db: DbOrTrx, now: number, accountId: number) {
  return db
    .selectFrom('notification as n')
    .where('n.account_id', '=', accountId)
    .where(
      sql<boolean>`not (n.kind = 'access_decided' and exists (
      select from offer_access x join affiliate f on f.id = x.affiliate_id
       where f.account_id = n.account_id and x.offer_id = n.offer_id and x.status = 'blocked'))`,
    )
    .where((where) => where.or([where('n.news_id', 'is', null), where('n.news_id', 'in', newsOf(db, now, accountId))]))
}

/** How many somebody has not read. */
export function countUnread(db: Db, now: number, accountId: number): Promise<number> {
  return countRows(inBell(db, now, accountId).where('n.read_at', 'is', null))
}

/** Marks an own notification as read; false where there is none. */
export async function readNotification(db: Db, accountId: number, uuid: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('notification')
    .set({ read_at: sql<Date>`coalesce(read_at, ${new Date(now)})` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Marks what somebody was told of a ticket as read: it was read there. */
export async function readTicketNotification(db: Db, accountId: number, ticketId: number, now: number): Promise<void> {
  await db
    .updateTable('notification')
    .set({ read_at: new Date(now) })
    .where('account_id', '=', accountId)
    .where('ticket_id', '=', ticketId)
    .where('read_at', 'is', null)
    .execute()
}

/** Marks all own ones as read that came until a moment; answers how many. */
export async function readNotifications(db: Db, accountId: number, until: Date, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('notification')
    .set({ read_at: new Date(now) })
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .where('at', '<=', until)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes those older than they are kept, and of each person the oldest beyond the most that are; answers how many. */
export async function deleteOldNotifications(db: Db, now: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notification
     where at < ${new Date(now - NOTIFICATION_DAYS * 86_400_000)}
        or id in (select id from (select id, row_number() over (partition by account_id order by at desc, id desc) as place from notification) as all_of_them
                   where place > ${MOST_NOTIFICATIONS})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
