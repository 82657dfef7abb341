import { createHash } from 'node:crypto'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { lastMonthOver, periodOf } from '#server/rules/zone-day.ts'
import { firstMonth, insertMonth, insertStored, lastStored, readTrial } from './trial.queries.ts'

/**
 * Stores the trial balance of a month that was over on the second of the one after it, the oldest first, one at a time; answers whether
 * more are due. Each is stored once and names the hash of the one before: a worker that dies leaves it for the next.
 */
export async function storeTrials(db: Db, now: number): Promise<boolean> {
  const { time_zone: zone } = await getGeneralSettings(db)
  return db.transaction().execute(async (trx) => {
    await lockName(trx, 'trial balances')
    const before = await lastStored(trx)
    const month = before === undefined ? await firstMonth(trx, zone) : next(before.month)
    if (month === null || month > lastMonthOver(now, zone)) return false
    const { starts, ends } = periodOf('month', Date.parse(`${month}-15T12:00:00Z`), zone)
    const made_at = new Date(now)
    // by another clock the month before ended at another moment
    const after = before?.time_zone === zone ? before.month : null
    const rows = await readTrial(trx, [new Date(starts), new Date(ends)], after)
    const accounts = rows.map(({ account_id: _id, ...account }) => account)
    const stored = { version: 1, month, time_zone: zone, made_at: made_at.toISOString(), previous: before?.sha256 ?? null, accounts }
    const content = JSON.stringify(stored)
    await insertStored(trx, { month, time_zone: zone, content, sha256: createHash('sha256').update(content).digest('hex'), made_at })
    await insertMonth(
      trx,
      rows.map(({ account_id, opening, debits, credits }) => ({ month, account_id, opening, debits, credits })),
    )
    return true
  })
}

function next(month: string): string {
  return Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString()
}
