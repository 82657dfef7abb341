import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { setChangesReason } from '../auth/session.queries.ts'

/**
 * Lets who acts as an affiliate change something, for a reason, or look only (null). Both stand in the log of the affiliate; the
 * permission is the session's and ends with it. Throws `status_not_allowed` for whoever acts as nobody.
 */
export async function changeWhatActingMay(db: Db, now: number, actor: Actor, reason: string | null): Promise<void> {
  if (actor.acting === null) throw new AppError('status_not_allowed')
  await db.transaction().execute(async (trx) => {
    // an acting session that has ended meanwhile allows nothing
    if (!(await setChangesReason(trx, actor.sessionId, reason))) throw new AppError('unauthorized')
    const change = reason === null ? { action: 'only_look' } : { action: 'allow_changes', after: { reason } }
    await recordAudit(trx, actor, now, { entity: 'affiliate', entityId: affiliateOf(actor), ...change })
  })
}
