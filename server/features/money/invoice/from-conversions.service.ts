import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { toUnits, type Currency } from '#contract/money/amount.ts'
import { type invoiceApi } from '#contract/money/invoice.ts'
import { MOST_LINES } from '#contract/money/payable.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Actor } from '#server/access/actor.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { chosenIds, payableIds, type PayableFilter } from './available.queries.ts'
import { lockChosenGroups } from './chosen.service.ts'
import { owingOf } from './debt.queries.ts'
import { refuseDebts } from './debt.service.ts'
import { makeFromConversions } from './make.service.ts'
import { insertRows, insertRun } from './run.queries.ts'
import { askedDigest } from './asked-digest.ts'
import { runOfKey } from './run-key.service.ts'
import { workOff } from './run.service.ts'
import { lockBilling } from './step.service.ts'

/** So many chosen ones are put on drafts in one transaction; of more each draft is made by itself, as those of a run. */
const AT_ONCE = 1000
type Made = CallOutput<typeof invoiceApi.createFromConversions>

/**
 * Makes drafts of chosen conversions, or of all that match a filter. Many are made as a run: each draft in a transaction of its own, and
 * what is not made while the caller has patience the worker makes. Throws `already_invoiced`, `nothing_to_invoice`, `affiliate_owes`,
 * `invalid_input` of too many.
 */
export async function invoiceConversions(
  db: Db,
  now: number,
  actor: Actor,
  { key, uuids, filter, leave_debt }: z.output<typeof invoiceApi.createFromConversions.body>,
): Promise<Made> {
  const asked = [...new Set(uuids)]
  if (filter === null && asked.length <= AT_ONCE)
    return { ...(await makeFromConversions(db, now, actor, { uuids: asked, leave_debt })), waiting: 0 }
  const { time_zone } = await getGeneralSettings(db)
  const call = key ?? randomUUID()
  const digest = askedDigest(actor.accountId, { filter, uuids: asked.toSorted(), leave_debt })
  let found = asked.length
  const uuid = await db.transaction().execute(async (trx) => {
    await lockName(trx, `billing run ${call}`)
    const known = await runOfKey(trx, call, digest)
    if (known !== undefined) return known
    const owners = filter === null ? await chosenIds(trx, asked) : await matching(filter)
    found = owners.reduce((sum, { ids }) => sum + ids.length, 0)
    if (found > MOST_LINES)
      throw new AppError('invalid_input', { fields: { filter: 'More than 10,000 conversions match: narrow the filter' } })
    if (found === 0)
      throw filter === null ? new AppError('already_invoiced', { values: { n: String(asked.length) } }) : new AppError('nothing_to_invoice')
    // what comes to nothing together could be neither sent nor paid
    const groups = owners.filter(({ amount }) => toUnits(amount) !== 0n)
    if (groups.length === 0) throw new AppError('nothing_to_invoice')
    found = groups.reduce((sum, { ids }) => sum + ids.length, 0)
    if (!leave_debt) await refuseOwing(trx, groups)
    const period_to = dayIn(now, time_zone)
    const run = await insertRun(trx, {
      key: call,
      asked: digest,
      period_from: null,
      period_to,
      time_zone,
      made_by: actor.accountId,
      created_at: new Date(now),
    })
    if (run === undefined) throw new AppError('conflict')
    const rows = groups.map(({ affiliate_id: id, currency, ids, amount: net }) => ({
      affiliate: { id },
      currency,
      net,
      chosen: ids,
      leaves_debt: leave_debt,
    }))
    await insertRows(trx, run.id, rows)
    const after = { from: 'conversions', conversions: found, rows: rows.length }
    await recordAudit(trx, actor, now, { action: 'create', entity: 'billing_run', entityId: run.uuid, after })
    return run.uuid

    function matching(of: PayableFilter) {
      return payableIds(trx, actor.scope, of, time_zone, MOST_LINES)
    }
  })
  const { invoices, waiting } = await workOff(db, now, uuid)
  return { invoices, left_out: filter === null ? asked.length - found : 0, waiting }
}

/** Refuses conversions of those who owe more than comes along with them, as making their drafts would. */
async function refuseOwing(trx: Trx, groups: readonly { affiliate_id: number; currency: Currency; ids: string[] }[]): Promise<void> {
  const owing = await owingOf(trx, { ids: groups.flatMap(({ ids }) => ids) })
  const isTheirs = (one: (typeof groups)[number]) =>
    owing.some(({ affiliate_id, currency }) => affiliate_id === one.affiliate_id && currency === one.currency)
  const theirs = groups.filter(isTheirs)
  for (const one of theirs) await lockBilling(trx, one)
  const { debts } = await lockChosenGroups(trx, { ids: theirs.flatMap(({ ids }) => ids) }, false)
  await refuseDebts(trx, debts)
}
