import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Currency, ranking } from '#contract/money/amount.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { ratesOn } from './rate.queries.ts'

/** What amounts of several currencies are ranked by. */
export type Worth = {
  /** An amount of the query in the base currency; null where its currency has no rate. */
  of: (amount: RawBuilder<unknown>, currency: RawBuilder<unknown>) => RawBuilder<unknown>
  /** How a list that has these currencies was ranked. */
  ranking: (rows: readonly { currency: Currency }[]) => z.output<typeof ranking>
}

/** The worth of amounts at the rates in force today: a number alone says nothing of another currency's. */
export async function openWorth(db: DbOrTrx, now: number): Promise<Worth> {
  const { base_currency: base, time_zone: zone } = await getGeneralSettings(db)
  const rates = await ratesOn(db, base, dayIn(now, zone))
  const byCurrency = JSON.stringify(Object.fromEntries([...rates].map(([currency, { rate }]) => [currency, rate])))
  return {
    of: (amount, currency) => sql`(${amount} * (${byCurrency}::jsonb ->> ${currency})::numeric)`,
    ranking: (rows) => ({ base, without: rows.flatMap(({ currency }) => (rates.has(currency) ? [] : [currency])) }),
  }
}
