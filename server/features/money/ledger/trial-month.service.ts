import type { Db } from '#server/platform/pg/database.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { listMonths, type TrialMonth } from './trial.queries.ts'

/** A month of a zone as its trial balance is read: as it was stored, where it was by the clock of this zone, and else from what is stored on. */
export async function trialMonth(db: Db, now: number, month: string, zone: string): Promise<TrialMonth> {
  const { starts, ends } = periodOf('month', Date.parse(`${month}-15T12:00:00Z`), zone)
  const months = await listMonths(db)
  const last = months.at(-1)
  const isRunning = starts <= now && now < ends && months.every((one) => one.time_zone === zone)
  const before = Temporal.PlainYearMonth.from(month).subtract({ months: 1 }).toString()
  return {
    from: new Date(starts),
    to: new Date(ends),
    stored: months.some((one) => one.month === month && one.time_zone === zone) ? month : null,
    after: isRunning && last?.month === before ? before : null,
  }
}
