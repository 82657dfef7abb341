import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { loadTerms } from '../../conversion/terms.queries.ts'
import { listBookedSince, lockOrder } from './early-refund.queries.ts'
import { applyEarlyRefunds } from './early-refund.service.ts'
import { lockLine } from './incoming.queries.ts'
import { applyInterpreted } from './receive.service.ts'
import { conversionsOfOrder } from './shop.queries.ts'

/**
 * Takes early refunds off orders that were booked in another way than by its shop's call – out of a file, by staff. Answers how many
 * were settled; a failure leaves its order for the next look and does not stop the others.
 */
export async function settleEarlyRefunds(db: Db, now: number, ids: readonly string[] | null = null): Promise<number> {
  let settled = 0
  for (const { advertiser_id, order } of await listBookedSince(db, ids, 500)) {
    try {
      settled += await settleOrder(db, advertiser_id, order, now)
    } catch (error) {
      log.error({ err: error, order }, 'refunds of an order could not be applied')
    }
  }
  return settled
}

async function settleOrder(db: Db, advertiserId: number, order: string, now: number): Promise<number> {
  const [conversion] = await conversionsOfOrder(db, advertiserId, order)
  const terms = conversion && (await loadTerms(db, [conversion.offer_id])).get(conversion.offer_id)
  if (conversion === undefined || terms === undefined) return 0
  return db.transaction().execute(async (trx) => {
    await lockLine(trx, conversion.click_id)
    await lockOrder(trx, order)
    return applyEarlyRefunds(trx, terms, order, (refund) => applyInterpreted(trx, refund, null, now, now))
  })
}
