import type { Currency } from '#contract/money/amount.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { findDecimals } from './currency.queries.ts'

/** Decimals in which invoices and payments of a currency are made. Throws `unknown_reference` for a code that is no currency of ours. */
export async function decimalsOf(db: DbOrTrx, code: Currency): Promise<number> {
  const decimals = await findDecimals(db, code)
  if (decimals === undefined) throw new AppError('unknown_reference', { fields: { currency: 'Choose an active currency' } })
  return decimals
}
