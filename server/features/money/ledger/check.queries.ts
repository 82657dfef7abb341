import { sql } from 'kysely'
import type { BooksDifference } from '#contract/money/ledger.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** So many of each kind are told: one is enough to stop for. */
const MOST = 50

/** Balances that are not the sum of their entries. */
export async function crookedBalances(db: DbOrTrx): Promise<BooksDifference[]> {
  const { rows } = await sql<BooksDifference>`
    select 'balance' as rule, a.kind, a.owner_id as owner, a.currency, coalesce(e.amount, 0)::text as expected, a.balance::text as found, null as transfer
      from ledger_account a left join (select account_id, sum(amount) as amount from ledger_entry group by account_id) e on e.account_id = a.id
     where a.balance <> coalesce(e.amount, 0) order by a.id limit ${MOST}`.execute(db)
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
    ), expected as (select kind, owner, currency, sum(amount) as amount from parts group by 1, 2, 3),
    found as (select kind, owner_id as owner, currency, balance from ledger_account where kind in (select distinct kind from parts)
       or kind in ('pending_cost', 'affiliate_pending', 'payout_cost', 'affiliate_hold', 'affiliate_available', 'affiliate_correction', 'receivable', 'network_revenue'))
    select 'standing' as rule, kind, owner, currency, coalesce(e.amount, 0)::text as expected, coalesce(f.balance, 0)::text as found, null as transfer
      from expected e full join found f using (kind, owner, currency)
     where coalesce(e.amount, 0) <> coalesce(f.balance, 0) order by kind, owner, currency limit ${MOST}`.execute(db)
  return rows
}
