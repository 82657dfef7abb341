import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { billingSetting } from '#contract/money/billing.ts'
import { endObjection, hasOpenObjection } from '#server/features/money/invoice/objection/objection.queries.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { keepInvoiceDocument, keepNoteDocument } from '#server/features/money/document/document.service.ts'
import { takeNumber } from '#server/features/money/series/series.service.ts'
import { requireMode } from '#server/features/money/tax-profile/tax-profile.service.ts'
import { post, type Transfer } from '#server/features/money/ledger/posting.service.ts'
import { hasOpenProposal, lapseProposals } from '#server/features/money/second-person/proposed.queries.ts'
import { reopenRequest } from './answer-request.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { refuseDebt } from './debt.service.ts'
import { updateInvoice, type LockedInvoice } from './invoice.queries.ts'
import { isAlone, refuseAlone } from '#server/features/money/second-person/four-eyes.service.ts'
import { broughtIn, hasChanged, issueLines, setPaid } from './line.queries.ts'
import { freeLines } from './lines.service.ts'
import { offsetOf } from './offset.service.ts'
import { endOffsets, isUnderWay, liveOffsets } from './payment.queries.ts'
import { creditedSums, insertCreditNote } from './note.queries.ts'
import { simpleTransfer, vatTransfer } from './posting.ts'
import { takeStep, type Change } from './step.service.ts'
import { requireVat } from './vat.service.ts'

type Asked = { key: string; revision: number }

/** Shows a draft to its affiliate. */
export function sendInvoice(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'sent', from: ['draft'] }, async ({ trx, invoice, at }) => {
    if (toUnits(invoice.net) <= 0n) throw new AppError('nothing_to_invoice')
    if (invoice.payment_system === '') throw new AppError('invalid_input', { fields: { payment_system: 'Choose how it is paid first' } })
    const { object_days } = await getSetting(trx, billingSetting)
    const until = new Date(at.getTime() + object_days * 86_400_000)
    const mode = await requireMode(trx, invoice)
    await requireVat(trx, invoice)
    await updateInvoice(trx, invoice.id, { sent_at: at, object_until: until, mode })
    return 'waiting'
  })
}

/** Makes a waiting invoice a draft again. */
export function takeBackInvoice(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'taken_back', from: ['waiting'] }, async ({ trx, invoice, at }) => {
    // what is changed answers it
    await endObjection(trx, invoice.id, { state: 'ended', ended_at: at })
    return 'draft'
  })
}

/**
 * Gives a waiting invoice its number, books its VAT, and uses what was paid in advance. Throws `affiliate_owes` where what its affiliate
 * owes beside it is not on it, unless that is left to the next invoice.
 */
export function approveInvoice(
  db: Db,
  now: number,
  actor: Actor,
  asked: Asked & { leave_changed: boolean; leave_debt: boolean },
): Promise<void> {
  const { leave_changed, leave_debt } = asked
  const said = { leave_changed, leave_debt }
  return takeStep(db, now, actor, { ...asked, event: 'approved', from: ['waiting'], said }, async (change) => {
    const { trx, invoice, at } = change
    await refuseOwn(trx, invoice, actor, at.getTime())
    // what somebody gave or took would never stand on it
    if (await hasOpenObjection(trx, invoice.id)) throw new AppError('objection_open')
    if (await hasOpenProposal(trx, { invoice_id: invoice.id })) throw new AppError('proposal_open')
    // its lines may have been taken off since it was sent
    if (toUnits(invoice.net) <= 0n) throw new AppError('nothing_to_invoice')
    if (!asked.leave_changed && (await hasChanged(trx, invoice.id))) throw new AppError('lines_changed')
    if (!asked.leave_debt) await refuseDebt(trx, invoice)
    // what was agreed and decided may have changed since it was sent
    const mode = await requireMode(trx, invoice)
    await requireVat(trx, invoice)
    await issueLines(trx, invoice.id)
    const total = toUnits(invoice.total)
    const offset = await offsetOf(change, total)
    const isPaid = offset.amount === total
    if (isPaid) await setPaid(trx, invoice.id, 'paid')
    await updateInvoice(trx, invoice.id, {
      ...(await takeNumber(trx, at, mode === 'statement' ? 'PS' : 'SB', invoice.affiliate_id)),
      mode,
      status: isPaid ? 'paid' : 'approved',
      approved_at: at,
      paid_at: isPaid ? at : null,
      offset_prepaid: fromUnits(offset.amount),
      open: fromUnits(total - offset.amount),
    })
    await post(trx, [
      vatTransfer(invoice, of(change, `invoice:${invoice.id}:issue`, 'invoice_vat'), toUnits(invoice.vat)),
      ...offset.transfers,
    ])
    await keepInvoiceDocument(trx, at.getTime(), invoice.id)
    return isPaid ? 'paid' : 'approved'
  })
}

/** Declines a waiting invoice: its conversions are available again. */
export function declineInvoice(db: Db, now: number, actor: Actor, asked: Asked & { reason: string }): Promise<void> {
  const said = { reason: asked.reason }
  return takeStep(db, now, actor, { ...asked, event: 'declined', from: ['waiting'], said }, async (change) => {
    const freedBy = await freeLines(
      change.trx,
      change.invoice,
      { key: `invoice:${change.invoice.id}:free`, kind: 'invoice_freed' },
      stepOf(change),
    )
    await updateInvoice(change.trx, change.invoice.id, { status: 'declined', open: '0.0000', reason: asked.reason })
    await lapseProposals(change.trx, { invoice_id: change.invoice.id }, change.at)
    await endObjection(change.trx, change.invoice.id, { state: 'ended', ended_at: change.at })
    await post(change.trx, [freedBy])
    return 'declined'
  })
}

/** Deletes an invoice that was not issued; it stays behind the filter "deleted". */
export function removeInvoice(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'deleted', from: ['draft', 'waiting', 'declined'] }, async (change) => {
    const { trx, invoice, at } = change
    const freedBy = await freeLines(trx, invoice, { key: `invoice:${invoice.id}:free`, kind: 'invoice_freed' }, stepOf(change))
    await endObjection(trx, invoice.id, { state: 'ended', ended_at: at })
    await updateInvoice(trx, invoice.id, { deleted_at: at, open: '0.0000' })
    await lapseProposals(trx, { invoice_id: invoice.id }, at)
    // a declined one was freed when it was declined, and its request has its reason
    if (invoice.status === 'declined') return
    await reopenRequest(trx, at.getTime(), actor, invoice)
    await post(trx, [freedBy])
  })
}

/** Ends an issued invoice on which nothing was paid by a credit note over all of it. */
export function cancelInvoice(db: Db, now: number, actor: Actor, asked: Asked & { reason: string }): Promise<void> {
  const step = { ...asked, event: 'cancelled', from: ['approved', 'paid', 'partly_paid'], said: { reason: asked.reason } } as const
  return takeStep(db, now, actor, step, async (change) => {
    const { trx, invoice, at } = change
    if ([invoice.planned, invoice.sent, invoice.paid].some((amount) => toUnits(amount) > 0n)) throw new AppError('paid_already')
    // one of which notes made all prepaid has nothing on it any more
    if (await isUnderWay(trx, invoice.id)) throw new AppError('paid_already')
    const { total, id } = invoice
    // what notes over changes took back before is not taken back again
    const before = await creditedSums(trx, id)
    const net = toUnits(invoice.net) - toUnits(before.net)
    const vat = toUnits(invoice.vat) - toUnits(before.vat)
    if (net + vat === 0n) throw new AppError('nothing_to_credit')
    const { series, series_number, number } = await takeNumber(trx, at, invoice.mode === 'statement' ? 'PSC' : 'SBC', invoice.affiliate_id)
    const note = await insertCreditNote(trx, {
      invoice_id: id,
      kind: 'whole',
      series,
      series_number,
      number,
      net: fromUnits(net),
      vat: fromUnits(vat),
      total: fromUnits(net + vat),
      reason: asked.reason,
      made_by: actor.accountId,
      created_at: at,
    })
    const offsets = await liveOffsets(trx, id)
    await endOffsets(
      trx,
      offsets.map((one) => one.id),
      at,
    )
    const key = `credit-note:${note.id}`
    const freedBy = await freeLines(trx, invoice, { key: `${key}:issue`, kind: 'credit_note' }, stepOf(change), net)
    await lapseProposals(trx, { invoice_id: id }, at)
    await updateInvoice(trx, id, {
      status: 'cancelled',
      open: '0.0000',
      offset_prepaid: '0.0000',
      credited: total,
      reason: asked.reason,
      paid_at: null,
    })
    await post(trx, [
      ...offsets.map((one) =>
        simpleTransfer(
          invoice,
          of(change, `${key}:offset:${one.id}`, 'invoice_offset_back'),
          'affiliate_prepaid',
          'affiliate_invoiced',
          toUnits(one.amount),
        ),
      ),
      freedBy,
      vatTransfer(invoice, of(change, `${key}:vat`, 'invoice_vat_back'), -vat),
    ])
    await keepNoteDocument(trx, at.getTime(), note.uuid)
    return 'cancelled'
  })
}

/**
 * Who made or edited it last lets somebody else approve, while there is somebody else who may. Of one the network made that is whoever brought
 * in conversions on it, by hand or by a file, that come to the limit: nobody else has seen them.
 */
async function refuseOwn(trx: Trx, invoice: LockedInvoice, actor: Actor, now: number): Promise<void> {
  const { total: amount, currency } = invoice
  const { accountId: actorId } = actor
  const makers = [invoice.made_by, invoice.edited_by]
  const asked = { amount, currency, permission: 'billing.approve', actorId } as const
  if (await isAlone(trx, now, makers, asked)) await refuseAlone(trx, now, asked, makers)
  if (invoice.made_by !== null) return
  for (const brought of await broughtIn(trx, invoice.id))
    if (await isAlone(trx, now, [brought.by], { ...asked, amount: brought.amount })) await refuseAlone(trx, now, asked, [brought.by])
}

function stepOf({ at, actor }: Change) {
  return { at, actorId: actor.accountId }
}

function of(change: Change, key: string, kind: Transfer['kind']): Pick<Transfer, 'key' | 'kind' | 'at' | 'actorId' | 'document'> {
  return { key, kind, ...stepOf(change), document: { invoice_id: change.invoice.id } }
}
