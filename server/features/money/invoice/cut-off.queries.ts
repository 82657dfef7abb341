import { sql, type RawBuilder } from 'kysely'

/**
 * By how much what conversion `c` is worth to its affiliate has changed since the end of a period, as the ledger has it. What stands on an
 * invoice already is not taken back by an earlier end: what it was worth when it first stood on one is on that, whenever it was earned, and
 * so is what a later line or note took of its changes. What invoices take and free is booked without the conversion, and so does not count.
 */
export function payoutSince(moment: Date): RawBuilder<string> {
  const first = sql`select min(ft.id) from invoice_line fl join ledger_transfer ft on ft.invoice_id = fl.invoice_id
    where fl.conversion_id = c.id and fl.live`
  // a line is of the end of its invoice's period, or of the moment that was before it; one that was computed anew of that one
  const taken = sql`select max(greatest(least(${END_OF_PERIOD}, ti.created_at), tn.created_at,
      (select max(case when th.event = 'refreshed' then th.at else least(${END_OF_PERIOD}, th.at) end)
         from invoice_history th where th.invoice_id = ti.id and th.event in ('refreshed', 'lines_added'))))
    from invoice_line tl join invoice ti on ti.id = tl.invoice_id left join credit_note tn on tn.id = tl.credit_note_id
    where tl.conversion_id = c.id and tl.live`
  return bookedSince(moment, ['affiliate_available', 'affiliate_correction'], { first, taken })
}

/** The same of what the conversion earns the network; issuing computes lines anew, until the end of the period at most. */
export function revenueSince(moment: Date): RawBuilder<string> {
  const first = sql`select min(ft.id) from advertiser_invoice_line fl join ledger_transfer ft on ft.advertiser_invoice_id = fl.invoice_id
    where fl.conversion_id = c.id and fl.live and fl.issued and ft.kind = 'advertiser_invoice'`
  const taken = sql`select max(greatest(least(${END_OF_PERIOD}, ti.issued_at), tn.created_at))
    from advertiser_invoice_line tl join advertiser_invoice ti on ti.id = tl.invoice_id
    left join advertiser_credit_note tn on tn.id = tl.credit_note_id
    where tl.conversion_id = c.id and tl.live and tl.issued`
  return bookedSince(moment, ['network_revenue'], { first, taken })
}

const END_OF_PERIOD = sql.raw(`((ti.period_to + 1)::timestamp at time zone ti.time_zone)`)

/** What is credited stands below zero. Transfers are numbered as they are booked. */
function bookedSince(
  moment: Date,
  accounts: readonly string[],
  { first, taken }: Record<'first' | 'taken', RawBuilder<unknown>>,
): RawBuilder<string> {
  return sql<string>`(select coalesce(-sum(ce.amount), 0) from ledger_transfer ct join ledger_entry ce on ce.transfer_id = ct.id
    join ledger_account ca on ca.id = ce.account_id
    where ct.conversion_id = c.id and ct.at >= greatest(${moment}::timestamptz, (${taken})) and ca.kind = any(${[...accounts]}::text[])
      and ct.id > coalesce((${first}), 0))`
}
