import type { Actor } from '#server/access/actor.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { revokeKeysOf } from './api-key.queries.ts'

/** Of an account one key is made or all are ended at a time: none comes in between. */
export function lockKeys(trx: Trx, accountId: number): Promise<void> {
  return lockName(trx, `api keys of ${accountId}`)
}

/** Ends every key of an account: whoever got in before must not stay in by one they made. Answers how many there were. */
export async function endKeys(trx: Trx, now: number, actor: Actor | null, accountId: number): Promise<number> {
  await lockKeys(trx, accountId)
  const ended = await revokeKeysOf(trx, accountId, actor?.accountId ?? null, new Date(now))
  await recordAudit(
    trx,
    actor,
    now,
    ended.map((id) => ({ action: 'revoke', entity: 'api_key', entityId: id })),
  )
  return ended.length
}
