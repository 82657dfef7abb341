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

/** Counts the calls of each key in this process. Throws `too_many_calls`, with how long to wait. */
export type KeyLimit = (keyId: number, now: number) => void

/** At most `most` calls of a key within each minute that begins with its first one. */
export function openKeyLimit(most = CALLS_A_MINUTE): KeyLimit {
  const spans = new Map<number, { since: number; calls: number }>()
  return (keyId, now) => {
    const span = spans.get(keyId)
    if (span === undefined || now - span.since >= MINUTE) return void spans.set(keyId, { since: now, calls: 1 })
    span.calls += 1
    if (span.calls > most) throw new AppError('too_many_calls', { retryAfter: Math.max(1, Math.ceil((span.since + MINUTE - now) / 1000)) })
  }
}

/**
 * Who a key calls for: its owner as they stand now, with the key's scopes. Undefined once the key has ended or its owner is not
 * active. Throws `too_many_calls`.
 */
export async function findKeyActor(db: DbOrTrx, limit: KeyLimit, token: string, now: number, address: string): Promise<Actor | undefined> {
  const row = await findKey(db, hashToken(token), new Date(now))
  if (row === undefined || (row.affiliate_status !== 'active' && row.manager_status !== 'active')) return undefined
  limit(row.key_id, now)
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
    key: { id: row.key_id, scopes: KEY_SCOPES.filter((scope) => row.scopes.includes(scope)) },
    needsSecondFactor,
    outside: outside || elsewhere,
    address,
  }
}
