import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'

/** A test lead of staff with what was decided about it; undefined = there is none, or it was no test of theirs. */
export function findTest(db: DbOrTrx, key: string) {
  return db
    .selectFrom('user_session as s')
    .innerJoin('offer as o', 'o.id', 's.offer_id')
    .select(['s.id', 's.uuid', 's.received_at', 's.status', 's.reason', 's.trace', 'o.uuid as offer_uuid'])
    .where(keyIs(key, { uuid: 's.uuid', id: 's.id' }))
    .where('s.origin', '=', 'test')
    .executeTakeFirst()
}

/** The calls made for a test lead, in their order, sealed as they are kept. */
export function listTestSends(db: DbOrTrx, sessionId: string) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('product as p', 'p.id', 'n.product_id')
    .innerJoin('advertiser as v', 'v.id', 'n.advertiser_id')
    .select(['n.uuid', 'n.outcome', 'n.reason', 'n.external_id', 'n.redirect', 'n.call'])
    .select(['p.uuid as product_uuid', 'p.id as product_id', 'p.title as product'])
    .select(['v.uuid as advertiser_uuid', 'v.id as advertiser_id', 'v.name as advertiser'])
    .where('n.session_id', '=', sessionId)
    .orderBy('n.id')
    .limit(200)
    .execute()
}
