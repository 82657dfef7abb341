import { CALLS_A_MINUTE } from '#contract/people/api-key.ts'
import { KEY_SCOPES } from '#contract/people/key-scope.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import { isListed } from '#server/platform/network.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import { personOf, standing } from '../auth/session.service.ts'
import { findKey, touchKey } from './api-key.queries.ts'

const PREFIX = 'ohma_'
const MINUTE = 60_000

/** A key nobody can guess; what it begins with lets scanners of code find those that were published by mistake. */
export function newKey(): string {
  return `${PREFIX}${newToken()}`
}

/** Whether a token is a key: no session's is as long. */
export function isKey(token: string): boolean {
  return token.startsWith(PREFIX) && token.length === newKeyLength
}

const newKeyLength = newKey().length

/** How many calls of a kind a key may make in its minute, how many are left of it, and in how many seconds the next begins. */
export type CallsLeft = { limit: number; remaining: number; reset: number }

/** Counts the calls of each key in this process. */
export type KeyLimit = (keyId: number, now: number) => CallsLeft & { over: boolean }

/** At most `most` calls of a key within each minute that begins with its first one. */
export function openKeyLimit(most = CALLS_A_MINUTE): KeyLimit {
  const spans = new Map<number, { since: number; calls: number }>()
  return (keyId, now) => {
    const span = spans.get(keyId)
    const running = span === undefined || now - span.since >= MINUTE ? { since: now, calls: 0 } : span
    running.calls += 1
    spans.set(keyId, running)
    const reset = Math.max(1, Math.ceil((running.since + MINUTE - now) / 1000))
    return { limit: most, remaining: Math.max(0, most - running.calls), reset, over: running.calls > most }
  }
}

/**
 * Who a key calls for: its owner as they stand now, with the key's scopes. Undefined once the key has ended or its owner is not
 * active. `tell` hears how many calls the key has left, also where it has none: then it throws `too_many_calls`.
 */
export async function findKeyActor(
  db: DbOrTrx,
  limit: KeyLimit,
  token: string,
  now: number,
  address: string,
  tell: (left: CallsLeft) => void = () => {},
): Promise<Actor | undefined> {
  const row = await findKey(db, hashToken(token), new Date(now))
  if (row === undefined || (row.affiliate_status !== 'active' && row.manager_status !== 'active')) return undefined
  const left = limit(row.key_id, now)
  tell(left)
  if (left.over) throw new AppError('too_many_calls', { retryAfter: left.reset })
  const { needsSecondFactor, outside } = standing(row, address)
  const elsewhere = row.key_ips.length > 0 && !isListed(address, row.key_ips)
  const before = new Date(now - MINUTE)
  if (!outside && !elsewhere && (row.last_used_at === null || row.last_used_at < before))
    await touchKey(db, row.key_id, { last_used_at: new Date(now), last_address: address }, before)
  return {
    ...personOf(row),
    sessionId: 0,
    token,
    acting: null,
    // what an earlier version knew and this one does not gives nothing
    key: { id: row.key_id, scopes: KEY_SCOPES.filter((scope) => row.scopes.includes(scope)), offerIds: row.offer_ids },
    needsSecondFactor,
    outside: outside || elsewhere,
    address,
  }
}
