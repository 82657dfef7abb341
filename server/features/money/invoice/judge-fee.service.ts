import { toUnits, type Currency } from '#contract/money/amount.ts'
import { currencyDecimals, sourceCurrency } from '#server/features/money/currency/currency.queries.ts'
import { exchanged } from '#server/features/money/currency/exchange.ts'
import { rateBetween, type Rate } from '#server/features/money/currency/rate.service.ts'
import { roundedTo } from './posting.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

type Of = {
  amount: string
  currency: Currency
  source_id: number
  moved_currency?: Currency | null
  /** What was taken for the payment before, in the same currency. */
  fee?: string
}
type Held = { currency: Currency; decimals: number; rate: Rate | null; isSame: boolean }
/** Above so many parts of a hundred of its payment a fee is asked about. */
const ODD_PERCENT = 10n

/** What a fee that cannot be is told. */
export const FEE_REFUSED = {
  currency: 'This account is booked in another currency',
  decimals: 'More decimals than this currency has',
  too_much: 'A fee is not more than its payment',
  odd: 'Confirm that the fee is right',
}

/**
 * Judges what a bank is said to have taken for a payment, with what it took for it before, in the currency its source is booked in: `decimals` and `too_much` are refused,
 * `odd` is asked about, and so is one `said` to be in another currency, or in none where the payment is in another one than its source:
 * it is never booked as if it were the other. Each source and currency is looked up once.
 */
export function feeJudge(db: DbOrTrx, now: number) {
  const known = new Map<string, Promise<Held>>()
  return async (
    fee: string,
    { amount, currency, source_id, moved_currency = null, fee: before = '0' }: Of,
    said?: string,
  ): Promise<'currency' | 'decimals' | 'too_much' | 'odd' | null> => {
    const units = toUnits(fee)
    if (units === 0n) return null
    const key = `${source_id} ${currency} ${moved_currency ?? ''}`
    const found = known.get(key) ?? heldBy(db, { sourceId: source_id, currency, moved: moved_currency }, now)
    known.set(key, found)
    const { decimals, rate, isSame, currency: booked } = await found
    if (said !== undefined && (said === '' ? !isSame : said !== booked)) return 'currency'
    // `1.000` of a currency with two decimals or none is a thousand as likely as one
    if (roundedTo(decimals, units) !== units || (decimals < 3 && /^\d{1,3}\.\d{3}$/.test(fee))) return 'decimals'
    // without a rate nothing of it is said to have arrived either
    if (!isSame && rate === null) return null
    const whole = rate === null ? toUnits(amount) : exchanged(toUnits(amount), rate, decimals)
    const all = toUnits(before) + units
    if (all > whole) return 'too_much'
    return all * 100n > whole * ODD_PERCENT ? 'odd' : null
  }
}

async function heldBy(
  db: DbOrTrx,
  { sourceId, currency, moved }: { sourceId: number; currency: Currency; moved: Currency | null },
  now: number,
): Promise<Held> {
  const held = moved ?? (await sourceCurrency(db, sourceId)) ?? currency
  const rate = held === currency ? null : await rateBetween(db, currency, held, { at: now })
  return {
    currency: held,
    decimals: await currencyDecimals(db, held),
    rate: rate === null || 'missing' in rate ? null : rate,
    isSame: held === currency,
  }
}
