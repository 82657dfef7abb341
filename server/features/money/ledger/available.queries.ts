import { sql, type RawBuilder } from 'kysely'
import type { Trx } from '#server/platform/pg/database.ts'

type Whose = { affiliate_id: number; currency: string }
/** What an affiliate may be paid of: what was never on an invoice, with corrections, bonuses and commissions. */
export const AVAILABLE = ['affiliate_available', 'affiliate_correction', 'affiliate_bonus', 'affiliate_referral'] as const

/** What an affiliate has available in a currency, above zero = owed to it. */
export function availableTo(affiliateId: RawBuilder<unknown>, currency: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((select -sum(la.balance) from ledger_account la
    where la.owner_id = ${affiliateId} and la.currency = ${currency} and la.kind = any(${[...AVAILABLE]}::text[])), 0)`
}

/** What an affiliate has available in a currency. */
export async function availableOf(trx: Trx, whose: Whose): Promise<string> {
  const { rows } = await sql<{ available: string }>`
    select ${availableTo(sql`${whose.affiliate_id}`, sql`${whose.currency}`)}::text as available`.execute(trx)
  return rows[0]?.available ?? '0'
}

/** The same, below zero where it owes; its accounts are locked. */
export async function lockAvailableBalance(trx: Trx, { affiliate_id, currency }: Whose): Promise<string> {
  const { rows } = await sql<{ available: string }>`
    with own as (
      select balance from ledger_account where owner_id = ${affiliate_id} and currency = ${currency} and kind = any(${[...AVAILABLE]}::text[])
       order by id for update)
    select (-coalesce(sum(balance), 0))::text as available from own`.execute(trx)
  return rows[0]?.available ?? '0'
}
