import type { z } from 'zod'
import { addAmounts } from '#contract/money/amount.ts'
import type { Payee, payoutApi } from '#contract/money/payout.ts'
import type { Actor } from '#server/access/actor.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { askedDigest } from '#server/features/money/invoice/asked-digest.ts'
import { chargesOf, endPlan, planPayment } from '#server/features/money/invoice/payout-step.service.ts'
import { lockBilling } from '#server/features/money/invoice/step.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import {
  fileOfKey,
  hasArrived,
  insertFile,
  insertPayout,
  lockFile,
  lockPayouts,
  ownersOf,
  paymentsOf,
  updateFile,
  updatePayout,
  updatePayouts,
  type LockedFile,
  type LockedPayout,
} from './payout.queries.ts'
import { planDue, planNotTaken, planPayouts, withDecimals, type Planned, type Secret } from './plan.service.ts'
import { referenceOf } from './reference.ts'
import { usableSource } from './source.service.ts'

type Make = z.output<typeof payoutApi.make.body>
type PreviewAsked = z.output<typeof payoutApi.preview.body>

/** So many rows a preview shows; a file has all. */
const SHOWN = 1000

/** Who a file would pay, and who is left out and why. */
export async function previewFile(db: Db, secret: Secret, asked: PreviewAsked): Promise<z.output<typeof payoutApi.preview.response>> {
  const all = { ...asked, affiliateUuids: [] }
  const [{ planned, more }, not_taken, proven] = await Promise.all([
    planDue(db, secret, all),
    planNotTaken(db, all),
    asked.format === 'own' || hasArrived(db, asked.source_id, asked.format),
  ])
  const decimals = await decimalsOf(db, asked.currency)
  const paid = planned.filter(({ left_out }) => left_out === null)
  return {
    list: planned.slice(0, SHOWN).map(payeeOf),
    more: planned.length > SHOWN,
    cut: more,
    proven,
    not_taken,
    payments: paid.length,
    amount: addAmounts('0', ...paid.map(({ amount, charged }) => withDecimals(amount, charged, decimals))),
  }
}

/**
 * Makes a file of what is due, in one transaction: its invoices are reserved. The same call again answers the same file; of two that
 * run at once each invoice is in one, and nobody is paid more than is owed to them unless that is said. Throws `nothing_to_pay`.
 */
export async function makeFile(db: Db, secret: Secret, actor: Actor, { affiliate_uuids, ...asked }: Make): Promise<string> {
  const { key: _key, ...said } = asked
  const digest = askedDigest(actor.accountId, {
    ...said,
    affiliate_uuids: affiliate_uuids.toSorted(),
    owing_uuids: asked.owing_uuids.toSorted(),
  })
  const known = await fileOfKey(db, asked.key)
  if (known !== undefined) return sameCall(known, actor, digest)
  const first = await planPayouts(db, secret, { ...asked, affiliateUuids: affiliate_uuids })
  const affiliates = [...new Map(first.filter(({ left_out }) => left_out === null).map(({ rows: [row] }) => [row.affiliate_id, row.uuid]))]
  if (affiliates.length === 0) {
    // the same call may have taken all of it meanwhile
    const made = await fileOfKey(db, asked.key)
    if (made === undefined) throw new AppError('nothing_to_pay')
    return sameCall(made, actor, digest)
  }
  return db.transaction().execute(async (trx) => {
    const source = await usableSource(trx, asked)
    const file = await insertFile(trx, {
      key: asked.key,
      source_id: source.id,
      format: asked.format,
      currency: asked.currency,
      due_to: asked.due_to,
      execution_day: asked.execution_day,
      delimiter: asked.delimiter,
      asked: digest,
      made_by: actor.accountId,
      created_at: new Date(secret.now),
    })
    if (file === undefined) {
      const made = await fileOfKey(trx, asked.key)
      if (made === undefined) throw new AppError('conflict')
      return sameCall(made, actor, digest)
    }
    for (const [affiliate_id] of affiliates.toSorted(([a], [b]) => a - b))
      await lockBilling(trx, { affiliate_id, currency: asked.currency })
    // whoever was quicker has taken theirs: only what is due now
    const planned = await planPayouts(trx, secret, { ...asked, affiliateUuids: affiliates.map(([, uuid]) => uuid) })
    const paid = planned.filter(({ left_out }) => left_out === null)
    if (paid.length === 0) throw new AppError('nothing_to_pay')
    for (const one of paid) await planOne(trx, secret.now, actor, one, { file: file.id, source: source.id, asked })
    const after = { format: asked.format, currency: asked.currency, payments: paid.length, due_to: asked.due_to }
    await recordAudit(trx, actor, secret.now, { action: 'create', entity: 'payout_file', entityId: file.id, after })
    return file.uuid
  })
}

/** Ends a file that was not released; its invoices are open again. Ended already it is answered as it is. Throws `not_found`, `status_not_allowed`. */
export async function cancelFile(db: Db, now: number, actor: Actor, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const file = await lockFile(trx, key)
    if (file === undefined) throw new AppError('not_found')
    if (file.state === 'cancelled') return
    if (file.state !== 'draft') throw new AppError('status_not_allowed')
    await takeOff(trx, now, actor, await lockedPayouts(trx, file, 'planned'), '')
    await updateFile(trx, file.id, { state: 'cancelled', ended_by: actor.accountId, ended_at: new Date(now) })
    await recordAudit(trx, actor, now, {
      action: 'payment_cancelled',
      entity: 'payout_file',
      entityId: file.id,
      after: { state: 'cancelled' },
    })
  })
}

/** The payments of a file in one state, after all about their affiliates' invoices was locked, in the order of affiliates. */
export async function lockedPayouts(
  trx: Trx,
  file: Pick<LockedFile, 'id' | 'currency'>,
  state: 'planned' | 'sent',
): Promise<LockedPayout[]> {
  // the file is locked: none is added, and what becomes of one meanwhile is seen when it is locked itself
  const before = await ownersOf(trx, file, state)
  for (const affiliate_id of before) await lockBilling(trx, { affiliate_id, currency: file.currency })
  return lockPayouts(trx, file.id, state)
}

/** Takes payments off a file that was not released. */
export async function takeOff(trx: Trx, now: number, actor: Actor, payouts: readonly LockedPayout[], reason: string): Promise<void> {
  const parts = Map.groupBy(
    await paymentsOf(
      trx,
      payouts.map(({ id }) => id),
    ),
    ({ payout_id }) => payout_id,
  )
  for (const payout of payouts)
    for (const part of parts.get(payout.id) ?? []) await endPlan({ trx, now, actor, ...(reason !== '' && { reason }) }, part, 'cancelled')
  await updatePayouts(trx, payouts, { state: 'cancelled', reason, ended_at: new Date(now) })
}

async function planOne(
  trx: Trx,
  now: number,
  actor: Actor,
  { rows, system, amount, charged, owed }: Planned,
  { file, source, asked }: { file: number; source: number; asked: Pick<Make, 'currency' | 'execution_day'> },
): Promise<void> {
  const [first] = rows
  const { id } = await insertPayout(trx, {
    file_id: file,
    source_id: source,
    affiliate_id: first.affiliate_id,
    method_id: first.method_id ?? 0,
    system: system.code,
    held: first.sealed ?? Buffer.alloc(0),
    masked: first.masked ?? '',
    currency: asked.currency,
    amount,
    charged,
    leaves_debt: owed !== null,
  })
  await updatePayout(trx, id, { reference: referenceOf(source, id) })
  const charges = chargesOf(
    rows.map(({ open }) => open),
    charged,
  )
  for (const [at, row] of rows.entries())
    await planPayment({ trx, now, actor }, row.id, {
      payoutId: id,
      sourceId: source,
      day: asked.execution_day,
      charged: charges[at] ?? '0',
    })
}

function payeeOf({ rows, system, amount, charged, left_out, told, owed }: Planned): Payee {
  const [{ uuid, affiliate_id: id, name, masked }] = rows
  return {
    affiliate: { uuid, id, name },
    system: system.name,
    masked: masked ?? '',
    invoices: rows.length,
    amount,
    charged,
    left_out,
    told,
    owed,
  }
}

function sameCall({ uuid, made_by, asked }: { uuid: string; made_by: number; asked: string | null }, actor: Actor, digest: string): string {
  // a key names one call of one person; an older version kept nothing of it
  if (made_by !== actor.accountId || (asked !== null && asked !== digest)) throw new AppError('conflict')
  return uuid
}
