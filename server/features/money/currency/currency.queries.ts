import { sql, type Updateable } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
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
      or exists (select from offer where currency = ${code})) as found`.execute(db)
  return rows[0]?.found === true
}

/** Tells every process on commit that the constants are others now. */
export async function announceCurrencies(trx: Trx): Promise<void> {
  await sql`select pg_notify(${SETTING_CHANNEL}, 'currency')`.execute(trx)
}

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

/** Sets rates of one day; answers how many rows. A currency may stand there once. */
export async function upsertRates(
  db: DbOrTrx,
  base: Currency,
  day: string,
  rates: readonly { currency: Currency; rate: string }[],
): Promise<number> {
  const result = await db
    .insertInto('currency_rate')
    .values(rates.map(({ currency, rate }) => ({ base, currency, day, rate })))
    .onConflict((conflict) => conflict.columns(['base', 'currency', 'day']).doUpdateSet({ rate: sql`excluded.rate` }))
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}

function currencies(db: DbOrTrx) {
  return db
    .selectFrom('currency as c')
    .select(['c.code', 'c.name', 'c.sign', 'c.decimals', 'c.kind', 'c.active', 'c.version'])
    .select(
      sql<boolean>`(c.code = ${baseCurrency()}
        or exists (select from offer o where o.currency = c.code and o.status <> 'archived')
        or exists (select from affiliate f where f.currency = c.code)
        or exists (select from advertiser v where v.currency = c.code and v.status <> 'deleted'))`.as('in_use'),
    )
}
