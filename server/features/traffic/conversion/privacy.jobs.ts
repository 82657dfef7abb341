import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { clearClickAddresses, deleteClickMonths } from '../click/privacy.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { forgetVisitorsOf } from './forget-visitors.service.ts'
import { lockKnownVisitors } from './privacy.queries.ts'

const DAY = 86_400_000
const BATCH = 1_000

/**
 * Forgets visitors as the general settings say: addresses, User-Agents and whatever else may tell who it was of clicks, conversions and
 * the addresses called for these after some days, single clicks after some months (whole months: a click goes with the last one of its month). Roll-ups, facts and money stay.
 * May end at any point and run again.
 */
export async function forgetVisitors(db: Db, clickhouse: Clickhouse, now: number): Promise<void> {
  const { address_days, click_months } = await getGeneralSettings(db)
  const conversions = await forgetConverted(db, new Date(now - address_days * DAY))
  const deleted = await deleteClickMonths(clickhouse, monthBefore(now, click_months))
  const cleared = await clearClickAddresses(clickhouse, now - address_days * DAY)
  if (conversions > 0 || deleted.length > 0 || cleared.length > 0)
    log.info({ conversions, cleared, deleted }, 'addresses and old clicks were cleared')
}

/** Clears conversions made before `before`, and what was called because of them; answers how many. */
async function forgetConverted(db: Db, before: Date): Promise<number> {
  let cleared = 0
  for (;;) {
    const count = await db.transaction().execute(async (trx) => {
      const rows = await lockKnownVisitors(trx, before, BATCH)
      await forgetVisitorsOf(trx, rows)
      return rows.length
    })
    cleared += count
    if (count < BATCH) return cleared
  }
}

/** The month (yyyymm, UTC) that was `months` ago. */
function monthBefore(now: number, months: number): number {
  const date = new Date(now)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() - months
  return Math.floor(month / 12) * 100 + (month % 12) + 1
}
