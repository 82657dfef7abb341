import type { z } from 'zod'
import { fromUnits, multiplied, toUnits, type Currency } from '#contract/money/amount.ts'
import { RATE_DAYS } from '#contract/money/currency.ts'
import type { rateTableApi } from '#contract/money/currency-rate.ts'
import { generalSetting } from '#contract/network/setting.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { getGeneralSettings, lockSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { activeAmong, listCurrencies } from './currency.queries.ts'
import { exchanged } from './exchange.ts'
import { deleteRate, lastRateDays, rateHistory, ratesBetween, ratesOn, writeRates, type OwnRates } from './rate.queries.ts'

/** When a rate is asked for: a day of the network's zone, or a moment whose day in that zone counts, maybe without what somebody set. */
export type RateDay = string | { at: number; without?: OwnRates }

/** What one unit of a currency is worth in another on a day: `from / to`, both in the base currency. */
export type Rate = { from: bigint; to: bigint; day: string }

/** The rate between two currencies; the day alone where one of them has none in force. */
export async function rateBetween(
  db: DbOrTrx,
  from: Currency,
  to: Currency,
  when: RateDay,
): Promise<Rate | { missing: Currency; day: string }> {
  const { base_currency: base, time_zone: zone } = await getGeneralSettings(db)
  const day = typeof when === 'string' ? when : dayIn(when.at, zone)
  if (from === to) return { from: 1n, to: 1n, day }
  const rates = await ratesOn(db, base, day, typeof when === 'string' ? undefined : when.without)
  const missing = [from, to].find((one) => !rates.has(one))
  if (missing !== undefined) return { missing, day }
  return { from: toUnits(rates.get(from)?.rate ?? '0'), to: toUnits(rates.get(to)?.rate ?? '0'), day }
}

/**
 * An amount in another currency at the rates of a day, rounded once, half away from zero, to `scale` decimals (that of the other
 * currency); null where a rate is missing.
 */
export async function convertAmount(
  db: DbOrTrx,
  amount: string,
  from: Currency,
  to: { currency: Currency; scale: number },
  when: RateDay,
): Promise<string | null> {
  if (from === to.currency) return multiplied(amount, 1n, 1n, to.scale)
  const rate = await rateBetween(db, from, to.currency, when)
  // what the other currency cannot hold is none of it, whatever this one holds
  return 'missing' in rate ? null : fromUnits(exchanged(toUnits(amount), rate, to.scale))
}

/** The same; throws `rate_missing` with currency and day where it cannot be told. */
export async function requireRate(db: DbOrTrx, from: Currency, to: Currency, when: RateDay, field?: string): Promise<Rate> {
  const rate = await rateBetween(db, from, to, when)
  if (!('missing' in rate)) return rate
  const values = { currency: rate.missing, day: rate.day }
  const said = `There is no rate for ${rate.missing} on ${rate.day}`
  throw new AppError('rate_missing', { values, ...(field !== undefined && { fields: { [field]: said } }) })
}

/** The rates in force on a day, of active currencies; where none is, the day of the last one. */
export async function showRatesOn(db: Db, day: string) {
  const { base_currency: base } = await getGeneralSettings(db)
  const [currencies, rates, last] = await Promise.all([listCurrencies(db), ratesOn(db, base, day), lastRateDays(db, base, day)])
  const list = currencies
    .filter(({ active }) => active)
    .map(({ code }) => ({ currency: code, rate: rates.get(code)?.rate ?? null, day: rates.get(code)?.day ?? last.get(code) ?? null }))
  return { base, list }
}

/** Sets rates of one day that is not still to come, each currency once. Throws `invalid_input`, `unknown_reference`. */
export async function setRates(
  db: Db,
  now: number,
  actor: Actor,
  day: string,
  rates: readonly { currency: Currency; rate: string }[],
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // the base currency stays until the rates stand in it
    const { base_currency: base, time_zone: zone } = await lockSetting(trx, generalSetting)
    if (day > dayIn(now, zone)) throw new AppError('invalid_input', { fields: { day: 'This day is still to come' } })
    if (rates.some(({ currency }) => currency === base))
      throw new AppError('invalid_input', { fields: { rates: `${base} is the base currency` } })
    const active = await activeAmong(
      trx,
      rates.map(({ currency }) => currency),
    )
    const unknown = rates.findIndex((one) => !active.has(one.currency))
    if (unknown >= 0) throw new AppError('unknown_reference', { fields: { [`rates.${unknown}.currency`]: 'Choose an active currency' } })
    await writeRates(
      trx,
      base,
      new Date(now),
      'hand',
      rates.map((one) => ({ ...one, day })),
    )
    const after = Object.fromEntries(rates.map(({ currency, rate }) => [currency, rate]))
    await recordAudit(trx, actor, now, { action: 'set', entity: 'currency_rate', entityId: day, after })
    return rates.length
  })
}

/** Removes the rate of a day; answers how many went. What was converted by it stays. */
export async function removeRate(
  db: Db,
  now: number,
  actor: Actor,
  { currency, day }: { currency: Currency; day: string },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { base_currency: base } = await lockSetting(trx, generalSetting)
    const rate = await deleteRate(trx, base, currency, day)
    if (rate === undefined) return 0
    await recordAudit(trx, actor, now, { action: 'remove', entity: 'currency_rate', entityId: day, before: { [currency]: rate } })
    return 1
  })
}

type Month = CallOutput<typeof rateTableApi.month>

/** A month of rates, day by day, the newest first; of the present one until today. */
export async function showMonth(db: Db, now: number, asked: string | null): Promise<Month> {
  const { base_currency: base, time_zone: zone } = await getGeneralSettings(db)
  const today = dayIn(now, zone)
  const month = asked ?? today.slice(0, 7)
  const days = daysOf(month).filter((day) => day <= today)
  const [first, last] = [days[0] ?? `${month}-01`, days.at(-1) ?? `${month}-01`]
  const [currencies, rates] = await Promise.all([listCurrencies(db), ratesBetween(db, base, plus(first, 1 - RATE_DAYS), last)])
  const known = new Set(rates.map(({ currency }) => currency))
  const shown = currencies
    .filter(({ code, active, in_use }) => code !== base && (in_use || (active && known.has(code))))
    .map(({ code }) => code)
  const byDay = new Map(rates.map((row) => [`${row.currency} ${row.day}`, row]))
  const columns = shown.map((currency) =>
    days.map((day) => {
      const own = byDay.get(`${currency} ${day}`)
      const ages = Array.from({ length: RATE_DAYS }, (_none, age) => byDay.get(`${currency} ${plus(day, -age)}`))
      const inForce = ages.find((row) => row !== undefined)?.rate ?? null
      return { rate: own?.rate ?? null, source: own?.source ?? null, in_force: inForce }
    }),
  )
  const rows = days.map((day, at) => ({ day, cells: columns.flatMap((cells) => cells[at] ?? []) }))
  return {
    base,
    month,
    today,
    currencies: shown,
    list: rows.toReversed(),
    gaps: shown.flatMap((currency, at) => gapsOf(days, columns[at] ?? []).map((gap) => ({ currency, ...gap }))),
  }
}

/** A page of the rates of one currency, each with how long it held and the days after it without one. */
export async function showHistory(db: Db, now: number, { currency, count, page }: z.output<typeof rateTableApi.history.body>) {
  const { base_currency: base, time_zone: zone } = await getGeneralSettings(db)
  const today = dayIn(now, zone)
  const found = await rateHistory(db, base, currency, { count, page })
  const list = found.map(({ day, rate, source, set_at, next }) => {
    const last = plus(day, RATE_DAYS - 1)
    const end = next === null ? today : plus(next, -1)
    const until = end < last && next !== null ? end : last
    return { day, rate, source, set_at: set_at?.toISOString() ?? null, until, gap: end > last ? { from: plus(last, 1), to: end } : null }
  })
  return { list, summary: { rows: found[0]?.rows ?? 0 } }
}

function gapsOf(days: readonly string[], cells: readonly Month['list'][number]['cells'][number][]): { from: string; to: string }[] {
  const gaps: { from: string; to: string }[] = []
  for (const [at, day] of days.entries()) {
    if (cells[at]?.in_force !== null) continue
    const open = gaps.at(-1)
    if (open !== undefined && plus(open.to, 1) === day) open.to = day
    else gaps.push({ from: day, to: day })
  }
  return gaps
}

function daysOf(month: string): string[] {
  const first = Temporal.PlainDate.from(`${month}-01`)
  return Array.from({ length: first.daysInMonth }, (_none, at) => first.add({ days: at }).toString())
}

function plus(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}
