import { divideRounded } from '#contract/money/amount.ts'
import { RATE_SCALE } from './sums.ts'

/** One row of `currency_rate`: 1 unit of `currency` is worth `rate` units of the base currency on that day. */
export type DayRate = { currency: string; day: string; rate: string }

/** For each currency and day (UTC, counted from `firstDay` = days since 1970) what one unit is worth, × `RATE_SCALE`; 0 = not known. */
export type RateTable = { currencies: string[]; firstDay: number; rates: bigint[][] }

/**
 * What amounts of some currencies are worth in another, day by day. A day without a rate takes the last one before it.
 * `known` must hold, per currency, the rates of the days asked for and the last one before them. Days are inclusive.
 */
export function rateTable(
  known: readonly DayRate[],
  base: string,
  target: string,
  currencies: readonly string[],
  days: { first: number; last: number },
): RateTable {
  const ofTarget = daily(known, base, target, days)
  const rates = currencies.map((currency) => {
    if (currency === target) return ofTarget.map(() => RATE_SCALE)
    return daily(known, base, currency, days).map((rate, index) => {
      const divisor = ofTarget[index] ?? 0n
      return divisor === 0n ? 0n : divideRounded(rate * RATE_SCALE, divisor)
    })
  })
  return { currencies: [...currencies], firstDay: days.first, rates }
}

/** Days since 1970 of a moment, in UTC: the day whose rate an amount is converted at, whatever zone it is looked at from. */
export function dayNumber(ms: number): number {
  return Math.floor(ms / 86_400_000)
}

/** `2026-11-21` of a number of days since 1970. */
export function dayText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

const STORED_SCALE = 8

function daily(known: readonly DayRate[], base: string, currency: string, days: { first: number; last: number }): bigint[] {
  const length = days.last - days.first + 1
  if (currency === base) return Array.from({ length }, () => RATE_SCALE)
  const own = known
    .filter((row) => row.currency === currency)
    .map((row) => ({ day: dayNumber(Date.parse(row.day)), rate: scaled(row.rate) }))
    .toSorted((a, b) => a.day - b.day)
  const rates: bigint[] = []
  let next = 0
  let rate = 0n
  for (let day = days.first; day <= days.last; day++) {
    for (; next < own.length && own[next]!.day <= day; next++) rate = own[next]!.rate // within the length
    rates.push(rate)
  }
  return rates
}

/** numeric(18,8) as text, × `RATE_SCALE`. */
function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(STORED_SCALE, '0').slice(0, STORED_SCALE)) * (RATE_SCALE / 10n ** BigInt(STORED_SCALE))
}
