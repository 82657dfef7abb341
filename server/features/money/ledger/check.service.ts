import type { BooksDifference } from '#contract/money/ledger.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import {
  crookedBalances,
  crookedBilled,
  crookedCosts,
  crookedCurrencies,
  crookedInvoices,
  crookedLines,
  crookedMonths,
  crookedNotes,
  crookedReceipts,
  crookedSeries,
  crookedStandings,
  crookedStored,
  crookedTransfers,
} from './check.queries.ts'

/** What in the books does not agree; nothing in sound ones. The self-check of the instance asks both nightly. */
export async function findDifferences(db: DbOrTrx): Promise<BooksDifference[]> {
  return [...(await crookedTransfers(db)), ...(await findCrookedAccounts(db))]
}

/** Transfers that do not agree in themselves. */
export function findCrookedTransfers(db: DbOrTrx): Promise<BooksDifference[]> {
  return crookedTransfers(db)
}

const CHECKS = [
  crookedBalances,
  crookedCurrencies,
  crookedStandings,
  crookedCosts,
  crookedLines,
  crookedInvoices,
  crookedNotes,
  crookedBilled,
  crookedReceipts,
  crookedSeries,
  crookedStored,
  crookedMonths,
]

/** The same without transfers: balances, currencies, what rows stand for, lines, invoices and numbers, each by one statement, so of one moment. */
export async function findCrookedAccounts(db: DbOrTrx): Promise<BooksDifference[]> {
  const found: BooksDifference[] = []
  for (const check of CHECKS) found.push(...(await check(db)))
  return found
}
