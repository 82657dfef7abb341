import { AppError } from '#server/platform/errors.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { expand, parseTemplate } from '#server/rules/macros.ts'
import { postbackValues } from '#server/rules/conversion/postback-values.ts'
import { hostOf } from '../conversion/delivery.service.ts'
import { listLatestStates } from './delivery.queries.ts'
import { lockOwnPostback } from './own.queries.ts'

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
    const rows = await listLatestStates(trx, affiliateId, postback.id, input.conversion_uuids)
    const { template } = parseTemplate(postback.url, 'postback')
    const deliveries = rows.map((row) => {
      const url = expand(
        template,
        postbackValues(row, { offer: row.offer_title, goal: row.goal_title, goalCode: row.goal_code }, row.from_status, now),
      )
      return {
        uuid: crypto.randomUUID(),
        postback_id: postback.id,
        affiliate_id: affiliateId,
        conversion_id: row.id,
        history_seq: row.seq,
        replay: row.next_replay,
        method: postback.method,
        url,
        host: hostOf(url),
        state: postback.status === 'active' ? 'queued' : 'held',
        tries: 0,
        error: '',
        next_try_at: new Date(now),
        created_at: new Date(now),
      }
    })
    await insertRows(trx, 'postback_delivery', deliveries)
    return deliveries.length
  })
}
