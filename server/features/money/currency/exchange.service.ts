import type { z } from 'zod'
import { fromUnits, toUnits, type Currency } from '#contract/money/amount.ts'
import type { exchangeApi } from '#contract/money/currency-rate.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { currencyDecimals, currencyExists, sourceCurrency } from './currency.queries.ts'
import { exchanged, type Exchanged } from './exchange.ts'
import { rateBetween, requireRate } from './rate.service.ts'

/** Further from the rate of the day by so many parts of a hundred it is asked about. */
const ODD_PERCENT = 10n
type Asked = {
  amount: bigint
  currency: Currency
  sourceId: number
  day: string
  moved: { currency: Currency; amount: string; sure?: boolean } | null
}

/**
 * What moved at a source for an amount of a document, where that is in another currency; null where it is the same. Throws
 * `invalid_input` where the source holds another currency than is said, and `rate_missing` where the day has no rate. What is
 * far from that rate is only taken where somebody is sure of it.
 */
export async function readExchange(db: DbOrTrx, { amount, currency, sourceId, day, moved }: Asked): Promise<Exchanged | null> {
  const refuse = (text: string): never => {
    throw new AppError('invalid_input', { fields: { moved: text } })
  }
  const held = await sourceCurrency(db, sourceId)
  if (moved === null) return held === null || held === currency ? null : refuse('This account holds another currency: say what moved on it')
  if (moved.currency === currency) return refuse('This is the currency of the document: nothing is exchanged')
  if (held !== null && held !== moved.currency) return refuse('This account holds another currency')
  if (!(await currencyExists(db, moved.currency))) return refuse('Choose an active currency')
  const units = toUnits(moved.amount)
  const decimals = await currencyDecimals(db, moved.currency)
  if (units <= 0n) return refuse('More than zero')
  if (exchanged(units, { from: 1n, to: 1n }, decimals) !== units) return refuse('More decimals than this currency has')
  const expected = exchanged(amount, await requireRate(db, currency, moved.currency, day, 'moved'), decimals)
  if (expected <= 0n || expected >= 10n ** 23n) return refuse('By the rate of the day this is no amount of that currency')
  if (moved.sure !== true && distance(units, expected) * 100n > expected * ODD_PERCENT)
    return refuse('This is more than a tenth off the rate of the day: confirm it')
  return { currency: moved.currency, moved: units, expected }
}

/** What of an amount left beyond the rate of its day, in the currency of the amount; nothing where that is what a bank's rate may cost. */
export function beyondRate(amount: bigint, by: Exchanged | null): bigint {
  if (by === null || (by.moved - by.expected) * 100n <= by.expected * ODD_PERCENT) return 0n
  return (amount * (by.moved - by.expected)) / by.expected
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one
}

/** What leaves a source for an amount of a document by the rate of a day; null where the source holds that currency, or any. Throws `rate_missing`. */
export async function exchangeAtRate(
  db: DbOrTrx,
  { amount, currency, sourceId, at }: { amount: bigint; currency: Currency; sourceId: number; at: number },
): Promise<Exchanged | null> {
  const held = await sourceCurrency(db, sourceId)
  if (held === null || held === currency) return null
  const moved = exchanged(amount, await requireRate(db, currency, held, { at }), await currencyDecimals(db, held))
  // less than the smallest unit is that unit: nothing leaves for nothing
  const least = 10n ** BigInt(8 - (await currencyDecimals(db, held)))
  return { currency: held, moved: moved > 0n ? moved : least, expected: moved > 0n ? moved : least }
}

/** What an amount is worth in another currency by the rate of a day; null where there is none. */
export async function quoteExchange(db: DbOrTrx, { amount, currency, to, day }: z.output<typeof exchangeApi.quote.body>) {
  const rate = (await currencyExists(db, to)) && (await currencyExists(db, currency)) ? await rateBetween(db, currency, to, day) : null
  if (rate === null || 'missing' in rate) return { expected: null, missing: rate?.missing ?? to }
  return { expected: fromUnits(exchanged(toUnits(amount), rate, await currencyDecimals(db, to))), missing: null }
}
