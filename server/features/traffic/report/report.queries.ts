import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { OfferType } from '#contract/offers/offer-type.ts'
import { RATE_DAYS } from '#contract/money/currency.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { OfType, RowScope } from '#server/statistics/plan.ts'
import type { DayRate } from '#server/statistics/rates.ts'
import { baseCurrency } from '#server/features/network/setting/setting.queries.ts'

/** The rows of clicks and conversions a caller may see, as numbers of partners. */
export async function rowScopeOf(db: DbOrTrx, scope: Scope): Promise<RowScope> {
  if (scope.kind === 'all') return scope
  if (scope.kind === 'affiliate') return { kind: 'affiliate', affiliate: scope.affiliateId }
  const [affiliates, advertisers] = await Promise.all([
    db
      .selectFrom('affiliate as f')
      .select('f.id')
      .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
      .orderBy('f.id')
      .execute(),
    db
      .selectFrom('advertiser as v')
      .select('v.id')
      .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
      .orderBy('v.id')
      .execute(),
  ])
  return { kind: 'partners', affiliates: affiliates.map((row) => row.id), advertisers: advertisers.map((row) => row.id) }
}

/** The restriction to offers of one type, with the numbers of those that take leads; undefined where both are asked for. */
export async function ofType(db: DbOrTrx, type: OfferType | null | undefined): Promise<OfType | undefined> {
  if (type === null || type === undefined) return undefined
  const rows = await db.selectFrom('api_offer').select('offer_id').orderBy('offer_id').execute()
  return { type, leads: rows.map((row) => row.offer_id) }
}

/** Affiliate → its present manager; those without one are left out. */
export async function managersOfAffiliates(db: DbOrTrx): Promise<Map<number, number>> {
  const rows = await db.selectFrom('affiliate').select(['id', 'manager_id']).where('manager_id', 'is not', null).execute()
  return new Map(rows.map((row) => [row.id, row.manager_id ?? 0]))
}

/** The affiliates that some managers own at present; 0 stands for none. */
export async function affiliatesOfManagers(db: DbOrTrx, managerIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('affiliate')
    .select('id')
    .where(sql<boolean>`coalesce(manager_id, 0) = any(${managerIds}::int[])`)
    .execute()
  return rows.map((row) => row.id)
}

/** Offer → its currency. */
export async function currenciesOfOffers(db: DbOrTrx): Promise<Map<number, Currency>> {
  const rows = await db.selectFrom('offer').select(['id', 'currency']).execute()
  return new Map(rows.map((row) => [row.id, row.currency]))
}

/** The currencies a rate to the base is known of. */
export async function ratedCurrencies(db: DbOrTrx, base: Currency): Promise<Currency[]> {
  const rows = await db.selectFrom('currency_rate').select('currency').distinct().where('base', '=', base).orderBy('currency').execute()
  return rows.map((row) => row.currency)
}

/** The rates to the base currency of some days (inclusive), and of the days before them on which one may be that is still in force. */
export function ratesOfDays(db: DbOrTrx, first: string, last: string): Promise<(DayRate & { base: string })[]> {
  return db
    .selectFrom('currency_rate as r')
    .select(['r.base', 'r.currency', 'r.day', 'r.rate'])
    .where('r.base', '=', baseCurrency())
    .where('r.day', '<=', last)
    .where(sql<boolean>`r.day > ${first}::date - ${RATE_DAYS}::int`)
    .execute()
}

/** The currency an affiliate is paid in. */
export async function currencyOfAffiliate(db: DbOrTrx, affiliateId: number): Promise<Currency | undefined> {
  return (await db.selectFrom('affiliate').select('currency').where('id', '=', affiliateId).executeTakeFirst())?.currency
}
