import type { Receipt } from '#contract/money/receipt.ts'
import type { Actor } from '#server/access/actor.ts'
import { advertiserNumber } from '#server/features/money/advertiser-invoice/advertiser-invoice.queries.ts'
import { lockReceivables } from '#server/features/money/advertiser-invoice/step.service.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { askedDigest } from '#server/features/money/invoice/asked-digest.ts'
import { roundedTo } from '#server/features/money/invoice/posting.ts'
import type { Entry, Transfer } from '#server/features/money/ledger/posting.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { getReceipt, lockReceipt, updateReceipt, whoseReceipt, type LockedReceipt } from './receipt.queries.ts'
import { presentReceipt } from './receipt.present.ts'

/** A change of a booked receipt in a transaction of its own; whoever saw an older one is refused, and the same again is answered as it is. */
export async function changeReceipt(
  db: Db,
  now: number,
  actor: Actor,
  asked: { uuid: string; revision: number } & { action: string; said: object; reason?: string },
  work: (change: { trx: Trx; receipt: LockedReceipt; at: Date; actor: Actor }) => Promise<void>,
): Promise<Receipt> {
  await db.transaction().execute(async (trx) => {
    const whose = await whoseReceipt(trx, asked.uuid)
    if (whose === undefined) throw new AppError('not_found')
    await lockReceivables(trx, whose)
    const receipt = await lockReceipt(trx, whose.id)
    const last_asked = askedDigest(actor.accountId, { action: asked.action, ...asked.said })
    if (receipt.revision === asked.revision + 1 && receipt.last_asked === last_asked) return
    if (receipt.revision !== asked.revision) throw new AppError('conflict')
    if (receipt.state !== 'booked') throw new AppError('status_not_allowed')
    const before = await loggedOf(trx, asked.uuid)
    await work({ trx, receipt, at: new Date(now), actor })
    await updateReceipt(trx, receipt.id, { revision: receipt.revision + 1, last_asked })
    await recordAudit(trx, actor, now, {
      action: asked.action,
      entity: 'receipt',
      entityId: receipt.id,
      before: { ...before, revision: receipt.revision },
      after: { ...(await loggedOf(trx, asked.uuid)), revision: receipt.revision + 1, ...(asked.reason && { reason: asked.reason }) },
    })
  })
  return showReceipt(db, asked.uuid)
}

/** What the log tells of a receipt before and after a change. */
async function loggedOf(trx: Trx, uuid: string) {
  const row = await getReceipt(trx, uuid)
  if (row === undefined) return {}
  const { state, amount, short, paid_back, parts } = presentReceipt(row)
  return { state, amount, short, paid_back, parts: parts.map((part) => `${part.number}: ${part.amount}`) }
}

/** A receipt as it is by now. Throws `not_found`. */
export async function showReceipt(db: Db, uuid: string): Promise<Receipt> {
  const row = await getReceipt(db, uuid)
  if (row === undefined) throw new AppError('not_found')
  return presentReceipt(row)
}

/** A transfer of a receipt. */
export function ofReceipt({ id }: LockedReceipt, at: Date, actor: Actor, key: string, kind: Transfer['kind'], entries: Entry[]): Transfer {
  return { key, kind, at, bookedAt: at, actorId: actor.accountId, document: { receipt_id: id }, entries }
}

/** Refuses an amount that could not be paid in its currency. Throws `invalid_input`. */
export async function refuseAmount(trx: Trx, currency: string, amount: bigint): Promise<void> {
  const refuse = (text: string) => {
    throw new AppError('invalid_input', { fields: { amount: text } })
  }
  if (amount <= 0n) refuse('More than zero')
  if (roundedTo(await decimalsOf(trx, currency), amount) !== amount) refuse('More decimals than this currency has')
}

/** The number of an advertiser. Throws `unknown_reference`. */
export async function numberOf(db: DbOrTrx, uuid: string): Promise<number> {
  const id = await advertiserNumber(db, uuid)
  if (id === undefined) throw new AppError('unknown_reference', { fields: { advertiser_uuid: 'There is no such advertiser' } })
  return id
}
