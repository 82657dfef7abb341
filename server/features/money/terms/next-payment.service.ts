import { amountText } from '#contract/money/amount.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { periodEnd } from '#server/rules/payout-period.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { listDue } from './terms.queries.ts'
import { termsOf } from './terms.service.ts'

const MOST_DUE = 10

/** When an affiliate is paid next and what: the invoices that are open, else when that of the present period will be due; `next_day` null = on request. */
export async function nextPayment(db: DbOrTrx, now: number, affiliateId: number) {
  const [rows, { schedule, net }, { time_zone }] = await Promise.all([
    listDue(db, affiliateId, MOST_DUE),
    termsOf(db, affiliateId),
    getGeneralSettings(db),
  ])
  const due = rows.map(({ number, open, sent, due_day, ...one }) => ({
    ...one,
    number: number ?? '',
    open: amountText(open),
    sent: amountText(sent),
    due_day: due_day ?? '',
  }))
  const [first] = due
  if (first !== undefined) return { next_day: first.due_day, due, period_to: null }
  if (schedule === 'on_request') return { next_day: null, due, period_to: null }
  const end = periodEnd(schedule, dayIn(now, time_zone))
  const day = Temporal.PlainDate.from(end).add({ days: Number(net) })
  return { next_day: day.toString(), due, period_to: end }
}
