import { sql, type Insertable } from 'kysely'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'

export async function insertSession(db: DbOrTrx, values: Insertable<Tables['session']>): Promise<void> {
  await db.insertInto('session').values(values).execute()
}

/** The live session of a token with its account, what belongs to it, and who acts behind it. */
export function findSession(db: DbOrTrx, tokenHash: Buffer, now: number) {
  return db
    .selectFrom('session as s')
    .innerJoin('account as a', 'a.id', 's.account_id')
    .leftJoin('affiliate as f', 'f.account_id', 'a.id')
    .leftJoin('manager as m', 'm.account_id', 'a.id')
    .leftJoin('account as behind', 'behind.id', 's.acting_account_id')
    .leftJoin('manager as behind_m', 'behind_m.account_id', 'behind.id')
    .select([
      's.id as session_id',
      's.last_seen_at',
      's.expires_at',
      's.acting_account_id',
      'a.id',
      'a.uuid',
      'a.role',
      'a.email',
      'a.name',
      'a.time_zone',
      'a.language',
      'f.id as affiliate_id',
      'f.status as affiliate_status',
      'm.id as manager_id',
      'm.status as manager_status',
      'behind.name as behind_name',
      'behind_m.status as behind_status',
    ])
    .select(sql<number[] | null>`array(select t.id from manager t where t.team_lead_id = m.id)`.as('team'))
    .where('s.token_hash', '=', tokenHash)
    .where('s.expires_at', '>', new Date(now))
    .executeTakeFirst()
}

export async function touchSession(db: DbOrTrx, id: number, seen: { last_seen_at: Date; expires_at?: Date }): Promise<void> {
  await db.updateTable('session').set(seen).where('id', '=', id).execute()
}

/** The live sessions of an account, newest first. */
export function listSessions(db: DbOrTrx, accountId: number, now: number) {
  return db
    .selectFrom('session')
    .select(['id', 'uuid', 'device', 'address', 'created_at', 'last_seen_at'])
    .where('account_id', '=', accountId)
    .where('acting_account_id', 'is', null)
    .where('expires_at', '>', new Date(now))
    .orderBy('last_seen_at', 'desc')
    .limit(100)
    .execute()
}

/** Removes sessions: the one of a token, one by uuid, or all but one; answers how many. */
export async function deleteSessions(
  db: DbOrTrx,
  which: { tokenHash: Buffer } | { accountId: number; uuid: string } | { accountId: number; except: number },
): Promise<number> {
  const query = db.deleteFrom('session')
  const result =
    'tokenHash' in which
      ? await query.where('token_hash', '=', which.tokenHash).executeTakeFirst()
      : 'uuid' in which
        ? await query.where('account_id', '=', which.accountId).where('uuid', '=', which.uuid).executeTakeFirst()
        : await query.where('account_id', '=', which.accountId).where('id', '!=', which.except).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Removes what ended earlier; answers how many. */
export async function deleteSessionsBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number((await db.deleteFrom('session').where('expires_at', '<', time).executeTakeFirst()).numDeletedRows)
}
