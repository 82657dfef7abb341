import { can, type Role } from '#contract/access.ts'
import { securitySetting } from '#contract/people/security.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { preparedOn, type Db, type DbOrTrx } from '#server/platform/pg/database.ts'
import { isListed } from '#server/platform/network.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import { deleteSessions, findSession, insertSession, touchSession } from './session.queries.ts'

/** Sessions slide: 30 days from the last use; acting as an affiliate ends after 2 hours whatever happens. */
const SESSION_LIFE = 30 * 86_400_000
const ACTING_LIFE = 2 * 3_600_000
/** How stale `last_seen_at` may get before it is written again: one write a minute at most. */
const SEEN_EVERY = 60_000

/** Opens a session and answers its token; only the hash is stored. `actingFrom` = the session of the member of staff who acts by it. */
export async function openSession(
  db: DbOrTrx,
  now: number,
  session: { accountId: number; device: string; address: string; actingFrom?: number },
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken()
  const expiresAt = new Date(now + (session.actingFrom === undefined ? SESSION_LIFE : ACTING_LIFE))
  await insertSession(db, {
    account_id: session.accountId,
    token_hash: hashToken(token),
    acting_from_id: session.actingFrom ?? null,
    device: session.device.slice(0, 300),
    address: session.address,
    created_at: new Date(now),
    last_seen_at: new Date(now),
    expires_at: expiresAt,
  })
  return { token, expiresAt }
}

/**
 * Who a token belongs to: account, role, and the rows they may see. Undefined when the session has ended, the person is no
 * longer active, or who acts by it may no longer do so.
 */
export async function findActor(db: Db, token: string, now: number, address: string): Promise<Actor | undefined> {
  const row = await findSession(preparedOn(db), hashToken(token), now)
  if (row === undefined) return undefined
  const acting = row.acting_from_id !== null
  if (acting ? !mayAct(row) : row.affiliate_status !== 'active' && row.manager_status !== 'active') return undefined
  const slide = acting ? {} : { expires_at: new Date(now + SESSION_LIFE) }
  if (now - row.last_seen_at.getTime() > SEEN_EVERY) await touchSession(db, row.session_id, { last_seen_at: new Date(now), ...slide })
  return {
    ...personOf(row),
    sessionId: row.session_id,
    token,
    acting:
      row.behind_id === null
        ? null
        : { accountId: row.behind_id, name: row.behind_name ?? '', expiresAt: row.expires_at, mayChange: row.changes_reason !== null },
    key: null,
    ...standing({ ...row, role: row.behind_role ?? row.role }, address),
    address,
  }
}

/** Whom a session or a key belongs to, and the rows they may see. */
export function personOf(row: {
  id: number
  uuid: string
  role: Role
  email: string
  name: string
  affiliate_id: number | null
  manager_id: number | null
  team: number[] | null
  time_zone: string
  language: Actor['language']
}) {
  return {
    accountId: row.id,
    uuid: row.uuid,
    role: row.role,
    email: row.email,
    name: row.name,
    affiliateId: row.affiliate_id,
    managerId: row.manager_id,
    scope: scopeOf(row.role, row.affiliate_id, row.manager_id, row.team ?? []),
    timeZone: row.time_zone,
    language: row.language,
  }
}

type Standing = Pick<Actor, 'needsSecondFactor' | 'outside'>

/** What the network asks of who is at the screen, or whose key it is, and whether they meet it. */
export function standing(
  person: { role: Role; security: unknown; second_factor_since: Date | null; allowed_ips: readonly string[] },
  address: string,
): Standing {
  const { second_factor = [], allowed_ips } = securitySetting.stored.parse(person.security ?? {})
  return {
    needsSecondFactor: person.second_factor_since === null && second_factor.includes(person.role),
    outside: isOutside(address, person, allowed_ips),
  }
}

/** Whether an account is bound to addresses, by a list of its own or else of its role, of which this is none. */
export function isOutside(
  address: string,
  { role, allowed_ips: own }: { role: Role; allowed_ips: readonly string[] },
  ofRoles: Partial<Record<Role, readonly string[]>> = {},
): boolean {
  const list = own.length > 0 ? own : (ofRoles[role] ?? [])
  return list.length > 0 && !isListed(address, list)
}

/** Whether the member of staff behind an acting session may still act as its affiliate, which need not be active: staff see what it sees. */
function mayAct(row: NonNullable<Awaited<ReturnType<typeof findSession>>>): boolean {
  if (row.behind_role === null || row.behind_status !== 'active' || !can(row.behind_role, 'affiliate.act_as')) return false
  const scope = scopeOf(row.behind_role, null, row.behind_manager_id, row.team ?? [])
  return scope.kind === 'all' || (scope.kind === 'managers' && scope.managerIds.includes(row.affiliate_manager_id ?? 0))
}

/** Ends sessions: the one of a token, one by uuid, or all but one; those acting from them end as well. Answers how many were named. */
export async function endSessions(
  db: DbOrTrx,
  which: { token: string } | { accountId: number; uuid: string } | { accountId: number; except: number },
): Promise<number> {
  return deleteSessions(db, 'token' in which ? { tokenHash: hashToken(which.token) } : which)
}

/** Which rows somebody sees. */
export function scopeOf(role: Actor['role'], affiliateId: number | null, managerId: number | null, team: number[]): Scope {
  if (role === 'admin' || role === 'head') return { kind: 'all' }
  if (role === 'affiliate') return { kind: 'affiliate', affiliateId: affiliateId ?? 0 }
  const own = managerId === null ? [] : [managerId]
  return { kind: 'managers', managerIds: role === 'team lead' ? [...own, ...team] : own }
}
