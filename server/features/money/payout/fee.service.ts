import { toUnits, type Currency } from '#contract/money/amount.ts'
import { currencyDecimals, sourceCurrency } from '#server/features/money/currency/currency.queries.ts'
import { exchanged } from '#server/features/money/currency/exchange.ts'
import { rateBetween, type Rate } from '#server/features/money/currency/rate.service.ts'
import { roundedTo } from '#server/features/money/invoice/posting.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

type Of = { amount: string; currency: Currency; source_id: number }
type Held = { decimals: number; rate: Rate | null; isSame: boolean }
/** Above so many parts of a hundred of its payment a fee is asked about. */
const ODD_PERCENT = 10n

/**
 * Judges what a bank is said to have taken for a payment, in the currency its source is booked in: `decimals` and `too_much` are refused,
 * `odd` is asked about. Each source and currency is looked up once.
 */
export function feeJudge(db: DbOrTrx, now: number) {
  const known = new Map<string, Promise<Held>>()
  return async (fee: string, { amount, currency, source_id }: Of): Promise<'decimals' | 'too_much' | 'odd' | null> => {
    const units = toUnits(fee)
    if (units === 0n) return null
    const key = `${source_id} ${currency}`
    const found = known.get(key) ?? heldBy(db, source_id, currency, now)
    known.set(key, found)
    const { decimals, rate, isSame } = await found
    if (roundedTo(decimals, units) !== units) return 'decimals'
    // without a rate nothing of it is said to have arrived either
    if (!isSame && rate === null) return null
    const whole = rate === null ? toUnits(amount) : exchanged(toUnits(amount), rate, decimals)
    if (units > whole) return 'too_much'
    return units * 100n > whole * ODD_PERCENT ? 'odd' : null
  }
}

async function heldBy(db: DbOrTrx, sourceId: number, currency: Currency, now: number): Promise<Held> {
  const held = (await sourceCurrency(db, sourceId)) ?? currency
  const rate = held === currency ? null : await rateBetween(db, currency, held, { at: now })
  return { decimals: await currencyDecimals(db, held), rate: rate === null || 'missing' in rate ? null : rate, isSame: held === currency }
}
