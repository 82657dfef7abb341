import type { BooksDifference } from '#contract/money/ledger.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { crookedBalances, crookedCurrencies, crookedStandings, crookedTransfers } from './check.queries.ts'

/** What in the books does not agree; nothing in sound ones. For one moment of all, within a transaction that repeats its reads. */
export async function findDifferences(db: DbOrTrx): Promise<BooksDifference[]> {
  const found: BooksDifference[] = []
  for (const check of [crookedTransfers, crookedBalances, crookedCurrencies, crookedStandings]) found.push(...(await check(db)))
  return found
}
