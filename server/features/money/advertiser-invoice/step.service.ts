import type { AdvertiserInvoiceStatus } from '#contract/money/advertiser-invoice.ts'
import { toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { askedDigest } from '#server/features/money/invoice/asked-digest.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { insertHistory, lastEvent, lockInvoice, updateInvoice, whoseInvoice, type LockedInvoice } from './advertiser-invoice.queries.ts'

export type Change = { trx: Trx; invoice: LockedInvoice; at: Date; actor: Actor | null }

/**
 * All about the money of one advertiser in one currency comes one after the other: whoever makes, issues or credits an invoice or books
 * a receipt holds this first, before any row. So what is open and prepaid is the same from the first look to the booking.
 */
export function lockReceivables(trx: DbOrTrx, { advertiser_id, currency }: { advertiser_id: number; currency: string }): Promise<void> {
  return lockName(trx, `receivables ${advertiser_id} ${currency}`)
}

/**
 * One step of an invoice's life in a transaction of its own: locks, refuses whoever saw an older one (`invoice_changed`), does it, counts
 * up its revision, keeps who did what, and logs it. The same step again by the same person is answered as the first one; `said` is what it says
 * beside its name, and has to be the same too, also where it was only proposed. `work` answers the status it comes to, or by which event, and with which words, it is told.
 */
export async function takeStep(
  db: Db,
  now: number,
  // what the end of a period does is nobody's
  actor: Actor | null,
  asked: {
    key: string
    revision: number
    event: string
    reason?: string
    from: readonly AdvertiserInvoiceStatus[]
    said?: object
  },
  work: (change: Change) => Promise<AdvertiserInvoiceStatus | { event: string; reason?: string } | void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const invoice = await lockAdvertiserInvoice(trx, asked.key)
    const { event, said } = asked
    const digest = said === undefined || actor === null ? null : askedDigest(actor.accountId, { event, ...said })
    if (invoice.revision !== asked.revision) {
      const last = await lastEvent(trx, invoice.id)
      const isIt = last !== undefined && (digest === null ? last.event === event : last.asked === digest)
      const byThem = isIt && last.revision === asked.revision && last.actor_id === (actor?.accountId ?? null)
      if (byThem && invoice.revision === asked.revision + 1) return
      throw new AppError('invoice_changed')
    }
    if (invoice.deleted_at !== null) throw new AppError('not_found')
    if (!asked.from.includes(invoice.status))
      throw new AppError(invoice.status !== 'draft' && asked.from.includes('draft') ? 'issued_is_final' : 'status_not_allowed')
    const at = new Date(now)
    const came = await work({ trx, invoice, at, actor })
    const status = typeof came === 'string' ? came : invoice.status
    await logStep(
      { trx, invoice, at, actor },
      { status, event, reason: asked.reason ?? '', asked: digest, ...(typeof came === 'object' && came) },
    )
  })
}

/** Locks all about an invoice of an advertiser, and it. Throws `not_found`. */
export async function lockAdvertiserInvoice(trx: Trx, key: string): Promise<LockedInvoice> {
  const whose = await whoseInvoice(trx, key)
  if (whose === undefined) throw new AppError('not_found')
  await lockReceivables(trx, whose)
  return lockInvoice(trx, whose.id)
}

/** Counts up the revision of a locked invoice, and keeps what happened to it. */
export async function keepStep(
  { trx, invoice, at, actor }: Change,
  { status, event, reason = '', asked = null }: { status: AdvertiserInvoiceStatus; event: string; reason?: string; asked?: string | null },
): Promise<void> {
  await updateInvoice(trx, invoice.id, { status, revision: invoice.revision + 1, updated_at: at })
  await insertHistory(trx, {
    invoice_id: invoice.id,
    at,
    actor_id: actor?.accountId ?? null,
    event,
    from_status: invoice.status,
    to_status: status,
    revision: invoice.revision,
    reason,
    asked,
  })
}

/** The same with an entry in the log. */
export async function logStep(
  change: Change,
  told: { status: AdvertiserInvoiceStatus; event: string; reason: string; asked?: string | null },
): Promise<void> {
  const { trx, invoice, at, actor } = change
  await keepStep(change, told)
  await recordAudit(trx, actor, at.getTime(), {
    action: told.event,
    entity: 'advertiser_invoice',
    entityId: invoice.id,
    before: { status: invoice.status, revision: invoice.revision },
    after: { status: told.status, revision: invoice.revision + 1, ...(told.reason && { reason: told.reason }) },
  })
}

/** The sums an issued invoice consists of, in units. */
export type Sums = { open: bigint; received: bigint; offset_prepaid: bigint; credited: bigint; written_off: bigint }

export function sumsOf(invoice: LockedInvoice): Sums {
  const { open, received, offset_prepaid, credited, written_off } = invoice
  return {
    open: toUnits(open),
    received: toUnits(received),
    offset_prepaid: toUnits(offset_prepaid),
    credited: toUnits(credited),
    written_off: toUnits(written_off),
  }
}

/** What an issued invoice is by its sums: its status follows the money, whoever moved it. */
export function statusOf(sums: Sums): AdvertiserInvoiceStatus {
  const paid = sums.received + sums.offset_prepaid
  if (sums.open > 0n) return paid > 0n ? 'partly_paid' : 'issued'
  if (sums.written_off > 0n) return 'written_off'
  return paid > 0n ? 'paid' : 'credited'
}
