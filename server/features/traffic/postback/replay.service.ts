import { sql } from 'kysely'
import { AppError } from '#server/platform/errors.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { expand, parseTemplate } from '#server/rules/macros.ts'
import { postbackValues } from '#server/rules/conversion/postback-values.ts'
import { hostOf } from '../conversion/delivery.service.ts'
import { lockOwnPostback } from './own.queries.ts'

/** Which deliveries: an affiliate's by uuid, or any by number for staff. */
type Which = { affiliateId: number; uuids: readonly string[] } | { ids: readonly string[] }

/**
 * Queues deliveries again as they were sent, each as a delivery of its own; what is still on its way is passed over.
 * Answers how many.
 */
export async function replayDeliveries(db: DbOrTrx, now: number, which: Which): Promise<number> {
  const chosen =
    'ids' in which
      ? sql`d.id = any(${which.ids}::bigint[])`
      : sql`d.affiliate_id = ${which.affiliateId} and d.uuid = any(${which.uuids}::uuid[])`
  const { rows } = await sql`
    insert into postback_delivery (postback_id, affiliate_id, conversion_id, history_seq, replay, method, url, host, state, next_try_at, created_at)
    select d.postback_id, d.affiliate_id, d.conversion_id, d.history_seq,
           (select max(e.replay) from postback_delivery e where e.postback_id = d.postback_id and e.history_seq = d.history_seq)
             + row_number() over (partition by d.postback_id, d.history_seq order by d.id),
           d.method, d.url, d.host, case when p.status = 'active' then 'queued' else 'held' end, ${new Date(now)}::timestamptz, ${new Date(now)}::timestamptz
      from postback_delivery d join affiliate_postback p on p.id = d.postback_id
     where ${chosen} and d.state in ('sent', 'dead') and p.status <> 'deleted'
     order by d.id
    on conflict on constraint postback_delivery_key do nothing
    returning id`.execute(db)
  return rows.length
}

/**
 * Queues the present state of conversions for one postback of the affiliate, also those from before it was made.
 * Those of other affiliates are passed over. Throws `not_found`.
 */
export async function backfillDeliveries(
  db: Db,
  now: number,
  affiliateId: number,
  input: { postback_uuid: string; conversion_uuids: readonly string[] },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const postback = await lockOwnPostback(trx, affiliateId, input.postback_uuid)
    if (postback === undefined) throw new AppError('not_found')
    const rows = await latestStates(trx, affiliateId, postback.id, input.conversion_uuids)
    const { template } = parseTemplate(postback.url, 'postback')
    const deliveries = rows.map((row) => {
      const url = expand(
        template,
        postbackValues(row, { offer: row.offer_title, goal: row.goal_title, goalCode: row.goal_code }, row.from_status, now),
      )
      return {
        uuid: crypto.randomUUID(), postback_id: postback.id, affiliate_id: affiliateId, conversion_id: row.id, history_seq: row.seq, replay: row.next_replay, method: postback.method, url,
        host: hostOf(url), state: postback.status === 'active' ? 'queued' : 'held', tries: 0, error: '', next_try_at: new Date(now), created_at: new Date(now),
      } // prettier-ignore
    })
    await insertRows(trx, 'postback_delivery', deliveries)
    return deliveries.length
  })
}

/** Conversions with the last entry of their history, and the number the next replay of it would have. */
function latestStates(trx: DbOrTrx, affiliateId: number, postbackId: number, uuids: readonly string[]) {
  return trx
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('conversion_history as h', (join) =>
      join.onRef('h.conversion_id', '=', 'c.id').onRef('h.affiliate_id', '=', 'c.affiliate_id'),
    )
    .selectAll('c')
    .select(['h.seq', 'h.from_status', 'g.code as goal_code', 'g.title as goal_title', 'o.title as offer_title'])
    .select(
      sql<number>`coalesce((select max(d.replay) + 1 from postback_delivery d where d.postback_id = ${postbackId} and d.history_seq = h.seq), 0)`.as(
        'next_replay',
      ),
    )
    .where('c.affiliate_id', '=', affiliateId)
    .where('c.uuid', 'in', [...new Set(uuids)])
    .where(sql<boolean>`not exists (select from conversion_history later where later.conversion_id = c.id and later.seq > h.seq)`)
    .orderBy('c.id')
    .execute()
}
