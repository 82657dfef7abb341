import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { presentBalances, type Balance } from './balance.present.ts'
import { listAffiliateAccounts } from './ledger.queries.ts'

/** Balances of affiliates, one entry per currency in which there ever was any; affiliates without money are not in the map. */
export async function listBalances(db: DbOrTrx, affiliateIds: readonly number[]): Promise<Map<number, Balance[]>> {
  return affiliateIds.length === 0 ? new Map() : presentBalances(await listAffiliateAccounts(db, affiliateIds))
}
