import { sql, type Insertable } from 'kysely'
import { securitySetting } from '#contract/people/security.ts'
import { compileOnce } from '#server/platform/pg/compile-once.ts'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'

export async function insertSession(db: DbOrTrx, values: Insertable<Tables['session']>): Promise<void> {
  await db.insertInto('session').values(values).execute()
}

/**
 * The live session of a token with its account and what belongs to it. Where somebody acts by it: the member of staff whose
 * session it came from, and the manager whom the affiliate has now.
 */
export async function findSession(db: DbOrTrx, tokenHash: Buffer, now: number) {
  const [found] = await sessionsOf(db, { tokenHash, now: new Date(now) })
  return found
}

const sessionsOf = compileOnce((db, { tokenHash, now }: { tokenHash: Buffer; now: Date }) =>
  db
    .selectFrom('session as s')
    .innerJoin('account as a', 'a.id', 's.account_id')
    .leftJoin('affiliate as f', 'f.account_id', 'a.id')
    .leftJoin('manager as m', 'm.account_id', 'a.id')
    .leftJoin('session as from', (join) => join.onRef('from.id', '=', 's.acting_from_id').on('from.expires_at', '>', now))
    .leftJoin('account as behind', 'behind.id', 'from.account_id')
    .leftJoin('manager as behind_m', 'behind_m.account_id', 'behind.id')
    // of the person at the screen
    .leftJoin('second_factor as factor', (join) =>
      join.on('factor.account_id', '=', sql<number>`coalesce(behind.id, a.id)`).on('factor.confirmed_at', 'is not', null),
    )
    .select([
      's.id as session_id',
      's.last_seen_at',
      's.expires_at',
      's.acting_from_id',
      's.changes_reason',
      'a.id',
      'a.uuid',
      'a.role',
      'a.email',
      'a.name',
      'a.time_zone',
      'a.language',
      'f.id as affiliate_id',
      'f.status as affiliate_status',
      'f.manager_id as affiliate_manager_id',
      'm.id as manager_id',
      'm.status as manager_status',
      'behind.id as behind_id',
      'behind.name as behind_name',
      'behind.role as behind_role',
      'behind_m.id as behind_manager_id',
      'behind_m.status as behind_status',
      'factor.confirmed_at as second_factor_since',
    ])
    .select(sql<string[]>`coalesce(behind.allowed_ips, a.allowed_ips)`.as('allowed_ips'))
    .select(sql<unknown>`(select value from setting where key = ${securitySetting.key})`.as('security'))
    .select(sql<number[] | null>`array(select t.id from manager t where t.team_lead_id = coalesce(behind_m.id, m.id))`.as('team'))
    .where('s.token_hash', '=', tokenHash)
    .where('s.expires_at', '>', now),
)

export async function touchSession(db: DbOrTrx, id: number, seen: { last_seen_at: Date; expires_at?: Date }): Promise<void> {
  await db.updateTable('session').set(seen).where('id', '=', id).execute()
}

/** Lets who acts by a session change something, and keeps why; null lets them look only. Answers whether there was such a session. */
export async function setChangesReason(db: DbOrTrx, id: number, changes_reason: string | null): Promise<boolean> {
  const set = await db
    .updateTable('session')
    .set({ changes_reason })
    .where('id', '=', id)
    .where('acting_from_id', 'is not', null)
    .executeTakeFirst()
  return set.numUpdatedRows > 0n
}

/** The live sessions of an account and those it acts by, with the name of whom it acts as, newest first. */
export function listSessions(db: DbOrTrx, accountId: number, now: number) {
  return db
    .selectFrom('session as s')
    .leftJoin('session as from', 'from.id', 's.acting_from_id')
    .leftJoin('account as acted', (join) => join.onRef('acted.id', '=', 's.account_id').on('s.acting_from_id', 'is not', null))
    .select(['s.id', 's.uuid', 's.device', 's.address', 's.created_at', 's.last_seen_at', 'acted.name as acting_as'])
    .where(belongsTo(accountId))
    .where('s.expires_at', '>', new Date(now))
    .orderBy('s.last_seen_at', 'desc')
    .limit(100)
    .execute()
}

/**
 * Removes sessions, and with each those acting from it: the one of a token; one that an account owns or acts by; all of
 * those but one. Answers how many were named.
 */
export async function deleteSessions(
  db: DbOrTrx,
  which: { tokenHash: Buffer } | { accountId: number; uuid: string } | { accountId: number; except: number },
): Promise<number> {
  const query = db.deleteFrom('session as s')
  const result =
    'tokenHash' in which
      ? await query.where('s.token_hash', '=', which.tokenHash).executeTakeFirst()
      : 'uuid' in which
        ? await query.where(belongsTo(which.accountId)).where('s.uuid', '=', which.uuid).executeTakeFirst()
        : await query.where(belongsTo(which.accountId)).where('s.id', '!=', which.except).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Signs accounts out; what is acted by from their sessions ends with those. */
export async function deleteAllSessions(db: DbOrTrx, accountIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('session')
    .where(sql<boolean>`account_id = any(${accountIds}::int[])`)
    .where('acting_from_id', 'is', null)
    .execute()
}

/** Whose a session is: the account’s that signed in, and for an acting one that of the member of staff behind it. */
function belongsTo(accountId: number) {
  return sql<boolean>`case when s.acting_from_id is null then s.account_id = ${accountId}
    else exists (select from session o where o.id = s.acting_from_id and o.account_id = ${accountId}) end`
}

/** Removes what ended earlier; answers how many. */
export async function deleteSessionsBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number((await db.deleteFrom('session').where('expires_at', '<', time).executeTakeFirst()).numDeletedRows)
}
