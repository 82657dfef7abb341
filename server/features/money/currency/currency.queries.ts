import { sql } from 'kysely'
import { divideRounded, fromUnits, toUnits, type Currency } from '#contract/money/amount.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'

const RATE_SCALE = 100_000_000n

/** The rates in force on a day, by currency; what never had one by then is left out. The base currency itself is worth 1. */
export async function ratesOn(db: DbOrTrx, base: Currency, day: string): Promise<Map<Currency, { rate: string; day: string }>> {
  const rows = await db
    .selectFrom('currency_rate')
    .distinctOn('currency')
    .select(['currency', 'rate', 'day'])
    .where('base', '=', base)
    .where('day', '<=', day)
    .orderBy('currency')
    .orderBy('day', 'desc')
    .execute()
  const rates = new Map(rows.map((row) => [row.currency, { rate: row.rate, day: row.day }]))
  rates.set(base, { rate: '1.00000000', day })
  return rates
}

/** An amount in another currency at the rates of a day, rounded half away from zero to four decimals; null where a rate is missing. */
export async function convertAmount(db: DbOrTrx, amount: string, from: Currency, to: Currency, day: string): Promise<string | null> {
  if (from === to) return fromUnits(toUnits(amount))
  const { base_currency } = await getGeneralSettings(db)
  const rates = await ratesOn(db, base_currency, day)
  const [fromRate, toRate] = [rates.get(from), rates.get(to)]
  if (fromRate === undefined || toRate === undefined) return null
  return fromUnits(divideRounded(toUnits(amount) * rateUnits(fromRate.rate), rateUnits(toRate.rate)))
}

/** Sets rates of one day; answers how many rows. */
export async function setRates(
  db: DbOrTrx,
  base: Currency,
  day: string,
  rates: readonly { currency: Currency; rate: string }[],
): Promise<number> {
  const last = new Map(rates.map((one) => [one.currency, one.rate]))
  const result = await db
    .insertInto('currency_rate')
    .values([...last].map(([currency, rate]) => ({ base, currency, day, rate })))
    .onConflict((conflict) => conflict.columns(['base', 'currency', 'day']).doUpdateSet({ rate: sql`excluded.rate` }))
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}

/** Hundred-millionths of a rate's text. */
function rateUnits(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * RATE_SCALE + BigInt(fraction.padEnd(8, '0').slice(0, 8))
}
