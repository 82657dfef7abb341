import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import { amountText } from '#contract/money/amount.ts'
import type { billingRunApi } from '#contract/money/billing-run.ts'
import { companySetting } from '#contract/money/document.ts'
import { receivableSetting } from '#contract/money/advertiser-billing.ts'
import { paymentSetting } from '#contract/money/payment.ts'
import type { Actor } from '#server/access/actor.ts'
import type { PERIOD_ENDS } from '#contract/money/payment.ts'
import { previewRunRows, type RunPreviewRow } from '#server/features/money/advertiser-invoice/run.queries.ts'
import { previewInvoices, type PreviewRow } from '#server/features/money/invoice/available.queries.ts'
import { insertRows } from '#server/features/money/invoice/run.queries.ts'
import { SHOWN, shownOf, workOff } from '#server/features/money/invoice/run.service.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { endOf } from '#server/rules/zone-day.ts'
import { getRun, listOdd, listRuns, lockRun, retryRows, setRun, type RunRow } from './billing-run.queries.ts'

type Run = CallOutput<typeof billingRunApi.list>['list'][number]

export async function showRuns(db: Db, asked: z.output<typeof billingRunApi.list.body>): Promise<CallOutput<typeof billingRunApi.list>> {
  const { rows, list } = await listRuns(db, asked)
  return { list: list.map(present), summary: { rows } }
}

/** What a proposed run would make now. Throws `not_found`; one that was made already would make nothing. */
export async function previewRunOf(db: Db, now: number, uuid: string): Promise<CallOutput<typeof billingRunApi.preview>> {
  const run = await found(db, uuid)
  if (run.state !== 'proposed') return { run: present(run), list: [], more: false }
  // those whose terms make them without asking are its rows only where they were left out
  return { run: present(run), ...shownOf(await runRows(db, now, run, { makes: 'propose', most: SHOWN + 1 })) }
}

/** What went wrong, or otherwise than foreseen, with a run. Throws `not_found`. */
export async function showOdd(db: Db, uuid: string): Promise<CallOutput<typeof billingRunApi.failures>> {
  const run = await found(db, uuid)
  const list = await listOdd(db, run.id)
  const odd = list.map((row) => ({ ...row, expected: amountText(row.expected), net: row.net === null ? null : amountText(row.net) }))
  return { run: present(run), list: odd }
}

/** Makes the invoices of a proposed run, each in a transaction of its own. Throws `not_found`, `nothing_to_invoice`, `status_not_allowed`. */
export async function makeRun(db: Db, now: number, actor: Actor, uuid: string) {
  await db.transaction().execute(async (trx) => {
    const run = await lockRun(trx, uuid)
    if (run === undefined) throw new AppError('not_found')
    // somebody was quicker: the same rows are worked off
    if (run.state === 'made') return
    if (run.state !== 'proposed') throw new AppError('status_not_allowed')
    const rows = (await runRows(trx, now, run, { makes: 'propose', most: null })).filter(({ left_out }) => left_out === null)
    if (rows.length === 0) throw new AppError('nothing_to_invoice')
    await insertRows(trx, run.id, rows)
    await setRun(trx, run.id, { state: 'made', made_by: actor.accountId })
    await recordAudit(trx, actor, now, { action: 'create', entity: 'billing_run', entityId: uuid, after: { rows: rows.length } })
  })
  return workOff(db, now, uuid)
}

/** Makes what failed once more. Throws `not_found`. */
export async function retryRun(db: Db, now: number, actor: Actor, uuid: string) {
  await db.transaction().execute(async (trx) => {
    const run = await lockRun(trx, uuid)
    if (run === undefined) throw new AppError('not_found')
    await retryRows(trx, run.id)
    await recordAudit(trx, actor, now, { action: 'retry', entity: 'billing_run', entityId: uuid, after: { retried: true } })
  })
  return workOff(db, now, uuid)
}

/** Lets a proposed run be. Throws `not_found`, `status_not_allowed`. */
export async function dismissRun(db: Db, now: number, actor: Actor, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const run = await lockRun(trx, uuid)
    if (run === undefined) throw new AppError('not_found')
    if (run.state === 'dismissed') return
    if (run.state !== 'proposed') throw new AppError('status_not_allowed')
    await setRun(trx, run.id, { state: 'dismissed', made_by: actor.accountId })
    await recordAudit(trx, actor, now, { action: 'dismiss', entity: 'billing_run', entityId: uuid, after: { dismissed: true } })
  })
}

/** Who would get what of a run: an affiliate, or an advertiser. */
type RunPartyRow = Omit<PreviewRow, 'affiliate' | 'mode'> & {
  affiliate: PreviewRow['affiliate'] | null
  advertiser: RunPreviewRow['advertiser'] | null
  mode: PreviewRow['mode'] | null
}

/** What the end of a period would make, of those whose terms say `makes` (null: of all), and who gets none, whatever theirs say, with the reasons. */
export async function runRows(
  db: DbOrTrx,
  now: number,
  { side, schedule, period_to, time_zone }: Pick<RunRow, 'side' | 'schedule' | 'period_to' | 'time_zone'>,
  { makes, most }: { makes: (typeof PERIOD_ENDS)[number] | null; most: number | null },
): Promise<RunPartyRow[]> {
  const company = await getSetting(db, companySetting)
  const asked = { until: endOf(period_to, time_zone), periodTo: period_to, now: new Date(now), schedule, makes, company }
  if (side === 'advertisers') {
    const rows = await previewRunRows(db, { ...asked, network: await getSetting(db, receivableSetting) }, most)
    return rows.map((row) => ({ ...row, affiliate: null, mode: null, payment_system: '', requested: null }))
  }
  const network = await getSetting(db, paymentSetting)
  const rows = await previewInvoices(db, { ...asked, zone: time_zone, minimum: null, affiliateUuids: [], network }, most)
  return rows.map((row) => ({ ...row, advertiser: null }))
}

async function found(db: Db, uuid: string): Promise<RunRow> {
  const run = await getRun(db, uuid)
  if (run === undefined) throw new AppError('not_found')
  return run
}

function present({ id: _id, time_zone: _zone, created_at, amounts, ...run }: RunRow): Run {
  return {
    ...run,
    created_at: created_at.toISOString(),
    amounts: amounts.map(({ currency, net }) => ({ currency, net: amountText(net) })),
  }
}
