import { shownGoal } from '#server/features/offers/offer/goal.queries.ts'
import type { Trx } from '#server/platform/pg/database.ts'

/** The postbacks of some affiliates that are to hear of changes; what a suspended one misses is held for it. */
export function listeningPostbacks(trx: Trx, affiliateIds: readonly number[]) {
  return trx
    .selectFrom('affiliate_postback')
    .select(['id', 'affiliate_id', 'offer_id', 'goal_code', 'statuses', 'method', 'url', 'status'])
    .where('affiliate_id', 'in', [...affiliateIds])
    .where('status', 'in', ['active', 'suspended'])
    .execute()
}

/** Names of goals and their offers as affiliates read them, by goal. */
export async function goalNames(
  trx: Trx,
  goalIds: readonly number[],
): Promise<Map<number, { offer: string; goal: string; goalCode: string }>> {
  const rows = await trx
    .selectFrom('goal as g')
    .innerJoin('offer as o', 'o.id', 'g.offer_id')
    .select(['g.id', shownGoal('code').as('code'), shownGoal('title').as('title'), 'o.title as offer'])
    .where('g.id', 'in', [...new Set(goalIds)])
    .execute()
  return new Map(rows.map((row) => [row.id, { offer: row.offer, goal: row.title, goalCode: row.code }]))
}
