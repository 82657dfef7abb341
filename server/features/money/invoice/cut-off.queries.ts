import { sql, type RawBuilder } from 'kysely'

/**
 * By how much what conversion `c` is worth to its affiliate has changed since the end of a period, as the ledger has it. What a line of an
 * invoice or note has taken already counts, whenever it was: an earlier end does not take it back. What invoices take and free is booked
 * without the conversion, and so does not count.
 */
export function payoutSince(moment: Date): RawBuilder<string> {
  return bookedSince(moment, ['affiliate_available', 'affiliate_correction'], SEEN)
}

/** The same of what the conversion earns the network: drafts have taken nothing yet. */
export function revenueSince(moment: Date): RawBuilder<string> {
  return bookedSince(moment, ['network_revenue'], SEEN_BY_ADVERTISER)
}

/** The last transfer there is: what a line that takes its locked conversion as it is has seen. */
export const LAST_TRANSFER = sql<string>`(select coalesce(max(id), 0) from ledger_transfer)`

/** The last transfer a line has seen that takes conversion `c` as it stood at the end of a period. */
export function seenUntil(moment: Date): RawBuilder<string> {
  return lastSeen(moment, SEEN)
}

/** The same of a line of an advertiser's invoice. */
export function seenByAdvertiserUntil(moment: Date): RawBuilder<string> {
  return lastSeen(moment, SEEN_BY_ADVERTISER)
}

const SEEN = sql`coalesce((select max(sl.seen_transfer_id) from invoice_line sl where sl.conversion_id = c.id and sl.live), 0)`
const SEEN_BY_ADVERTISER = sql`coalesce((select max(sl.seen_transfer_id) from advertiser_invoice_line sl
  where sl.conversion_id = c.id and sl.live and sl.issued), 0)`

function lastSeen(moment: Date, seen: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`coalesce((select max(ct.id) from ledger_transfer ct
    where ct.conversion_id = c.id and (ct.at < ${moment}::timestamptz or ct.id <= ${seen})), 0)`
}

/** What is credited stands below zero. Transfers are numbered as they are booked. */
function bookedSince(moment: Date, accounts: readonly string[], seen: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(select coalesce(-sum(ce.amount), 0) from ledger_transfer ct join ledger_entry ce on ce.transfer_id = ct.id
    join ledger_account ca on ca.id = ce.account_id
    where ct.conversion_id = c.id and ct.at >= ${moment}::timestamptz and ca.kind = any(${[...accounts]}::text[]) and ct.id > ${seen})`
}
