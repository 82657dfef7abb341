import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { isTold } from '#server/features/offers/offer/goal.queries.ts'

/** The accounts of affiliates that hold what they have: one row per affiliate, currency and kind in which there ever was any. */
export function listAffiliateAccounts(db: DbOrTrx, affiliateIds: readonly number[]) {
  return db
    .selectFrom('ledger_account')
    .select(['owner_id', 'currency', 'kind', 'balance'])
    .where('kind', 'in', ['affiliate_available', 'affiliate_correction', 'affiliate_bonus', 'affiliate_referral', 'affiliate_hold'])
    .where('owner_id', 'in', [...affiliateIds])
    .orderBy('currency')
    .execute()
}
export type AffiliateAccountRow = Awaited<ReturnType<typeof listAffiliateAccounts>>[number]

/**
 * Payouts of an affiliate that wait, by currency: those on hold by the day of `zone` on which they are free, today for what is due
 * already; those that are pending under no day. The first day first.
 */
export function listWaitingPayouts(db: DbOrTrx, now: number, affiliateId: number, zone: string) {
  const day = sql<string | null>`case when c.status = 'hold'
    then to_char(greatest(c.hold_until, ${new Date(now)}::timestamptz) at time zone ${zone}, 'YYYY-MM-DD') end`
  return db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select(['c.currency', day.as('day'), sql<string>`sum(c.payout)::text`.as('amount'), sql<number>`count(*)::int`.as('conversions')])
    .where('c.affiliate_id', '=', affiliateId)
    .where('c.status', 'in', ['pending', 'hold'])
    .where('c.test', '=', false)
    .where(isTold({ kind: 'affiliate' }))
    .groupBy(['c.currency', sql`2`])
    .orderBy('c.currency')
    .orderBy(sql`2`)
    .execute()
}
