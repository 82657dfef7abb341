import { divideRounded, fromUnits, MONEY_SCALE, scaleOf, toUnits, UNITS } from '#contract/money/amount.ts'
import { RATE_DAYS } from '#contract/money/currency.ts'
import type { ledgerApi, TrialSum } from '#contract/money/ledger.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { ratesBetween } from '#server/features/money/currency/rate.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { dayIn, periodOf } from '#server/rules/zone-day.ts'
import { trialMonth } from './trial-month.service.ts'
import { sumTrial } from './trial.queries.ts'

/** The rate in force on a day, for one unit of a currency; undefined where none is. */
type RateOn = (currency: string, day: string) => bigint | undefined
type Moved = { day: string; debits: bigint; credits: bigint }

/**
 * The trial balance of a month by kind and currency, and in the base currency: what was booked at the rate of its own day, balances at
 * that of the last day before the month and of the month itself (of today, while it lasts). Nothing is guessed: rates that are missing
 * are named, and what needs them is told in its own currency alone.
 */
export async function showTrialSums(db: Db, now: number, asked: string | null): Promise<CallOutput<typeof ledgerApi.trialSums>> {
  const { base_currency: base, time_zone: zone } = await getGeneralSettings(db)
  const today = dayIn(now, zone)
  const month = asked ?? today.slice(0, 7)
  const { starts, ends } = periodOf('month', Date.parse(`${month}-15T12:00:00Z`), zone)
  const [opening_day = today, closing_day = today] = [starts - 1, ends - 1].map((at) => dayIn(Math.min(at, now), zone))
  const unit = 10n ** BigInt(MONEY_SCALE - scaleOf(await decimalsOf(db, base)))
  const rateOn = await openRates(db, base, opening_day, closing_day)
  const missing = new Map<string, { currency: string; day: string }>()
  /** Amounts of some days in the base currency, rounded once. */
  const inBase = (currency: string, parts: readonly { amount: bigint; day: string }[]): bigint | undefined => {
    let sum = 0n
    let known = true
    for (const { amount, day } of parts) {
      if (amount === 0n) continue // nothing is worth nothing at whatever rate
      const rate = rateOn(currency, day)
      if (rate === undefined) missing.set(`${currency} ${day}`, { currency, day })
      known &&= rate !== undefined
      sum += amount * (rate ?? 0n)
    }
    return known ? divideRounded(sum, UNITS * unit) * unit : undefined
  }
  const list = (await sumTrial(db, await trialMonth(db, now, month, zone), { zone, base })).flatMap(
    ({ kind, currency, balance, days }): TrialSum[] => {
      const moved = days.flatMap(({ day, debits, credits }): Moved[] =>
        day === null ? [] : [{ day, debits: toUnits(debits), credits: toUnits(credits) }],
      )
      const later = sumOf(days.filter(({ day }) => day === null).map((one) => toUnits(one.debits) - toUnits(one.credits)))
      const [debits, credits] = [sumOf(moved.map((one) => one.debits)), sumOf(moved.map((one) => one.credits))]
      const closing = toUnits(balance) - later
      const opening = closing - debits + credits
      if (opening === 0n && debits === 0n && credits === 0n) return []
      const told = {
        opening: inBase(currency, [{ amount: opening, day: opening_day }]),
        debits: inBase(
          currency,
          moved.map((one) => ({ amount: one.debits, day: one.day })),
        ),
        credits: inBase(
          currency,
          moved.map((one) => ({ amount: one.credits, day: one.day })),
        ),
        closing: inBase(currency, [{ amount: closing, day: closing_day }]),
      }
      return [
        {
          kind,
          currency,
          opening: fromUnits(opening),
          debits: fromUnits(debits),
          credits: fromUnits(credits),
          closing: fromUnits(closing),
          base: textsOf(told),
        },
      ]
    },
  )
  return {
    month,
    base,
    opening_day,
    closing_day,
    list,
    missing: [...missing.values()].toSorted((a, b) => (`${a.currency} ${a.day}` < `${b.currency} ${b.day}` ? -1 : 1)),
  }
}

/** The rates of some days at once: on each the latest of the last seven. */
async function openRates(db: Db, base: string, from: string, to: string): Promise<RateOn> {
  const before = Temporal.PlainDate.from(from)
    .subtract({ days: RATE_DAYS - 1 })
    .toString()
  const rates = new Map((await ratesBetween(db, base, before, to)).map((row) => [`${row.currency} ${row.day}`, toUnits(row.rate)]))
  return (currency, day) => {
    if (currency === base) return UNITS
    const date = Temporal.PlainDate.from(day)
    for (let age = 0; age < RATE_DAYS; age += 1) {
      const rate = rates.get(`${currency} ${date.subtract({ days: age }).toString()}`)
      if (rate !== undefined) return rate
    }
    return undefined
  }
}

type Known = Record<'opening' | 'debits' | 'credits' | 'closing', bigint | undefined>

function textsOf({ opening, debits, credits, closing }: Known): TrialSum['base'] {
  if (opening === undefined || debits === undefined || credits === undefined || closing === undefined) return null
  return {
    opening: fromUnits(opening),
    debits: fromUnits(debits),
    credits: fromUnits(credits),
    closing: fromUnits(closing),
    difference: fromUnits(closing - opening - debits + credits),
  }
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n)
}
