import { sql, type Updateable } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import { RATE_DAYS } from '#contract/money/currency.ts'
import { baseCurrency, SETTING_CHANNEL } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

/** All currencies by code, with whether something that can still be used names them. */
export function listCurrencies(db: DbOrTrx) {
  return currencies(db).orderBy('c.code').execute()
}
export type CurrencyRow = Awaited<ReturnType<typeof listCurrencies>>[number]

/** One currency, locked until the transaction ends: whoever chooses it meanwhile waits. */
export function lockCurrency(trx: Trx, code: Currency): Promise<CurrencyRow | undefined> {
  return currencies(trx).where('c.code', '=', code).forUpdate('c').executeTakeFirst()
}

/** Which of some codes are active currencies. They stay so until the transaction ends. */
export async function activeAmong(db: DbOrTrx, codes: readonly Currency[]): Promise<Set<Currency>> {
  const rows = await db
    .selectFrom('currency')
    .select('code')
    .where('code', 'in', [...codes])
    .where('active', '=', true)
    .orderBy('code')
    .forShare()
    .execute()
  return new Set(rows.map((row) => row.code))
}

/** Whether there is such a currency, active or not. */
export async function currencyExists(db: DbOrTrx, code: string): Promise<boolean> {
  return (await db.selectFrom('currency').select('code').where('code', '=', code).executeTakeFirst()) !== undefined
}

/** Decimals of a currency there is. */
export async function currencyDecimals(db: DbOrTrx, code: Currency): Promise<number> {
  return (await db.selectFrom('currency').select('decimals').where('code', '=', code).executeTakeFirstOrThrow()).decimals
}

/** Adds a currency of the network's own; false where the code is taken. */
export async function insertCurrency(trx: Trx, own: { code: Currency; name: string; sign: string; decimals: number }): Promise<boolean> {
  const result = await trx
    .insertInto('currency')
    .values({ ...own, kind: 'own', active: true })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Changes a currency. */
export async function updateCurrency(trx: Trx, code: Currency, values: Updateable<Tables['currency']>): Promise<void> {
  await trx.updateTable('currency').set(values).where('code', '=', code).execute()
}

/** Whether money was ever counted in a currency: its amounts would be read with other decimals. */
export async function currencyHasAmounts(db: DbOrTrx, code: Currency): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select (exists (select from conversion where currency = ${code}) or exists (select from ledger_account where currency = ${code})
      or exists (select from offer where currency = ${code})
      or exists (select from product where currency = ${code} and prices <> '[]')) as found`.execute(db)
  return rows[0]?.found === true
}

/** Tells every process on commit that the constants are others now. */
export async function announceCurrencies(trx: Trx): Promise<void> {
  await sql`select pg_notify(${SETTING_CHANNEL}, 'currency')`.execute(trx)
}

/** Whether there are rates in a base currency, of any or of one. */
export async function hasRates(db: DbOrTrx, base: Currency, code?: Currency): Promise<boolean> {
  const row = await db
    .selectFrom('currency_rate')
    .select('day')
    .where('base', '=', base)
    .$if(code !== undefined, (query) => query.where('currency', '=', code ?? ''))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Writes the rates of one base in another: of each day on which a currency or the new base had a rate of its own, where
 * both are in force. What people or feeds entered stays
 * as it was entered; what was told from another base stays unless it says something else. Each has the moment of the rate it was made of
 * that somebody set.
 * Answers the currencies of which a rate has no figure in the column, which are left out.
 */
export async function insertRebased(trx: Trx, from: Currency, to: Currency): Promise<Currency[]> {
  const { rows } = await sql<{ currency: Currency }>`
    with days as (
      select c.currency, d.day
        from (select distinct currency from currency_rate where base = ${from} and currency <> ${to}) as c
        join lateral (select day from currency_rate where base = ${from} and currency in (c.currency, ${to}) group by day) as d on true
    ), told as (
      select days.currency, days.day, round(own.rate / base.rate, 8) as rate,
        case when own.source = 'feed' then base.set_at when base.source = 'feed' then own.set_at else greatest(own.set_at, base.set_at) end as set_at
        from days
        join lateral (select rate, source, set_at from currency_rate r where r.base = ${from} and r.currency = days.currency and r.day between days.day - ${RATE_DAYS - 1}::int and days.day order by r.day desc limit 1) as own on true
        join lateral (select rate, source, set_at from currency_rate r where r.base = ${from} and r.currency = ${to} and r.day between days.day - ${RATE_DAYS - 1}::int and days.day order by r.day desc limit 1) as base on true
      union all
      select ${from}, day, round(1 / rate, 8), set_at from currency_rate where base = ${from} and currency = ${to}
    ), written as (
      insert into currency_rate as stored (base, currency, day, rate, source, set_at)
      select ${to}, currency, day, rate, 'base', set_at from told where rate > 0 and rate < 1e9
      on conflict (base, currency, day) do update set rate = excluded.rate, source = excluded.source, set_at = excluded.set_at
        -- more than twice rounding can make of it
       where stored.source = 'base' and abs(stored.rate - excluded.rate) > greatest(excluded.rate * 0.00001, 0.00000002)
    )
    select distinct currency from told where not (rate > 0 and rate < 1e9) order by currency`.execute(trx)
  return rows.map(({ currency }) => currency)
}

function currencies(db: DbOrTrx) {
  return db
    .selectFrom('currency as c')
    .select(['c.code', 'c.name', 'c.sign', 'c.decimals', 'c.kind', 'c.active', 'c.version'])
    .select(
      sql<boolean>`(c.code = ${baseCurrency()}
        or exists (select from offer o where o.currency = c.code and o.status <> 'archived')
        or exists (select from product p where p.currency = c.code and p.prices <> '[]' and p.status <> 'archived')
        or exists (select from affiliate f where f.currency = c.code)
        or exists (select from advertiser v where v.currency = c.code and v.status <> 'deleted')
        or exists (select from ledger_account l where l.currency = c.code and l.balance <> 0))`.as('in_use'),
    )
}

/** The currency a source of payments holds; null = any. */
export async function sourceCurrency(db: DbOrTrx, sourceId: number): Promise<Currency | null> {
  return (await db.selectFrom('payment_source').select('currency').where('id', '=', sourceId).executeTakeFirst())?.currency ?? null
}

/** Decimals in which invoices and payments of a currency are made; undefined for a code that is no currency of ours. */
export async function findDecimals(db: DbOrTrx, code: Currency): Promise<number | undefined> {
  const row = await db.selectFrom('currency').select('decimals').where('code', '=', code).executeTakeFirst()
  return row?.decimals
}
