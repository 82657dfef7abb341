import { sql, type Updateable } from 'kysely'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { specOf } from '#server/features/leads/integration/kept-secret.queries.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'

/** A send of an advertiser in scope by uuid or number, with how its product is called. */
export function findSendInScope(db: DbOrTrx, scope: Scope, key: string) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('product as p', 'p.id', 'n.product_id')
    .innerJoin('integration_version as v', 'v.id', 'n.version_id')
    .innerJoin('advertiser as d', 'd.id', 'n.advertiser_id')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .select(['n.id', 'n.uuid', 'n.session_id', 'n.product_id', 'n.advertiser_id', 'n.member_id', 'n.status', 'n.external_id'])
    .select(['n.asked_at', 'n.call', 'n.redirect', 's.sealed', 'p.integration_id', 'n.version_id'])
    .select(specOf('v').as('spec'))
    .where(keyIs(key, { uuid: 'n.uuid', id: 'n.id' }))
    .where(inScope(scope, { advertiserManager: 'd.manager_id' }))
    .executeTakeFirst()
}
export type FoundSend = NonNullable<Awaited<ReturnType<typeof findSendInScope>>>

/** What a send was written from: its lead, and the product as it is today. */
export function getCalled(db: DbOrTrx, id: string) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('product as p', 'p.id', 'n.product_id')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .select(['n.uuid as send_uuid', 'n.attempt', 'p.host', 'p.credentials'])
    .select(['s.uuid', 's.click_id', 's.affiliate_id', 's.offer_id', 's.told', 's.received_at', 's.traffic_type', 's.consent', 's.country'])
    .where('n.id', '=', id)
    .executeTakeFirstOrThrow()
}

/** How a send stands; whoever asks has locked its session. */
export function getStanding(trx: Trx, id: string) {
  return trx.selectFrom('lead_send').select(['status', 'answered_at', 'places']).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Writes what a person says of a send nobody knew the answer of. */
export async function decideSend(trx: Trx, id: string, values: Updateable<Tables['lead_send']>): Promise<void> {
  await trx.updateTable('lead_send').set(values).where('id', '=', id).where('status', '=', 'ambiguous').execute()
}

/** Sends of advertisers in scope that nobody knows the answer of, the longest waiting first. */
export function sendsWaiting(db: DbOrTrx, scope: Scope) {
  const found = db
    .selectFrom('lead_send as n')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .innerJoin('offer as o', 'o.id', 's.offer_id')
    .innerJoin('product as p', 'p.id', 'n.product_id')
    .innerJoin('advertiser as v', 'v.id', 'n.advertiser_id')
    .where('n.status', '=', 'ambiguous')
    // a test keeps nobody waiting
    .where('s.test', '=', false)
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
  const list = found
    .select(['s.uuid as id', 'n.asked_at as at', 'p.title as text', 's.country as geo'])
    .select(sql<{ uuid: string; id: number; name: string }>`json_build_object('uuid', o.uuid, 'id', o.id, 'name', o.title)`.as('offer'))
    .select(sql<{ uuid: string; id: number; name: string }>`json_build_object('uuid', v.uuid, 'id', v.id, 'name', v.name)`.as('advertiser'))
    .select(sql<string>`s.id::text`.as('reason'))
    .orderBy('n.asked_at')
    .orderBy('n.id')
  return { found, list }
}
