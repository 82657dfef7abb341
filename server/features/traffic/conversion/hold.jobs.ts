import type { Db } from '#server/platform/pg/database.ts'
import { recordChanges } from './change.service.ts'
import { lockDueHolds } from './conversion-row.queries.ts'

/**
 * Approves conversions whose hold is over, up to `batch` at once, oldest first; answers how many. Several workers may
 * run it at the same time: rows another holds are passed over.
 */
export async function releaseHolds(db: Db, now: number, batch = 500): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const due = await lockDueHolds(trx, now, batch)
    const recorded = await recordChanges(
      trx,
      due.map((before) => ({
        before,
        after: { ...before, status: 'approved', hold_until: null, updated_at: new Date(now) },
        origin: 'rule',
        actorId: null,
      })),
      now,
    )
    return recorded.length
  })
}
