import type { AccountKind } from '#contract/money/account.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** What stands on an account of an affiliate; positive = debit. */
export async function balanceOf(db: DbOrTrx, kind: AccountKind, affiliateId: number, currency: Currency): Promise<string> {
  const row = await db
    .selectFrom('ledger_account')
    .select('balance')
    .where('kind', '=', kind)
    .where('owner_id', '=', affiliateId)
    .where('currency', '=', currency)
    .executeTakeFirst()
  return row?.balance ?? '0'
}
