import type { z } from 'zod'
import type { balance } from '#contract/money/ledger.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

type Balance = z.output<typeof balance>

/** Balances of affiliates, one entry per currency in which there ever was any; affiliates without money are not in the map. */
export async function listBalances(db: DbOrTrx, affiliateIds: readonly number[]): Promise<Map<number, Balance[]>> {
  const balances = new Map<number, Balance[]>()
  if (affiliateIds.length === 0) return balances
  const rows = await db
    .selectFrom('ledger_account')
    .select(['owner_id', 'currency', 'kind', 'balance'])
    .where('kind', 'in', ['affiliate_available', 'affiliate_hold'])
    .where('owner_id', 'in', [...affiliateIds])
    .orderBy('currency')
    .execute()
  for (const row of rows) {
    const own = balances.get(row.owner_id) ?? []
    balances.set(row.owner_id, own)
    let entry = own.find((one) => one.currency === row.currency)
    if (entry === undefined) own.push((entry = { currency: row.currency, available: '0.0000', hold: '0.0000' }))
    // what we owe is a credit, and credits are negative
    entry[row.kind === 'affiliate_hold' ? 'hold' : 'available'] = fromUnits(-toUnits(row.balance))
  }
  return balances
}
