import { sql } from 'kysely'
import type { Trx } from '#server/platform/pg/database.ts'
import { IS_FOR, isOut } from './reader.queries.ts'

/** News that are out and that the bell has not told everybody of, taken by this worker alone; the oldest first. */
export async function nextToTell(trx: Trx, now: number): Promise<{ id: number; told_until: number } | undefined> {
  return trx
    .selectFrom('news as n')
    .select(['n.id', 'n.told_until'])
    .where(isOut(now))
    .where('n.told_at', 'is', null)
    .orderBy('n.publish_at')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Tells the next of its audience, in the order of their accounts, and notes how far that came. Who wrote it and who came later need no telling. */
export async function tellSome(trx: Trx, now: number, news: { id: number; told_until: number }, most: number): Promise<void> {
  await sql`
    with told as (
      select a.id, n.id as news_id from news n
        join account a on a.id > ${news.told_until} and a.id is distinct from n.created_by and a.created_at <= n.publish_at
        left join affiliate f on f.account_id = a.id
        left join manager m on m.account_id = a.id
       where n.id = ${news.id} and coalesce(f.status, m.status) = 'active' and ${IS_FOR}
       order by a.id limit ${most}
    ), rows as (
      insert into notification (account_id, kind, at, news_id, once)
      select id, 'news', ${new Date(now)}::timestamptz, news_id, 'news ' || news_id from told
      on conflict (account_id, once) do nothing
    )
    update news set told_until = coalesce((select max(id) from told), told_until),
                    told_at = case when (select count(*) from told) < ${most} then ${new Date(now)}::timestamptz end
     where id = ${news.id}`.execute(trx)
}
