import { sql } from 'kysely'
import type { Actor } from '#server/access/actor.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import type { Scope } from '#server/access/scope.ts'

/** Sessions slide: 30 days from the last use; acting as an affiliate ends after 2 hours whatever happens. */
const SESSION_LIFE = 30 * 86_400_000
export const ACTING_LIFE = 2 * 3_600_000
/** How stale `last_seen_at` may get before it is written again: one write a minute at most. */
const SEEN_EVERY = 60_000

/** Opens a session and answers its token; only the hash is stored. `acting` = the member of staff behind it. */
export async function openSession(
  db: DbOrTrx,
  now: number,
  session: { accountId: number; device: string; address: string; actingAccountId?: number },
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken()
  const expiresAt = new Date(now + (session.actingAccountId === undefined ? SESSION_LIFE : ACTING_LIFE))
  await db
    .insertInto('session')
    .values({
      account_id: session.accountId,
      token_hash: hashToken(token),
      acting_account_id: session.actingAccountId ?? null,
      device: session.device.slice(0, 300),
      address: session.address,
      created_at: new Date(now),
      last_seen_at: new Date(now),
      expires_at: expiresAt,
    })
    .execute()
  return { token, expiresAt }
}

/**
 * Who a token belongs to: account, role, and the rows they may see. Undefined when the session has ended or the
 * person, or the one acting for them, is no longer active.
 */
export async function findActor(db: DbOrTrx, token: string, now: number, address: string): Promise<Actor | undefined> {
  const row = await db
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
    .where('s.token_hash', '=', hashToken(token))
    .where('s.expires_at', '>', new Date(now))
    .executeTakeFirst()
  if (row === undefined) return undefined
  // staff may act as an affiliate that is not active, to see what it sees
  const active =
    row.acting_account_id === null ? row.affiliate_status === 'active' || row.manager_status === 'active' : row.behind_status === 'active'
  if (!active) return undefined
  if (now - row.last_seen_at.getTime() > SEEN_EVERY) await touchSession(db, row.session_id, now, row.acting_account_id !== null)
  return {
    accountId: row.id,
    uuid: row.uuid,
    role: row.role,
    email: row.email,
    name: row.name,
    sessionId: row.session_id,
    token,
    affiliateId: row.affiliate_id,
    managerId: row.manager_id,
    scope: scopeOf(row.role, row.affiliate_id, row.manager_id, row.team ?? []),
    timeZone: row.time_zone,
    language: row.language,
    acting:
      row.acting_account_id === null ? null : { accountId: row.acting_account_id, name: row.behind_name ?? '', expiresAt: row.expires_at },
    address,
  }
}

function scopeOf(role: Actor['role'], affiliateId: number | null, managerId: number | null, team: number[]): Scope {
  if (role === 'admin' || role === 'head') return { kind: 'all' }
  if (role === 'affiliate') return { kind: 'affiliate', affiliateId: affiliateId ?? 0 }
  const own = managerId === null ? [] : [managerId]
  return { kind: 'managers', managerIds: role === 'team lead' ? [...own, ...team] : own }
}

async function touchSession(db: DbOrTrx, sessionId: number, now: number, acting: boolean): Promise<void> {
  const slide = acting ? {} : { expires_at: new Date(now + SESSION_LIFE) }
  await db
    .updateTable('session')
    .set({ last_seen_at: new Date(now), ...slide })
    .where('id', '=', sessionId)
    .execute()
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

/** Ends sessions: the one of a token, one by uuid, or all but one; sessions acting out of them end as well. */
export async function endSessions(
  db: DbOrTrx,
  which: { token: string } | { accountId: number; uuid: string } | { accountId: number; except: number },
): Promise<number> {
  const query = db.deleteFrom('session')
  const result =
    'token' in which
      ? await query.where('token_hash', '=', hashToken(which.token)).executeTakeFirst()
      : 'uuid' in which
        ? await query.where('account_id', '=', which.accountId).where('uuid', '=', which.uuid).executeTakeFirst()
        : await query.where('account_id', '=', which.accountId).where('id', '!=', which.except).executeTakeFirst()
  return Number(result.numDeletedRows)
}
