import { sql } from 'kysely'
import type { z } from 'zod'
import type { advertiserTerms } from '#contract/money/advertiser-billing.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

type Terms = z.output<typeof advertiserTerms>

/** An advertiser by uuid or number with its terms, those of nobody yet as they begin. */
export function getTerms(db: DbOrTrx, key: string, { lock }: { lock: boolean } = { lock: false }) {
  return db
    .selectFrom('advertiser as v')
    .leftJoin('advertiser_billing as b', 'b.advertiser_id', 'v.id')
    .select([
      'v.id',
      'b.schedule',
      'b.minimums',
      'b.hold_days',
      'b.makes',
      'b.net_days',
      'b.include_hold',
      'b.email',
      'b.language',
      'b.document_language',
      'b.vat_category',
      'b.vat_rate',
      'b.remind',
      'b.revision',
    ])
    .where(keyIs(key, { uuid: 'v.uuid', id: 'v.id' }))
    .$if(lock, (query) => query.forNoKeyUpdate('v'))
    .executeTakeFirst()
}

export async function saveTerms(
  trx: Trx,
  advertiserId: number,
  { limits: _limits, minimums, ...terms }: Terms,
  revision: number,
  at: Date,
): Promise<void> {
  const own = minimums === null ? null : JSON.stringify(Object.fromEntries(minimums.map(({ currency, amount }) => [currency, amount])))
  const values = { ...terms, minimums: own, revision, updated_at: at }
  await trx
    .insertInto('advertiser_billing')
    .values({ advertiser_id: advertiserId, ...values })
    .onConflict((conflict) => conflict.column('advertiser_id').doUpdateSet(values))
    .execute()
}

/** How much an advertiser may owe, by currency. */
export function listLimits(db: DbOrTrx, advertiserId: number) {
  return db
    .selectFrom('advertiser_credit')
    .select(['currency', 'credit_limit', 'blocked_at'])
    .where('advertiser_id', '=', advertiserId)
    .orderBy('currency')
    .execute()
}

/** Writes the limits of an advertiser; those that are named no more go. */
export async function saveLimits(trx: Trx, advertiserId: number, limits: Terms['limits']): Promise<void> {
  const currencies = limits.map(({ currency }) => currency)
  await sql`delete from advertiser_credit where advertiser_id = ${advertiserId} and currency <> all(${currencies}::text[])`.execute(trx)
  await sql`
    insert into advertiser_credit (advertiser_id, currency, credit_limit)
    select ${advertiserId}, currency, amount from unnest(${currencies}::text[], ${limits.map(({ amount }) => amount)}::numeric[]) as asked (currency, amount)
    on conflict (advertiser_id, currency) do update set credit_limit = excluded.credit_limit`.execute(trx)
}
