import type { Db } from '#server/platform/pg/database.ts'
import { recordChanges } from './change.service.ts'

/**
 * Approves conversions whose hold is over, up to `batch` at once, oldest first; answers how many. Several workers may
 * run it at the same time: rows another holds are passed over.
 */
export async function releaseHolds(db: Db, now: number, batch = 500): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom('conversion')
      .selectAll()
      .where('status', '=', 'hold')
      .where('hold_until', '<=', new Date(now))
      .orderBy('hold_until')
      .limit(batch)
      .forUpdate()
      .skipLocked()
      .execute()
    const { recorded } = await recordChanges(
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
