import { sql, type RawBuilder } from 'kysely'

/**
 * By how much what conversion `c` is worth to its affiliate has grown from a moment on, as the ledger has it. What invoices take and free
 * is booked without the conversion, and so does not count.
 */
export function payoutSince(moment: Date): RawBuilder<string> {
  return bookedSince(moment, ['affiliate_available', 'affiliate_correction'])
}

/** The same of what the conversion earns the network. */
export function revenueSince(moment: Date): RawBuilder<string> {
  return bookedSince(moment, ['network_revenue'])
}

/** What is credited stands below zero. */
function bookedSince(moment: Date, accounts: readonly string[]): RawBuilder<string> {
  return sql<string>`(select coalesce(-sum(ce.amount), 0) from ledger_transfer ct join ledger_entry ce on ce.transfer_id = ct.id
    join ledger_account ca on ca.id = ce.account_id
    where ct.conversion_id = c.id and ct.at >= ${moment} and ca.kind = any(${[...accounts]}::text[]))`
}
