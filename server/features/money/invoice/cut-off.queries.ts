import { sql, type RawBuilder } from 'kysely'

/**
 * By how much what conversion `c` is worth to its affiliate has changed from a moment on, as the ledger has it, since it first stood on an
 * invoice: what it was worth by then is on that, whenever it was earned. What invoices take and free is booked without the conversion, and
 * so does not count.
 */
export function payoutSince(moment: Date): RawBuilder<string> {
  const first = sql`select min(ft.id) from invoice_line fl join ledger_transfer ft on ft.invoice_id = fl.invoice_id
    where fl.conversion_id = c.id and fl.live`
  return bookedSince(moment, ['affiliate_available', 'affiliate_correction'], first)
}

/** The same of what the conversion earns the network. */
export function revenueSince(moment: Date): RawBuilder<string> {
  const first = sql`select min(ft.id) from advertiser_invoice_line fl join ledger_transfer ft on ft.advertiser_invoice_id = fl.invoice_id
    where fl.conversion_id = c.id and fl.live and fl.issued and ft.kind = 'advertiser_invoice'`
  return bookedSince(moment, ['network_revenue'], first)
}

/** What is credited stands below zero. Transfers are numbered as they are booked. */
function bookedSince(moment: Date, accounts: readonly string[], first: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(select coalesce(-sum(ce.amount), 0) from ledger_transfer ct join ledger_entry ce on ce.transfer_id = ct.id
    join ledger_account ca on ca.id = ce.account_id
    where ct.conversion_id = c.id and ct.at >= ${moment} and ca.kind = any(${[...accounts]}::text[]) and ct.id > coalesce((${first}), 0))`
}
