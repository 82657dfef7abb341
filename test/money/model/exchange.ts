import { RATES, type Moved } from '../world.ts'
import { move, ONE, parse, refuseIf, type Books, type Exchange } from './books.ts'
import type { Model } from './state.ts'

const DAYS = 7

/** What one unit is worth in dollars on a day: of the last seven days the latest; null where there is none. */
function rateOn(currency: string, day: string): bigint | null {
  if (currency === 'USD') return ONE
  const first = new Date(Date.parse(day) - (DAYS - 1) * 86_400_000).toISOString().slice(0, 10)
  const known = RATES.filter((one) => one.currency === currency && one.day >= first && one.day <= day)
  const latest = known.toSorted((one, other) => (one.day < other.day ? 1 : -1))[0]
  return latest === undefined ? null : parse(latest.rate)
}

/** No. 33: nothing where it moved in its own currency; without a rate of the day it is refused, never guessed. */
export function exchange(model: Model, amount: bigint, currency: string, moved: Moved | null, day: string): Exchange | null {
  if (moved === null) return null
  const units = parse(moved.amount)
  const unit = 10n ** BigInt(8 - model.decimals(moved.currency))
  refuseIf(moved.currency === currency || units <= 0n || units % unit !== 0n, 'invalid_input')
  const [from, to] = [rateOn(currency, day), rateOn(moved.currency, day)]
  refuseIf(from === null || to === null, 'rate_missing')
  // half a unit goes up
  const expected = ((2n * amount * from! + to! * unit) / (2n * to! * unit)) * unit
  refuseIf(expected <= 0n, 'invalid_input')
  return { currency: moved.currency, moved: units, expected }
}

/** VAT is told at home in another currency than these, by the rate of the day: without one nothing is issued. */
export function tellVat(vat: bigint, currency: string, now: number): void {
  refuseIf(vat !== 0n && rateOn(currency, new Date(now).toISOString().slice(0, 10)) === null, 'rate_missing')
}

/** Where an amount comes in or leaves: the source, or the clearing of an exchange. */
export function landing(model: Model, by: Exchange | null): [string, number] {
  return by === null ? ['cash', model.source] : ['fx_position', 0]
}

/** The other side of an exchange, in the currency of the source; the bank's rate is ours to bear. `sign` is -1 for what left. */
export function moveExchange(books: Books, source: number, by: Exchange | null, sign: 1n | -1n): void {
  if (by === null) return
  move(books, by.currency, ['cash', source], ['fx_position', 0], sign * by.moved)
  move(books, by.currency, ['fx_result', 0], ['fx_position', 0], sign * (by.expected - by.moved))
}
