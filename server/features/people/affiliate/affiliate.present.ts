import type { z } from 'zod'
import type { affiliateDetail } from '#contract/people/affiliate.ts'
import type { listBalances } from '#server/features/money/ledger/balance.service.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import type { AffiliateRow } from './affiliate.queries.ts'

/** An affiliate as staff see it, with what it has and is owed. */
export function presentAffiliate(row: AffiliateRow, balances: Awaited<ReturnType<typeof listBalances>>): z.input<typeof affiliateDetail> {
  return { ...isoDates(row), balance: balances.get(row.id) ?? [] }
}
