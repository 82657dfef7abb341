import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { clearClickAddresses, deleteClickMonths } from '../click/privacy.queries.ts'
import { clearConversionAddresses } from './conversion-row.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'

const DAY = 86_400_000

/**
 * Forgets visitors as the general settings say: addresses and User-Agents of clicks and conversions after some days, single
 * clicks after some months (whole months: a click goes with the last one of its month). Roll-ups, facts and money stay.
 * May end at any point and run again.
 */
export async function forgetVisitors(db: Db, clickhouse: Clickhouse, now: number): Promise<void> {
  const { address_days, click_months } = await getGeneralSettings(db)
  const conversions = await clearConversionAddresses(db, now - address_days * DAY)
  const deleted = await deleteClickMonths(clickhouse, monthBefore(now, click_months))
  const cleared = await clearClickAddresses(clickhouse, now - address_days * DAY)
  if (conversions > 0 || deleted.length > 0 || cleared.length > 0)
    log.info({ conversions, cleared, deleted }, 'addresses and old clicks were cleared')
}

/** The month (yyyymm, UTC) that was `months` ago. */
function monthBefore(now: number, months: number): number {
  const date = new Date(now)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() - months
  return Math.floor(month / 12) * 100 + (month % 12) + 1
}
