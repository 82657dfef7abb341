import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { periodEnd } from '#server/rules/payout-period.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { firstDue } from './terms.queries.ts'
import { termsOf } from './terms.service.ts'

/** When an affiliate is paid next: the first day an invoice that is open is due, else when that of the present period will be; null = on request. */
export async function nextPaymentDay(db: DbOrTrx, now: number, affiliateId: number): Promise<string | null> {
  const [due, { schedule, net }, { time_zone }] = await Promise.all([
    firstDue(db, affiliateId),
    termsOf(db, affiliateId),
    getGeneralSettings(db),
  ])
  if (due !== undefined) return due
  if (schedule === 'on_request') return null
  const end = periodEnd(schedule, dayIn(now, time_zone))
  return Temporal.PlainDate.from(end)
    .add({ days: Number(net) })
    .toString()
}
