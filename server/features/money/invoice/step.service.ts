import { ISSUED, type InvoiceStatus } from '#contract/money/invoice.ts'
import { NETWORK, type Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { askedDigest } from './asked-digest.ts'
import { insertHistory, lastEvent, lockInvoice, updateInvoice, whoseInvoice, type LockedInvoice } from './invoice.queries.ts'
import { tellStep } from './tell.service.ts'

export type Change = { trx: Trx; invoice: LockedInvoice; at: Date; actor: Actor }
type Came = InvoiceStatus | { event: string; reason?: string } | void

/**
 * All about the invoices of one affiliate in one currency comes one after the other: whoever makes, changes or pays one holds this
 * first, before any row. So what is available, prepaid and open is the same from the first look to the booking.
 */
export function lockBilling(trx: DbOrTrx, { affiliate_id, currency }: { affiliate_id: number; currency: string }): Promise<void> {
  return lockName(trx, `billing ${affiliate_id} ${currency}`)
}

/**
 * One step of an invoice's life in a transaction of its own: locks, refuses whoever saw an older one (`invoice_changed`), does it, counts
 * up its revision, keeps who did what, and logs it. The same step again by the same person is answered as the first one; where a step
 * says more than its name, `said` is what it says and has to be the same too, or `isAgain` tells whether it was this very one. `work` answers the status it comes to, or by
 * which event, and with which words, it is told.
 */
export async function takeStep(
  db: Db,
  now: number,
  actor: Actor,
  asked: {
    key: string
    revision: number
    event: string
    reason?: string
    from?: readonly InvoiceStatus[]
    said?: object
    isAgain?: (trx: Trx, invoiceId: number) => Promise<boolean>
  },
  work: (change: Change) => Promise<Came>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const invoice = await lockInvoiceOf(trx, asked.key)
    // what the end of a period does is nobody's
    const actorId = actor === NETWORK ? null : actor.accountId
    const digest = digestOf(actor, asked)
    const sameEvent = async () => {
      const last = await lastEvent(trx, invoice.id)
      const byThem = last?.revision === asked.revision && last.actor_id === actorId
      // what was only proposed is told by another name
      return byThem && invoice.revision === asked.revision + 1 && (digest === null ? last.event === asked.event : last.asked === digest)
    }
    if (invoice.revision !== asked.revision) {
      if (await (asked.isAgain ?? sameEvent)(trx, invoice.id)) return
      throw new AppError('invoice_changed')
    }
    if (invoice.deleted_at !== null) throw new AppError('not_found')
    if (asked.from !== undefined && !asked.from.includes(invoice.status))
      throw new AppError(ISSUED.includes(invoice.status) && asked.from.includes('draft') ? 'issued_is_final' : 'status_not_allowed')
    await stepWithin(trx, now, actor, invoice, asked, work)
  })
}

/** Locks all about an invoice, and it. Throws `not_found`. */
export async function lockInvoiceOf(trx: Trx, key: string): Promise<LockedInvoice> {
  const whose = await whoseInvoice(trx, key)
  if (whose === undefined) throw new AppError('not_found')
  await lockBilling(trx, whose)
  return lockInvoice(trx, whose.id)
}

/** The same inside of a transaction that holds `lockBilling` and the invoice, and has looked whether the step may be taken. */
export async function stepWithin(
  trx: Trx,
  now: number,
  actor: Actor,
  invoice: LockedInvoice,
  asked: { event: string; reason?: string; said?: object },
  work: (change: Change) => Promise<Came>,
): Promise<void> {
  const at = new Date(now)
  // what the end of a period does is nobody's
  const actorId = actor === NETWORK ? null : actor.accountId
  const came = await work({ trx, invoice, at, actor })
  const status = typeof came === 'string' ? came : invoice.status
  const event = typeof came === 'object' ? came.event : asked.event
  const reason = (typeof came === 'object' ? came.reason : undefined) ?? asked.reason ?? ''
  await updateInvoice(trx, invoice.id, { status, revision: invoice.revision + 1, updated_at: at })
  await insertHistory(trx, {
    invoice_id: invoice.id,
    at,
    actor_id: actorId,
    event,
    from_status: invoice.status,
    to_status: status,
    revision: invoice.revision,
    reason,
    asked: digestOf(actor, asked),
  })
  await tellStep(trx, now, invoice, status, reason)
  await recordAudit(trx, actor === NETWORK ? null : actor, now, {
    action: event,
    entity: 'invoice',
    entityId: invoice.id,
    before: { status: invoice.status, revision: invoice.revision },
    after: { status, revision: invoice.revision + 1, ...(reason && { reason }) },
  })
}

/** What a step says beside its name, short; null where its name says all. */
function digestOf(actor: Actor, { event, said }: { event: string; said?: object }): string | null {
  return said === undefined || actor === NETWORK ? null : askedDigest(actor.accountId, { event, ...said })
}
