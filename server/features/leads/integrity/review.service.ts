import type { z } from 'zod'
import type { integrityApi } from '#contract/leads/integrity.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import { decideSessions, lockHeld } from './review.queries.ts'

/**
 * Lets held leads go on or refuses them, each once: those somebody was faster with are passed over, and of two at once the second
 * finds nothing. Who asked not to be contacted since is refused whatever is said. Answers how many changed.
 */
export async function reviewLeads(
  db: Db,
  now: number,
  actor: Actor,
  { uuids, approve, note }: z.output<typeof integrityApi.review.body>,
): Promise<number> {
  const at = new Date(now)
  return db.transaction().execute(async (trx) => {
    const held = await lockHeld(trx, actor.scope, uuids)
    if (held.length === 0) return 0
    const decided = held.map(({ id, suppressed_at }) => {
      if (suppressed_at !== null) return { id, status: 'rejected' as const, reason: 'suppressed' }
      return approve ? { id, status: 'received' as const, reason: '' } : { id, status: 'rejected' as const, reason: 'reviewed' }
    })
    await decideSessions(trx, decided, at)
    await insertRows(
      trx,
      'lead_review',
      decided.map(({ id, status }) => ({ session_id: id, at, by_id: actor.accountId, approved: status === 'received', note })),
    )
    await recordAudit(
      trx,
      actor,
      now,
      decided.map(({ id, status }) => ({
        action: 'review',
        entity: 'user_session' as const,
        entityId: id,
        before: { status: 'held', note: '' },
        after: { status, note },
      })),
    )
    return decided.length
  })
}
