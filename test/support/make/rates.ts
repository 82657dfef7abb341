import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'

/** Rates of every day around the clock of tests, where none are set: what VAT is told in at home needs them. */
export async function makeRates(db: Db, rates: Readonly<Record<string, string>> = { EUR: '1.1', PLN: '0.25' }): Promise<void> {
  for (const [currency, rate] of Object.entries(rates))
    await sql`insert into currency_rate (base, currency, day, rate)
      select 'USD', ${currency}, day::date, ${rate}::numeric from generate_series('2026-06-01'::date, '2027-06-01'::date, '1 day') day
      on conflict do nothing`.execute(db)
}
