import { sql } from 'kysely'
import { toUnits, type Currency } from '#contract/money/amount.ts'
import { AVAILABLE, availableTo } from '#server/features/money/ledger/available.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { IS_PAYABLE, areThose, type Those } from './line.queries.ts'

/** What an affiliate owes, and how much of its invoices it can be paid all the same without getting more than is owed to it; below zero it would. */
export type Debt = { owed: bigint; payable: bigint }

/**
 * Of some affiliates those that owe in a currency: what they have available is below zero. What counts against it are their invoices, those
 * without a number too, less what payout files hold.
 */
export async function debtsOf(db: DbOrTrx, currency: Currency, affiliateIds: readonly number[]): Promise<Map<number, Debt>> {
  const { rows } = await sql<{ id: number; owed: string; payable: string }>`
    with own as (
      select owner_id as id, coalesce(sum(balance) filter (where kind = any(${[...AVAILABLE]}::text[])), 0) as owed,
             coalesce(-sum(balance) filter (where kind = 'affiliate_invoiced'), 0) as invoiced
        from ledger_account where currency = ${currency} and owner_id = any(${[...affiliateIds]}::int[])
         and kind = any(${[...AVAILABLE, 'affiliate_invoiced']}::text[]) group by 1)
    select id, owed::text, (invoiced - owed - coalesce((select sum(p.on_invoice) from payment p
             where p.affiliate_id = own.id and p.currency = ${currency} and p.state = 'planned'), 0))::text as payable
      from own where owed > 0`.execute(db)
  return new Map(rows.map(({ id, owed, payable }) => [id, { owed: toUnits(owed), payable: toUnits(payable) }]))
}

/** An affiliate of whom more would be on an invoice than it has available, and by how much. */
export type Owing = { affiliate_id: number; currency: Currency; owed: bigint }

/** Whose chosen conversions come to more than they have available: what they owe beside those. */
export async function owingOf(db: DbOrTrx, chosen: Those): Promise<Owing[]> {
  const { rows } = await sql<{ affiliate_id: number; currency: Currency; owed: string }>`
    select s.affiliate_id, s.currency, s.owed::text from (
      select c.affiliate_id, c.currency, sum(c.payout) as picked, sum(c.payout) - ${availableTo(sql`c.affiliate_id`, sql`c.currency`)} as owed
        from conversion c where ${IS_PAYABLE} and ${areThose(chosen)} group by 1, 2) s join currency u on u.code = s.currency
     where s.owed > 0 and round(s.picked, u.decimals) > 0 order by s.affiliate_id, s.currency`.execute(db)
  return rows.map((row) => ({ ...row, owed: toUnits(row.owed) }))
}

/** What affiliates are called, in the order of their numbers. */
export async function namesOf(db: DbOrTrx, affiliateIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select f.id, a.name from affiliate f join account a on a.id = f.account_id where f.id = any(${[...affiliateIds]}::int[]) order by f.id`.execute(
    db,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
