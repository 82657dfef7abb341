import { randomUUID } from 'node:crypto'
import { RUN_SCHEDULES } from '#contract/money/billing-run.ts'
import { RUN_SIDES } from '#contract/money/run-shape.ts'
import { NETWORK } from '#server/access/actor.ts'
import { issueInvoice } from '#server/features/money/advertiser-invoice/issue.service.ts'
import { insertRows, insertRun } from '#server/features/money/invoice/run.queries.ts'
import { sendInvoice } from '#server/features/money/invoice/state.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { lastPeriod } from '#server/rules/payout-period.ts'
import { hasRun, nextToSend, sentOnce, type Side } from './billing-run.queries.ts'
import { runRows } from './billing-run.service.ts'

const ENDS = RUN_SIDES.flatMap((side) => RUN_SCHEDULES.map((schedule): [Side, (typeof RUN_SCHEDULES)[number]] => [side, schedule]))

/** Of those left out of a run that makes nothing, so many are kept: as many as a preview shows. */
const MOST_LEFT_OUT = 1000

/**
 * Proposes the invoices of each period that is over, from six o'clock of the first day after it, once: a worker that dies has proposed it
 * or not, and two at once wait for each other. What terms say is made without asking is made by the loop that makes invoices. Answers how
 * many were proposed.
 */
export async function proposeRuns(db: Db, now: number): Promise<number> {
  const { time_zone } = await getGeneralSettings(db)
  let proposed = 0
  for (const [side, schedule] of ENDS) {
    const period = lastPeriod(schedule, now, time_zone)
    if (await hasRun(db, side, schedule, period.to)) continue
    proposed += await db.transaction().execute(async (trx) => {
      await lockName(trx, `billing run ${side} ${schedule} ${period.to}`)
      if (await hasRun(trx, side, schedule, period.to)) return 0
      const end = { side, schedule, period_to: period.to, time_zone }
      const all = await runRows(trx, now, end, { makes: null, most: null })
      const rows = all.filter(({ left_out }) => left_out === null)
      const atOnce = rows.filter(({ makes }) => makes !== 'propose')
      const state = rows.length === 0 ? 'empty' : atOnce.length < rows.length ? 'proposed' : 'made'
      const values = {
        key: randomUUID(),
        period_from: period.from,
        period_to: period.to,
        time_zone,
        made_by: null,
        created_at: new Date(now),
      }
      const run = await insertRun(trx, { ...values, side, schedule, state })
      if (run === undefined) return 0
      await insertRows(
        trx,
        run.id,
        // where everybody is left out, the run keeps who and why: nobody would be told otherwise
        state === 'empty' ? all.slice(0, MOST_LEFT_OUT) : atOnce.map((row) => ({ ...row, left_out: null, sends: row.makes === 'send' })),
      )
      return state === 'empty' ? 0 : 1
    })
  }
  return proposed
}

/** Somebody was quicker, or a worker that died had sent it: nothing went wrong. */
const SENT_ALREADY = ['invoice_changed', 'status_not_allowed']

/** Shows one invoice to its affiliate, or issues it to its advertiser, whose terms say so; false where none waits. One that may not be sent stays a draft, and its row says why. */
export async function sendMade(db: Db, now: number): Promise<boolean> {
  const next = await nextToSend(db)
  if (next === undefined) return false
  let reason = ''
  try {
    const { uuid: key, revision, net } = next
    if (next.side === 'affiliates') await sendInvoice(db, now, NETWORK, { key, revision })
    else await issueInvoice(db, now, null, { key, revision, net })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (!SENT_ALREADY.includes(error.code)) reason = error.code
  }
  await sentOnce(db, next.id, reason)
  return true
}
