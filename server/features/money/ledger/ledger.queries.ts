import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** The accounts of affiliates that hold what they have: one row per affiliate, currency and kind in which there ever was any. */
export function listAffiliateAccounts(db: DbOrTrx, affiliateIds: readonly number[]) {
  return db
    .selectFrom('ledger_account')
    .select(['owner_id', 'currency', 'kind', 'balance'])
    .where('kind', 'in', ['affiliate_available', 'affiliate_correction', 'affiliate_hold'])
    .where('owner_id', 'in', [...affiliateIds])
    .orderBy('currency')
    .execute()
}
export type AffiliateAccountRow = Awaited<ReturnType<typeof listAffiliateAccounts>>[number]
