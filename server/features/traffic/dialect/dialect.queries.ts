import { sql } from 'kysely'
import type { Dialect } from '#contract/traffic/dialect.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** The dialect of an advertiser as it is now, and who saved it. */
export function getDialect(db: DbOrTrx, advertiserId: number) {
  return db
    .selectFrom('advertiser_dialect as d')
    .leftJoin('account as a', 'a.id', 'd.account_id')
    .select(['d.version', 'd.dialect', 'd.secret', 'd.created_at', 'a.name as by'])
    .where('d.advertiser_id', '=', advertiserId)
    .orderBy('d.version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Adds a version. */
export async function insertDialect(
  db: DbOrTrx,
  advertiserId: number,
  row: { version: number; dialect: Dialect | null; secret: Buffer | null; accountId: number | null; at: Date },
): Promise<void> {
  await db
    .insertInto('advertiser_dialect')
    .values({
      advertiser_id: advertiserId,
      version: row.version,
      dialect: row.dialect === null ? null : JSON.stringify(row.dialect),
      secret: row.secret,
      account_id: row.accountId,
      created_at: row.at,
    })
    .execute()
}

/** Goals of an advertiser's offers by their codes, the most usual first; at most 50. */
export function listGoalCodes(db: DbOrTrx, advertiserId: number) {
  return db
    .selectFrom('goal as g')
    .innerJoin('offer as o', 'o.id', 'g.offer_id')
    .select('g.code')
    .select([
      sql<string>`min(g.title)`.as('title'),
      sql<number>`count(distinct o.id)::int`.as('offers'),
      sql<boolean>`bool_or(g.is_default)`.as('is_default'),
      sql<boolean>`bool_or(exists (
        select from payout_rule r where r.goal_id = g.id and (r.payout_percent <> 0 or r.revenue_percent <> 0)))`.as('sharing'),
    ])
    .where('o.advertiser_id', '=', advertiserId)
    .where('o.status', '<>', 'archived')
    .where('g.retired', '=', false)
    .groupBy('g.code')
    .orderBy('is_default', 'desc')
    .orderBy('offers', 'desc')
    .orderBy('g.code')
    .limit(50)
    .execute()
}

/** Goals of an advertiser's offers that have a price of their own, whatever a sale was, with it; at most 20. */
export function listFixedPrices(db: DbOrTrx, advertiserId: number) {
  return db
    .selectFrom('goal as g')
    .innerJoin('offer as o', 'o.id', 'g.offer_id')
    .innerJoin('payout_rule as r', 'r.goal_id', 'g.id')
    .select(['o.title as offer', 'g.code as goal', 'o.currency'])
    .select([sql<string>`r.payout_fixed::text`.as('payout'), sql<string>`r.revenue_fixed::text`.as('revenue')])
    .distinct()
    .where('o.advertiser_id', '=', advertiserId)
    .where('o.status', '<>', 'archived')
    .where('g.retired', '=', false)
    .where('r.payout_percent', '=', '0')
    .where('r.revenue_percent', '=', '0')
    .orderBy('g.code')
    .orderBy('o.title')
    .limit(20)
    .execute()
}

/** The newest calls of an advertiser since a moment, at most 5. */
export function listCallsSince(db: DbOrTrx, advertiserId: number, since: Date) {
  return db
    .selectFrom('postback_in as p')
    .leftJoin('conversion as c', 'c.id', 'p.conversion_id')
    .select(['p.id', 'p.received_at', 'p.method', 'p.path', 'p.query', 'p.body', 'p.outcome', 'p.reason', 'c.uuid as conversion_uuid'])
    .select([
      sql<string>`coalesce(p.answer -> 'body' ->> 'parameter', '')`.as('parameter'),
      sql<string>`coalesce(p.answer -> 'body' ->> 'detail', '')`.as('detail'),
    ])
    .where('p.advertiser_id', '=', advertiserId)
    .where('p.received_at', '>=', since)
    .orderBy('p.received_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(5)
    .execute()
}
