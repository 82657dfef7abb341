import { markMethods } from '#server/features/money/payment/mark.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { listMoved } from './accrue.queries.ts'
import { accrueReferral } from './accrue.service.ts'
import { holdSuspicious } from './suspicion.queries.ts'

const BATCH = 500

/**
 * Keeps back what looks as if somebody had brought themselves, then books what all others have earned, each referral in a transaction of its
 * own: killed half-way, the next run goes on. Answers how many bookings were made.
 */
export async function accrueReferrals(db: Db, now: number, secretKey: string | null): Promise<number> {
  await markMethods(db, secretKey)
  await holdSuspicious(db, new Date(now))
  const { time_zone: zone } = await getGeneralSettings(db)
  let booked = 0
  let after = 0
  for (;;) {
    const ids = await listMoved(db, zone, after, BATCH)
    for (const id of ids) booked += await db.transaction().execute((trx) => accrueReferral(trx, id, { now, zone, actorId: null }))
    after = ids.at(-1) ?? after
    if (ids.length < BATCH) return booked
  }
}
