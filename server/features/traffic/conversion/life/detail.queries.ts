import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** The status changes of one conversion, oldest first. */
export function listHistory(db: DbOrTrx, conversionId: string) {
  return db
    .selectFrom('conversion_history as h')
    .leftJoin('account as a', 'a.id', 'h.actor_id')
    .select(['h.chain_seq', 'h.at', 'h.from_status', 'h.to_status', 'h.reason', 'h.origin', 'h.body', 'h.hash', 'a.name as actor'])
    .where('h.conversion_id', '=', conversionId)
    .orderBy('h.seq')
    .execute()
}

/** Advertisers' postbacks that made, changed or repeated one conversion, and those of its click that were refused; oldest first, at most 100. */
export function listPostbacksIn(db: DbOrTrx, conversionId: string, clickId: string) {
  return db
    .selectFrom('postback_in')
    .select(['id', 'received_at', 'method', 'query', 'body', 'address', 'outcome', 'reason', 'http_status'])
    .where((where) =>
      where.or([where('conversion_id', '=', conversionId), where.and([where('click_id', '=', clickId), where('outcome', '=', 'refused')])]),
    )
    .orderBy('id')
    .limit(100)
    .execute()
}

/** Advertisers' postbacks that named a click by any of its ids, oldest first, at most 100. */
export function listPostbacksOfClick(db: DbOrTrx, clickIds: readonly string[]) {
  return db
    .selectFrom('postback_in')
    .select(['id', 'received_at', 'outcome', 'reason', 'http_status'])
    .where('click_id', 'in', [...clickIds])
    .orderBy('id')
    .limit(100)
    .execute()
}

/** Deliveries to the affiliate that tell of some conversions, oldest first, at most 100. */
export async function listPostbacksOut(db: DbOrTrx, conversionIds: readonly string[]) {
  if (conversionIds.length === 0) return []
  return db
    .selectFrom('postback_delivery')
    .select(['id', 'uuid', 'created_at', 'method', 'url', 'state', 'tries', 'http_status', 'error', 'next_try_at'])
    .where('conversion_id', 'in', [...conversionIds])
    .orderBy('id')
    .limit(100)
    .execute()
}

/** Attempts of deliveries, oldest first. */
export async function listAttempts(db: DbOrTrx, deliveryIds: readonly string[]) {
  if (deliveryIds.length === 0) return []
  return db
    .selectFrom('postback_attempt')
    .select(['delivery_id', 'at', 'duration_ms', 'http_status', 'error', 'response'])
    .where('delivery_id', 'in', [...deliveryIds])
    .orderBy('id')
    .execute()
}

/** The bookings of one conversion, entry by entry, oldest first. */
export function listBookings(db: DbOrTrx, conversionId: string) {
  return db
    .selectFrom('ledger_transfer as t')
    .innerJoin('ledger_entry as e', 'e.transfer_id', 't.id')
    .innerJoin('ledger_account as a', 'a.id', 'e.account_id')
    .select(['t.id', 't.at', 't.kind', 'a.kind as account', 'a.currency', 'e.amount'])
    .where('t.conversion_id', '=', conversionId)
    .orderBy('t.id')
    .orderBy('e.id')
    .execute()
}
