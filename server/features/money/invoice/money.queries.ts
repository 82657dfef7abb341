import type { AccountKind } from '#contract/money/account.ts'
import type { Currency } from '#contract/money/amount.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Decimals in which invoices and payments of a currency are made. Throws `unknown_reference` for a code that is no currency of ours. */
export async function decimalsOf(db: DbOrTrx, code: Currency): Promise<number> {
  const known = await db.selectFrom('currency').select('decimals').where('code', '=', code).executeTakeFirst()
  if (known === undefined) throw new AppError('unknown_reference', { fields: { currency: 'Choose an active currency' } })
  return known.decimals
}

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
