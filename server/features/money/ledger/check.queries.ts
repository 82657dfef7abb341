import { sql } from 'kysely'
import type { BooksDifference } from '#contract/money/ledger.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** So many of each kind are told: one is enough to stop for. */
const MOST = 50

/** Lets each statement of a check take ten minutes: it reads all entries there are, and one of millions may take longer than a question may. */
export async function allowLong(trx: DbOrTrx): Promise<void> {
  await sql`set local statement_timeout = '10min'`.execute(trx)
}

/** Balances that are not the sum of their entries, or accounts on which another sum was debited. */
export async function crookedBalances(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    select 'balance' as rule, a.kind, a.owner_id as owner, a.currency, coalesce(e.amount, 0)::text as expected, a.balance::text as found, null as transfer
      from ledger_account a left join (
        select account_id, sum(amount) as amount, sum(amount) filter (where amount > 0) as debited from ledger_entry group by account_id) e on e.account_id = a.id
     where a.balance <> coalesce(e.amount, 0) or a.debited <> coalesce(e.debited, 0) order by a.id limit ${MOST}`.execute(db)
  return rows
}

/** Transfers that do not sum to zero in one currency, their memo accounts by themselves, or that have no entries at all. */
export async function crookedTransfers(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    select 'transfer' as rule, null as kind, null as owner, min(a.currency) as currency, '0' as expected, coalesce(sum(e.amount), 0)::text as found, t.id::text as transfer
      from ledger_transfer t left join ledger_entry e on e.transfer_id = t.id left join ledger_account a on a.id = e.account_id
     group by t.id
    having coalesce(sum(e.amount), 1) <> 0 or min(a.currency) <> max(a.currency)
        or coalesce(sum(e.amount) filter (where a.kind in ('affiliate_pending', 'pending_cost')), 0) <> 0
     order by t.id limit ${MOST}`.execute(db)
  return rows
}

/** Currencies whose accounts do not sum to zero, the memo accounts among themselves. */
export async function crookedCurrencies(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    select 'currency' as rule, null as kind, null as owner, currency, '0' as expected, sum(balance)::text as found, null as transfer
      from ledger_account group by currency, kind in ('affiliate_pending', 'pending_cost') having sum(balance) <> 0 order by currency limit ${MOST}`.execute(
    db,
  )
  return rows
}

/**
 * Accounts whose balance is not what the rows say today that they stand for: the same rule as `standing`, told a second time and in
 * another language, so that neither can be wrong alone.
 */
export async function crookedStandings(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    with sums as (
      select affiliate_id, advertiser_id, currency, status, payment_state = 'open' as open,
             sum(payout) as payout, sum(revenue) as revenue, sum(invoiced) as invoiced, sum(billed) as billed
        from conversion where not test group by 1, 2, 3, 4, 5
    ), parts as (
      select 'pending_cost' as kind, affiliate_id as owner, currency, payout as amount from sums where status = 'pending'
      union all select 'affiliate_pending', affiliate_id, currency, -payout from sums where status = 'pending'
      union all select 'payout_cost', affiliate_id, currency, payout from sums where status in ('hold', 'approved')
      union all select 'affiliate_hold', affiliate_id, currency, -payout from sums where status = 'hold'
      union all select 'affiliate_available', affiliate_id, currency, -payout from sums where status = 'approved' and open
      union all select 'affiliate_correction', affiliate_id, currency, invoiced - case status when 'approved' then payout else 0 end from sums where not open
      union all select 'receivable', advertiser_id, currency, case when status in ('hold', 'approved') then revenue else 0 end - billed from sums
      union all select 'network_revenue', advertiser_id, currency, -revenue from sums where status in ('hold', 'approved')
      union all select case kind when 'bonus' then 'affiliate_bonus' else 'affiliate_correction' end, affiliate_id, currency, -amount from adjustment d
       where d.void_at is null and not exists (select from invoice_line l where l.adjustment_id = d.id and l.live)
      union all select case when kind = 'bonus' then 'bonus_cost' when purpose = 'given' then 'correction_cost' when purpose = 'opening' then 'opening' else 'affiliate_write_off' end,
                       case purpose when 'opening' then 0 else affiliate_id end, currency, amount from adjustment where void_at is null
      union all select 'affiliate_referral', r.referrer_id, m.currency, -m.amount from referral_month m join referral r on r.id = m.referral_id
       where not exists (select from invoice_line l where l.referral_month_id = m.id and l.live)
      union all select 'referral_cost', r.referrer_id, m.currency, m.amount from referral_month m join referral r on r.id = m.referral_id
      union all select 'affiliate_invoiced', affiliate_id, currency, -open - planned from invoice
      union all select 'affiliate_transit', affiliate_id, currency, -amount from payment where state = 'sent'
      union all select 'affiliate_prepaid', affiliate_id, currency, amount - on_invoice from payment where state in ('sent', 'settled')
      union all select 'affiliate_prepaid', i.affiliate_id, i.currency, -x.amount from invoice_offset x join invoice i on i.id = x.invoice_id where x.back_at is null
      union all select 'receivable', advertiser_id, currency, amount from advertiser_adjustment d
       where d.void_at is null and not exists (select from advertiser_invoice_line l where l.adjustment_id = d.id and l.live and l.issued)
      union all select 'network_revenue', advertiser_id, currency, -amount from advertiser_adjustment where void_at is null
      union all select 'advertiser_invoiced', advertiser_id, currency, open from advertiser_invoice
      union all select 'advertiser_write_off', advertiser_id, currency, written_off from advertiser_invoice
      union all select 'vat_input', 0, currency, vat from invoice where number is not null
      union all select 'vat_input', 0, i.currency, -n.vat from credit_note n join invoice i on i.id = n.invoice_id
      union all select 'vat_output', 0, currency, -vat from advertiser_invoice where number is not null
      union all select 'vat_output', 0, i.currency, n.vat from advertiser_credit_note n join advertiser_invoice i on i.id = n.invoice_id
      union all select 'cash', source_id, coalesce(moved_currency, currency), coalesce(moved - back_moved, amount - short - paid_back) from receipt where state = 'booked'
      union all select 'fx_position', 0, currency, amount - short - paid_back from receipt where state = 'booked' and moved is not null
      union all select 'fx_position', 0, moved_currency, back_expected - expected from receipt where state = 'booked' and moved is not null
      union all select 'fx_result', 0, moved_currency, expected - moved - back_expected + back_moved from receipt where state = 'booked' and moved is not null
      union all select 'advertiser_prepaid', advertiser_id, currency, paid_back - amount from receipt where state = 'booked'
      union all select 'advertiser_prepaid', r.advertiser_id, r.currency, p.amount - p.released from receipt_part p join receipt r on r.id = p.receipt_id where r.state = 'booked'
      union all select 'advertiser_prepaid', i.advertiser_id, i.currency, x.amount from advertiser_offset x join advertiser_invoice i on i.id = x.invoice_id where x.back_at is null
      union all select 'cash', source_id, coalesce(moved_currency, currency), -case state when 'settled' then coalesce(moved, amount - charged) else 0 end from payment
      union all select 'cash', source_id, fee_currency, -fee from payment where fee > 0
      union all select 'fx_position', 0, currency, charged - amount from payment where state = 'settled' and moved is not null
      union all select 'fx_position', 0, moved_currency, expected from payment where state = 'settled' and moved is not null
      union all select 'fx_result', 0, moved_currency, moved - expected from payment where state = 'settled' and moved is not null
    ), expected as (select kind, owner, currency, sum(amount) as amount from parts group by 1, 2, 3),
    found as (select kind, owner_id as owner, currency, balance from ledger_account where kind in (
        'pending_cost', 'affiliate_pending', 'payout_cost', 'affiliate_hold', 'affiliate_available', 'affiliate_correction', 'affiliate_bonus', 'affiliate_referral', 'referral_cost', 'affiliate_invoiced',
        'affiliate_transit', 'affiliate_prepaid', 'cash', 'receivable', 'network_revenue', 'advertiser_invoiced', 'advertiser_prepaid', 'advertiser_write_off',
        'vat_input', 'vat_output', 'fx_position', 'fx_result', 'bonus_cost', 'correction_cost', 'opening', 'affiliate_write_off'))
    select 'standing' as rule, kind, owner, currency, coalesce(e.amount, 0)::text as expected, coalesce(f.balance, 0)::text as found, null as transfer
      from expected e full join found f using (kind, owner, currency)
     where coalesce(e.amount, 0) <> coalesce(f.balance, 0) order by kind, owner, currency limit ${MOST}`.execute(db)
  return rows
}

/** Conversions whose lines do not come to what is invoiced of them, or whose payment state tells of lines there are not (money.md 1, no. 6). */
export async function crookedLines(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    with lines as (select conversion_id, sum(amount) as amount from invoice_line where live and conversion_id is not null group by conversion_id)
    select 'invoice' as rule, 'conversion ' || c.id as kind, c.affiliate_id as owner, c.currency, coalesce(l.amount, 0)::text as expected, c.invoiced::text as found, null as transfer
      from conversion c left join lines l on l.conversion_id = c.id
     where (c.payment_state <> 'open' or c.invoiced <> 0 or l.amount is not null)
       and (c.invoiced <> coalesce(l.amount, 0) or (c.payment_state = 'open') <> (l.conversion_id is null)) order by c.id limit ${MOST}`.execute(
    db,
  )
  return rows
}

/** Conversions whose lines on issued invoices of their advertiser do not come to what is billed of them (no. 6). */
export async function crookedBilled(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    with lines as (select conversion_id, sum(amount) as amount from advertiser_invoice_line where live and issued and conversion_id is not null group by conversion_id)
    select 'invoice' as rule, 'conversion ' || c.id as kind, c.advertiser_id as owner, c.currency, coalesce(l.amount, 0)::text as expected, c.billed::text as found, null as transfer
      from conversion c left join lines l on l.conversion_id = c.id where c.billed <> coalesce(l.amount, 0) order by c.id limit ${MOST}`.execute(
    db,
  )
  return rows
}

/** Invoices of advertisers whose receipts, prepaid money or credit notes do not come to what stands on them (no. 5). */
export async function crookedReceipts(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    with paid as (select p.invoice_id, sum(p.amount - p.released) as amount from receipt_part p join receipt r on r.id = p.receipt_id where r.state = 'booked' group by 1),
    used as (select invoice_id, sum(amount) as amount from advertiser_offset where back_at is null group by 1),
    noted as (select invoice_id, sum(total) as amount from advertiser_credit_note group by 1)
    select 'invoice' as rule, 'advertiser invoice ' || i.id as kind, i.advertiser_id as owner, i.currency,
           (coalesce(p.amount, 0) + coalesce(u.amount, 0) + coalesce(n.amount, 0))::text as expected, (i.received + i.offset_prepaid + i.credited)::text as found, null as transfer
      from advertiser_invoice i left join paid p on p.invoice_id = i.id left join used u on u.invoice_id = i.id left join noted n on n.invoice_id = i.id
     where i.received <> coalesce(p.amount, 0) or i.offset_prepaid <> coalesce(u.amount, 0) or i.credited <> coalesce(n.amount, 0) order by i.id limit ${MOST}`.execute(
    db,
  )
  return rows
}

/** Invoices whose net is not what their lines come to, within half a unit of their currency. */
export async function crookedInvoices(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    select 'invoice' as rule, 'invoice ' || i.id as kind, i.affiliate_id as owner, i.currency, coalesce(l.amount, 0)::text as expected, i.net::text as found, null as transfer
      from invoice i join currency u on u.code = i.currency
      left join (select invoice_id, sum(amount) as amount from invoice_line where live and credit_note_id is null group by invoice_id) l on l.invoice_id = i.id
     where i.deleted_at is null and i.status not in ('declined', 'cancelled') and i.net <> round(coalesce(l.amount, 0), u.decimals) order by i.id limit ${MOST}`.execute(
    db,
  )
  return rows
}

/**
 * Credit notes over what changed, of one side, after which what stands on their invoice is not what its lines come to, rounded as that was;
 * the first ones were rounded each for itself.
 */
const crookedNotesOf = (side: 'affiliate' | 'advertiser') => {
  const of = side === 'affiliate' ? '' : 'advertiser_'
  const [notes, invoices, lines] = [sql.table(`${of}credit_note`), sql.table(`${of}invoice`), sql.table(`${of}invoice_line`)]
  return sql`
    select 'invoice' as rule, 'credit note ' || n.number as kind, i.${sql.ref(`${side}_id`)} as owner, i.currency,
           (i.net - n.before - round(o.amount + n.exact, u.decimals))::text as expected, n.net::text as found, null as transfer
      from (select n.id, n.kind, n.number, n.invoice_id, n.net, coalesce(l.amount, 0) as own,
                   sum(n.net) over so_far - n.net as before, sum(coalesce(l.amount, 0)) over so_far as exact
              from ${notes} n left join (select credit_note_id, sum(amount) as amount from ${lines} where credit_note_id is not null group by 1) l on l.credit_note_id = n.id
            window so_far as (partition by n.invoice_id order by n.id)) n
      join ${invoices} i on i.id = n.invoice_id join currency u on u.code = i.currency
      join lateral (select sum(amount) as amount from ${lines} where invoice_id = i.id and credit_note_id is null) o on true
     where n.kind = 'changed' and n.net <> -round(n.own, u.decimals) and n.net <> i.net - n.before - round(o.amount + n.exact, u.decimals)`
}

/** The same, and affiliates' invoices on which another sum is credited than their notes take. */
export async function crookedNotes(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    ${crookedNotesOf('affiliate')}
    union all
    ${crookedNotesOf('advertiser')}
    union all
    select 'invoice', 'invoice ' || i.id, i.affiliate_id, i.currency, coalesce(n.amount, 0)::text, i.credited::text, null
      from invoice i left join (select invoice_id, sum(total) as amount from credit_note group by 1) n on n.invoice_id = i.id
     where i.credited <> coalesce(n.amount, 0) order by 2 limit ${MOST}`.execute(db)
  return rows
}

/** Advertisers whose payouts, as they are kept for lists, are not what their conversions come to. */
export async function crookedCosts(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    with sums as (select advertiser_id, currency, sum(payout) as payout from conversion where status in ('hold', 'approved') and not test group by 1, 2)
    select 'standing' as rule, 'payouts of advertiser ' || advertiser_id as kind, null::int as owner, currency, coalesce(s.payout, 0)::text as expected,
           coalesce(k.payout, 0)::text as found, null as transfer
      from sums s full join advertiser_cost k using (advertiser_id, currency) where coalesce(s.payout, 0) <> coalesce(k.payout, 0)
     order by advertiser_id, currency limit ${MOST}`.execute(db)
  return rows
}

/** Accounts of stored months that are not told as their trial balance tells them. */
export async function crookedMonths(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    with told as (
      select t.month, a.id as account_id, s.opening, s.debits, s.credits
        from trial_balance t
        cross join lateral jsonb_to_recordset(t.content::jsonb -> 'accounts') as s (kind text, owner int, currency text, opening numeric, debits numeric, credits numeric)
        join ledger_account a on a.kind = s.kind and a.owner_id = s.owner and a.currency = s.currency)
    select 'stored' as rule, 'month ' || month || ', account ' || account_id as kind, null::int as owner, null as currency, coalesce(t.opening + t.debits - t.credits, 0)::text as expected,
           coalesce(m.opening + m.debits - m.credits, 0)::text as found, null as transfer
      from told t full join ledger_month m using (month, account_id)
     where (t.opening, t.debits, t.credits) is distinct from (m.opening, m.debits, m.credits) order by month, account_id limit ${MOST}`.execute(
    db,
  )
  return rows
}

/** Series with gaps, or whose days fall (no. 7). */
export async function crookedSeries(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    with numbers as (
      select series, series_number as n from invoice where series is not null union all select series, series_number from credit_note
      union all select series, series_number from advertiser_invoice where series is not null union all select series, series_number from advertiser_credit_note)
    select 'number' as rule, s.series as kind, null as owner, null as currency, s.last::text as expected, count(n.n)::text as found, null as transfer
      from number_series s left join numbers n on n.series = s.series group by s.series
    having count(n.n) <> s.last or coalesce(max(n.n), 0) <> s.last order by s.series limit ${MOST}`.execute(db)
  return rows
}

/** Months and statements that are not what their hash says, or do not name the one before (money.md 11). */
export async function crookedStored(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    with stored as (
      select 'trial balance ' || month as name, null::int as owner, content, sha256, lag(sha256) over (order by month) as before from trial_balance
      union all
      select 'statement ' || month, affiliate_id, content, sha256, lag(sha256) over (partition by affiliate_id order by month) from account_statement)
    select 'stored' as rule, name as kind, owner, null as currency, encode(sha256(convert_to(content, 'UTF8')), 'hex') as expected, sha256 as found, null as transfer
      from stored where sha256 <> encode(sha256(convert_to(content, 'UTF8')), 'hex') or coalesce(content::jsonb ->> 'previous', '') <> coalesce(before, '')
     order by name, owner limit ${MOST}`.execute(db)
  return rows
}
