import { sql } from 'kysely'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { recordsOf } from '#server/platform/pg/bulk.ts'
import { reference } from '#server/platform/pg/reference.ts'

/** Locks those of some sessions that are held and of affiliates in scope: nobody else decides about them meanwhile. */
export function lockHeld(trx: Trx, scope: Scope, keys: readonly string[]) {
  const ids = keys.filter((key) => /^\d+$/.test(key))
  const uuids = keys.filter((key) => !/^\d+$/.test(key))
  return trx
    .selectFrom('user_session as s')
    .innerJoin('affiliate as f', 'f.id', 's.affiliate_id')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select(['s.id', 's.status', 's.reason', 'p.suppressed_at'])
    .where('s.status', '=', 'held')
    .where(sql<boolean>`(s.uuid = any(${uuids}::uuid[]) or s.id = any(${ids}::bigint[]))`)
    .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
    .orderBy('s.id')
    .forUpdate('s')
    .execute()
}

type Decided = { id: string; status: 'received' | 'rejected'; reason: string }

/** Gives sessions what was decided: those that go on are due at once. */
export async function decideSessions(trx: Trx, decided: readonly Decided[], at: Date): Promise<void> {
  await sql`
    update user_session s set status = d.status, reason = d.reason, changed_at = ${at},
           next_try_at = case when d.status = 'received' then ${at}::timestamptz end,
           decided_at = case when d.status = 'rejected' then ${at}::timestamptz end
      from ${recordsOf('user_session', decided)} d where s.id = d.id`.execute(trx)
}

/** What was said of a session that was held; null = nobody has said anything. */
export async function findReview(db: DbOrTrx, sessionId: string) {
  const found = await db
    .selectFrom('lead_review as r')
    .leftJoin('account as a', 'a.id', 'r.by_id')
    .select(['r.at', 'r.approved', 'r.note', 'a.name as by'])
    .where('r.session_id', '=', sessionId)
    .executeTakeFirst()
  return found === undefined ? null : { ...found, at: found.at.toISOString() }
}

/** Sessions that wait for somebody, the longest waiting first. */
export function leadsHeld(db: DbOrTrx, scope: Scope) {
  const found = db
    .selectFrom('user_session as s')
    .innerJoin('offer as o', 'o.id', 's.offer_id')
    .innerJoin('affiliate as f', 'f.id', 's.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .where('s.status', '=', 'held')
    .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
  const list = found
    .select(['s.uuid as id', 's.received_at as at', 's.country as geo', 's.reason'])
    .select([
      reference({ uuid: 'o.uuid', id: 'o.id', name: 'o.title' }).as('offer'),
      reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).as('affiliate'),
      sql<string>`s.id::text`.as('text'),
    ])
    .orderBy('s.received_at')
    .orderBy('s.id')
  return { found, list }
}
