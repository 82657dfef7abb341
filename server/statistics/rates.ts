import { divideRounded } from '#contract/money/amount.ts'
import { RATE_DAYS } from '#contract/money/currency.ts'
import { RATE_SCALE } from './sums.ts'

/** One row of `currency_rate`: 1 unit of `currency` is worth `rate` units of the base currency on that day. */
export type DayRate = { currency: string; day: string; rate: string }

/**
 * For each currency and day (of the network's zone, counted from `firstDay` = days since 1970) what one unit is worth, × `RATE_SCALE`;
 * 0 = not known. `offsets`: how many seconds that zone's clock is ahead of UTC, from which second on.
 */
export type RateTable = { currencies: string[]; firstDay: number; rates: bigint[][]; offsets: readonly Offset[] }
type Offset = { from: number; seconds: number }

/**
 * What amounts of some currencies are worth in another, day by day of a zone. A day without a rate takes the latest of the last
 * `RATE_DAYS` days. `known` must hold the rates of the days asked for and of as many before them. Days are inclusive.
 */
export function rateTable(
  known: readonly DayRate[],
  base: string,
  target: string,
  currencies: readonly string[],
  days: { first: number; last: number; zone: string },
): RateTable {
  const ofTarget = daily(known, base, target, days)
  const rates = currencies.map((currency) => {
    if (currency === target) return ofTarget.map(() => RATE_SCALE)
    return daily(known, base, currency, days).map((rate, index) => {
      const divisor = ofTarget[index] ?? 0n
      return divisor === 0n ? 0n : divideRounded(rate * RATE_SCALE, divisor)
    })
  })
  return { currencies: [...currencies], firstDay: days.first, rates, offsets: offsetsOf(days) }
}

/** Days since 1970 of a moment that is midnight in UTC. */
export function dayNumber(ms: number): number {
  return Math.floor(ms / 86_400_000)
}

/** `2026-11-21` of a number of days since 1970. */
export function dayText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

const STORED_SCALE = 8

/** By how much the clock of a zone is ahead of UTC in a stretch, day and night of its ends included; one entry more for each change of the clock. */
function offsetsOf({ first, last, zone }: { first: number; last: number; zone: string }): Offset[] {
  const end = (last + 2) * 86_400_000
  const offsets: Offset[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds((first - 1) * 86_400_000).toZonedDateTimeISO(zone)
  while (at !== null && at.epochMilliseconds < end) {
    offsets.push({ from: Math.floor(at.epochMilliseconds / 1000), seconds: Math.round(at.offsetNanoseconds / 1e9) })
    at = at.getTimeZoneTransition('next')
  }
  return offsets
}

function daily(known: readonly DayRate[], base: string, currency: string, days: { first: number; last: number }): bigint[] {
  const length = days.last - days.first + 1
  if (currency === base) return Array.from({ length }, () => RATE_SCALE)
  const own = known
    .filter((row) => row.currency === currency)
    .map((row) => ({ day: dayNumber(Date.parse(row.day)), rate: scaled(row.rate) }))
    .toSorted((a, b) => a.day - b.day)
  const rates: bigint[] = []
  let next = 0
  let latest = { day: -RATE_DAYS, rate: 0n }
  for (let day = days.first; day <= days.last; day++) {
    for (; next < own.length && own[next]!.day <= day; next++) latest = own[next]!
    rates.push(day - latest.day < RATE_DAYS ? latest.rate : 0n)
  }
  return rates
}

/** numeric(18,8) as text, × `RATE_SCALE`. */
function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(STORED_SCALE, '0').slice(0, STORED_SCALE)) * (RATE_SCALE / 10n ** BigInt(STORED_SCALE))
}
