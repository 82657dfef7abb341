import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** What of a distribution limits the cascade of each of its leads. */
export function getLimits(trx: Trx, id: number) {
  return trx.selectFrom('recold').select(['product_ids', 'skip', 'pacing']).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Whose products the offer of a distribution asks. */
export async function advertisersOf(trx: Trx, recoldId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('offer_member as m')
    .innerJoin('offer_group as g', 'g.id', 'm.group_id')
    .innerJoin('recold as r', 'r.offer_id', 'g.offer_id')
    .innerJoin('product as p', 'p.id', 'm.product_id')
    .select('p.advertiser_id')
    .distinct()
    .where('r.id', '=', recoldId)
    .execute()
  return rows.map(({ advertiser_id }) => advertiser_id)
}

/** Advertisers by their names, small letters, and uuids: as consents name them. */
export async function findNamed(db: DbOrTrx, ids: readonly number[]): Promise<{ id: number; uuid: string; name: string }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('advertiser')
    .select(['id', 'uuid', 'name'])
    .where('id', 'in', [...ids])
    .execute()
}
