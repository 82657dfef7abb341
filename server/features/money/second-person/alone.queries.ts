import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { Trx } from '#server/platform/pg/database.ts'

/** What one person let go in payments to affiliates since a moment, and nobody else confirmed. */
export type Alone = { kind: 'beyond' | 'fee' | 'advance'; affiliate_id: number; amount: string; currency: Currency }

/**
 * By affiliate and currency: what left beyond the rates of their days, what banks are said to have taken of it where that was much, and
 * what is paid in advance. `exceptFeeOf` is the payment whose fee is counted otherwise.
 */
export async function givenAlone(trx: Trx, of: { actorId: number; since: Date; exceptFeeOf: number | null }): Promise<Alone[]> {
  const { rows } = await sql<Alone>`
    with own as (
      select p.* from payment p
       where p.made_by = ${of.actorId} and p.created_at > ${of.since} and p.state <> 'cancelled'
         and not exists (select from proposal q where q.key = p.key and q.state = 'confirmed'))
    select g.kind, o.affiliate_id, round(sum(g.amount), 8)::text as amount, g.currency from own o
      cross join lateral (values
        ('beyond', o.currency, case when o.state in ('sent', 'settled') and (o.moved - o.expected) * 10 > o.expected
                                    then (o.amount - o.charged) * (o.moved - o.expected) / o.expected end),
        ('fee', o.fee_currency, case when o.id is distinct from ${of.exceptFeeOf}::int and o.fee * 10 > case o.fee_currency when o.currency then o.amount
                                     when o.moved_currency then o.expected end then o.fee end),
        ('advance', o.currency, case when o.state in ('sent', 'settled') then o.amount - o.on_invoice end)
      ) as g (kind, currency, amount)
     where g.amount > 0 group by g.kind, o.affiliate_id, g.currency`.execute(trx)
  return rows
}

/** What one person alone let advertisers off since a moment, discounts and invoices given up, by currency; `advertiserId` null: whichever. */
export async function letOffAlone(
  trx: Trx,
  of: { actorId: number; since: Date; advertiserId: number | null },
): Promise<{ amount: string; currency: Currency }[]> {
  const { rows } = await sql<{ amount: string; currency: Currency }>`
    with off as (
      select d.currency, -d.amount as amount from advertiser_adjustment d
       where d.made_by = ${of.actorId} and d.amount < 0 and d.void_at is null and d.created_at > ${of.since}
         and coalesce(d.advertiser_id = ${of.advertiserId}::int, true) and not exists (select from proposal p where p.advertiser_adjustment_id = d.id)
      union all
      select a.currency, e.amount from ledger_transfer t join ledger_entry e on e.transfer_id = t.id join ledger_account a on a.id = e.account_id
       where t.kind = 'advertiser_write_off' and t.actor_id = ${of.actorId} and t.booked_at > ${of.since} and a.kind = 'advertiser_write_off'
         and coalesce(a.owner_id = ${of.advertiserId}::int, true)
         and not exists (select from proposal p where p.advertiser_invoice_id = t.advertiser_invoice_id and p.kind = 'write_off' and p.state = 'confirmed'))
    select round(sum(amount), 8)::text as amount, currency from off group by currency`.execute(trx)
  return rows
}
