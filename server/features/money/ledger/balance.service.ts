import type { z } from 'zod'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { balance } from '#contract/money/ledger.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { listAffiliateAccounts, type AffiliateAccountRow } from './ledger.queries.ts'

type Balance = z.output<typeof balance>

/** Balances of affiliates, one entry per currency in which there ever was any; affiliates without money are not in the map. */
export async function listBalances(db: DbOrTrx, affiliateIds: readonly number[]): Promise<Map<number, Balance[]>> {
  return affiliateIds.length === 0 ? new Map() : presentBalances(await listAffiliateAccounts(db, affiliateIds))
}

/** Accounts as balances by affiliate, one entry per currency. What the network owes is a credit in the books; here it is above zero. Corrections are part of what is available. */
function presentBalances(rows: readonly AffiliateAccountRow[]): Map<number, Balance[]> {
  const balances = new Map<number, Balance[]>()
  for (const row of rows) {
    const own = balances.get(row.owner_id) ?? []
    balances.set(row.owner_id, own)
    let entry = own.find((one) => one.currency === row.currency)
    if (entry === undefined) own.push((entry = { currency: row.currency, available: '0.0000', hold: '0.0000' }))
    const part = row.kind === 'affiliate_hold' ? 'hold' : 'available'
    entry[part] = fromUnits(toUnits(entry[part]) - toUnits(row.balance))
  }
  return balances
}
