import type { Db } from '#server/platform/pg/database.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { isStored, type TrialMonth } from './trial.queries.ts'

/** A month of a zone as its trial balance is read: as it was stored, where it was by the clock of this zone. */
export async function trialMonth(db: Db, month: string, zone: string): Promise<TrialMonth> {
  const { starts, ends } = periodOf('month', Date.parse(`${month}-15T12:00:00Z`), zone)
  return { from: new Date(starts), to: new Date(ends), stored: (await isStored(db, month, zone)) ? month : null }
}
