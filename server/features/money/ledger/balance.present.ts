import type { z } from 'zod'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { balance } from '#contract/money/ledger.ts'
import type { AffiliateAccountRow } from './ledger.queries.ts'

export type Balance = z.output<typeof balance>

/** Accounts as balances by affiliate, one entry per currency. What the network owes is a credit in the books; here it is above zero. */
export function presentBalances(rows: readonly AffiliateAccountRow[]): Map<number, Balance[]> {
  const balances = new Map<number, Balance[]>()
  for (const row of rows) {
    const own = balances.get(row.owner_id) ?? []
    balances.set(row.owner_id, own)
    let entry = own.find((one) => one.currency === row.currency)
    if (entry === undefined) own.push((entry = { currency: row.currency, available: '0.0000', hold: '0.0000' }))
    entry[row.kind === 'affiliate_hold' ? 'hold' : 'available'] = fromUnits(-toUnits(row.balance))
  }
  return balances
}
