import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import { deleteSessions, findSession, insertSession, touchSession } from './session.queries.ts'

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
  await insertSession(db, {
    account_id: session.accountId,
    token_hash: hashToken(token),
    acting_account_id: session.actingAccountId ?? null,
    device: session.device.slice(0, 300),
    address: session.address,
    created_at: new Date(now),
    last_seen_at: new Date(now),
    expires_at: expiresAt,
  })
  return { token, expiresAt }
}

/**
 * Who a token belongs to: account, role, and the rows they may see. Undefined when the session has ended or the
 * person, or the one acting for them, is no longer active.
 */
export async function findActor(db: DbOrTrx, token: string, now: number, address: string): Promise<Actor | undefined> {
  const row = await findSession(db, hashToken(token), now)
  if (row === undefined) return undefined
  // staff may act as an affiliate that is not active, to see what it sees
  const active =
    row.acting_account_id === null ? row.affiliate_status === 'active' || row.manager_status === 'active' : row.behind_status === 'active'
  if (!active) return undefined
  const slide = row.acting_account_id === null ? { expires_at: new Date(now + SESSION_LIFE) } : {}
  if (now - row.last_seen_at.getTime() > SEEN_EVERY) await touchSession(db, row.session_id, { last_seen_at: new Date(now), ...slide })
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

/** Ends sessions: the one of a token, one by uuid, or all but one; sessions acting out of them end as well. Answers how many. */
export async function endSessions(
  db: DbOrTrx,
  which: { token: string } | { accountId: number; uuid: string } | { accountId: number; except: number },
): Promise<number> {
  return deleteSessions(db, 'token' in which ? { tokenHash: hashToken(which.token) } : which)
}

function scopeOf(role: Actor['role'], affiliateId: number | null, managerId: number | null, team: number[]): Scope {
  if (role === 'admin' || role === 'head') return { kind: 'all' }
  if (role === 'affiliate') return { kind: 'affiliate', affiliateId: affiliateId ?? 0 }
  const own = managerId === null ? [] : [managerId]
  return { kind: 'managers', managerIds: role === 'team lead' ? [...own, ...team] : own }
}
