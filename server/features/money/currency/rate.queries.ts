import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { RATE_SOURCES } from '#contract/money/currency-rate.ts'
import { RATE_DAYS } from '#contract/money/currency.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

export type RateSource = (typeof RATE_SOURCES)[number]
export type GivenRate = { currency: Currency; day: string; rate: string }

/** Rates that some people set since a moment. */
export type OwnRates = { accountIds: readonly number[]; since: Date }

/**
 * The rates in force on a day, by currency: the latest of the last seven days. The base currency itself is worth 1. Those `without` names
 * count as if they were not there.
 */
export async function ratesOn(
  db: DbOrTrx,
  base: Currency,
  day: string,
  without?: OwnRates,
): Promise<Map<Currency, { rate: string; day: string }>> {
  const rows = await db
    .selectFrom('currency_rate')
    .distinctOn('currency')
    .select(['currency', 'rate', 'day'])
    .where('base', '=', base)
    .where('day', '<=', day)
    .where(sql<boolean>`day > ${day}::date - ${RATE_DAYS}::int`)
    .$if(without !== undefined, (query) =>
      // the log says whose they are: what it has of a call stands at the moment of its rates
      query.where(
        sql<boolean>`(set_at is null or set_at <= ${without?.since} or set_at not in (select a.at from audit a
          where a.entity = 'currency_rate' and a.at > ${without?.since} and (a.actor_id = any(${without?.accountIds}::int[]) or a.acting_id = any(${without?.accountIds}::int[]))))`,
      ),
    )
    .orderBy('currency')
    .orderBy('day', 'desc')
    .execute()
  const rates = new Map(rows.map((row) => [row.currency, { rate: row.rate, day: row.day }]))
  rates.set(base, { rate: '1.00000000', day })
  return rates
}

/** The last day up to one on which each currency had a rate, however long ago. */
export async function lastRateDays(db: DbOrTrx, base: Currency, day: string): Promise<Map<Currency, string>> {
  const { rows } = await sql<{ currency: Currency; day: string }>`
    select currency, to_char(max(day), 'YYYY-MM-DD') as day from currency_rate where base = ${base} and day <= ${day} group by currency`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.currency, row.day]))
}

/** All rates of some days, both inclusive. */
export async function ratesBetween(db: DbOrTrx, base: Currency, from: string, to: string): Promise<(GivenRate & { source: RateSource })[]> {
  const { rows } = await sql<GivenRate & { source: RateSource }>`
    select currency, to_char(day, 'YYYY-MM-DD') as day, rate::text as rate, source from currency_rate
     where base = ${base} and day between ${from} and ${to} order by currency, day`.execute(db)
  return rows
}

/** A page of the rates of one currency, the newest first, each with the day of the next one. */
export async function rateHistory(db: Db, base: Currency, currency: Currency, { count, page }: { count: number; page: number }) {
  const { rows } = await sql<{ day: string; rate: string; source: RateSource; set_at: Date | null; next: string | null; rows: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, rate::text as rate, source, set_at,
           to_char(lead(day) over (order by day), 'YYYY-MM-DD') as next, count(*) over ()::int as rows
      from currency_rate where base = ${base} and currency = ${currency}
     order by currency_rate.day desc limit ${count} offset ${(page - 1) * count}`.execute(db)
  return rows
}

/** Which of some rates are others than what stands there, or stand nowhere yet. */
export async function standingRates(
  db: DbOrTrx,
  base: Currency,
  rates: readonly GivenRate[],
): Promise<Map<string, { rate: string; source: RateSource }>> {
  const { rows } = await sql<GivenRate & { source: RateSource }>`
    select r.currency, to_char(r.day, 'YYYY-MM-DD') as day, r.rate::text as rate, r.source from currency_rate r
      join unnest(${rates.map(({ currency }) => currency)}::text[], ${rates.map(({ day }) => day)}::date[]) as given (currency, day)
        on given.currency = r.currency and given.day = r.day
     where r.base = ${base}`.execute(db)
  return new Map(rows.map(({ currency, day, ...rest }) => [`${currency} ${day}`, rest]))
}

/**
 * Writes rates, each currency and day once; answers how many changed. What a machine brings takes no place of what people typed in
 * or put into a file.
 */
export async function writeRates(trx: Trx, base: Currency, at: Date, source: RateSource, rates: readonly GivenRate[]): Promise<number> {
  if (rates.length === 0) return 0
  const result = await sql`
    insert into currency_rate as stored (base, currency, day, rate, source, set_at)
    select ${base}, currency, day, rate, ${source}, ${at}
      from unnest(${rates.map(({ currency }) => currency)}::text[], ${rates.map(({ day }) => day)}::date[], ${rates.map(({ rate }) => rate)}::numeric[])
        as given (currency, day, rate)
     order by currency, day
    on conflict (base, currency, day) do update set rate = excluded.rate, source = excluded.source, set_at = excluded.set_at
     where stored.rate <> excluded.rate ${source === 'feed' ? sql`and stored.source in ('feed', 'base')` : sql``}`.execute(trx)
  return Number(result.numAffectedRows ?? 0)
}

/** Removes the rate of a day; answers what it was. */
export async function deleteRate(trx: Trx, base: Currency, currency: Currency, day: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('currency_rate')
    .where('base', '=', base)
    .where('currency', '=', currency)
    .where('day', '=', day)
    .returning('rate')
    .executeTakeFirst()
  return row?.rate
}
