import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { keepNoteDocument } from '#server/features/money/document/document.service.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import { takeNumber } from '#server/features/money/series/series.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { needsFourEyes, refuseAlone } from '#server/features/money/second-person/four-eyes.service.ts'
import { updateInvoice, type LockedInvoice } from './invoice.queries.ts'
import { lockConversionsOf, lockConversionsOn, setInvoiced, type Payable } from './line.queries.ts'
import { payableOf } from './lines.service.ts'
import { offsetOf } from './offset.service.ts'
import { changedOn, changesOf, creditedSums, insertCreditNote, insertNoteLines, lockPaid, sumLive, whoChanged } from './note.queries.ts'
import { endOffsets, insertOffset, keepOnInvoice, liveOffsets } from './payment.queries.ts'
import { noteSums } from './note-sums.ts'
import { noteTransfer, sumUnits } from './posting.ts'
import { takeStep, type Change } from './step.service.ts'
import { settleSums } from './sums.service.ts'

type Asked = { key: string; revision: number }

/**
 * Takes what has become of the conversions of an issued invoice since into a credit note of its own number, with the VAT of the invoice
 * (money.md 5, no. 18): what is above the open amount was paid, and is paid in advance from here on. Changes that come to more than the
 * invoice make a note that adds: so much more is open then, and what is paid in advance is used, as at approval (no. 16). Throws `changes_by_line` where changes stand on the next invoice,
 * `nothing_to_credit`, `four_eyes` where one person would add what takes two, `issued_is_final` where nothing would be left of it, and `paid_already` where a payout file holds what it takes.
 */
export function creditChanges(db: Db, now: number, actor: Actor, asked: Asked & { reason: string }): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'changes_credited', from: ['approved', 'partly_paid', 'paid'] }, async (change) => {
    const { trx, invoice, at } = change
    if ((await changesOf(trx, invoice.id)).by === 'line') throw new AppError('changes_by_line')
    const payments = await lockPaid(trx, invoice.id)
    await lockConversionsOn(trx, [invoice.id])
    const rows = await lockConversionsOf(trx, await changedOn(trx, invoice))
    const stands = await leftOf(trx, invoice)
    const moved = withinLeft([...rows.values()], stands.exact)
      .map(({ row, amount }) => ({ before: row, after: { ...row, invoiced: fromUnits(toUnits(row.invoiced) + amount) } }))
      .filter(({ before: was, after }) => toUnits(was.invoiced) !== toUnits(after.invoiced))
    const lines = moved.map(({ before: was, after }) => ({
      conversion_id: was.id,
      amount: fromUnits(toUnits(after.invoiced) - toUnits(was.invoiced)),
      status: was.status,
    }))
    if (lines.length === 0) throw new AppError('nothing_to_credit')
    const sums = await sumsOf(trx, invoice, stands, sumUnits(lines.map(({ amount }) => amount)))
    if (sums.total < 0n) await refuseAddedAlone(change, actor, { ids: lines.map(({ conversion_id }) => conversion_id), adds: -sums.total })
    const above = sums.total > toUnits(invoice.open) ? sums.total - toUnits(invoice.open) : 0n
    const freed = await free(trx, { invoice, payments, at }, above)
    const number = await takeNumber(trx, at, invoice.mode === 'statement' ? 'PSC' : 'SBC', invoice.affiliate_id)
    const { number_day: _day, ...numbered } = number
    const note = await insertCreditNote(trx, {
      ...numbered,
      kind: 'changed',
      invoice_id: invoice.id,
      net: fromUnits(sums.net),
      vat: fromUnits(sums.vat),
      total: fromUnits(sums.total),
      reason: asked.reason,
      made_by: actor.accountId,
      created_at: at,
    })
    await insertNoteLines(trx, { id: note.id, invoiceId: invoice.id }, lines)
    await setInvoiced(
      trx,
      moved.map(({ after }) => after),
    )
    const open = toUnits(invoice.open) - (sums.total - above)
    const used = sums.total < 0n ? await offsetOf(change, open) : { amount: 0n, transfers: [] }
    const left = { open: open - used.amount, sent: toUnits(invoice.sent) - freed.sent, paid: toUnits(invoice.paid) - freed.paid }
    await updateInvoice(trx, invoice.id, {
      open: fromUnits(left.open),
      sent: fromUnits(left.sent),
      paid: fromUnits(left.paid),
      offset_prepaid: fromUnits(toUnits(invoice.offset_prepaid) - freed.offset + used.amount),
      credited: fromUnits(toUnits(invoice.credited) + sums.total),
    })
    const status = await settleSums(change, left)
    const when = {
      key: `credit-note:${note.id}:issue`,
      kind: 'credit_note' as const,
      at,
      actorId: actor.accountId,
      document: { invoice_id: invoice.id },
    }
    await post(trx, [noteTransfer(invoice, when, { conversions: moved, net: sums.net, vat: sums.vat, above }), ...used.transfers])
    await keepNoteDocument(trx, at.getTime(), note.uuid)
    return status
  })
}

/**
 * What is added to an issued invoice is owed as if it were approved anew: above the limit, by what the invoice is worth with it, neither who
 * changed any of it by hand does that, nor, where only systems did, who made or edited the invoice.
 */
async function refuseAddedAlone(
  { trx, invoice, at }: Change,
  { accountId: actorId }: Actor,
  { ids, adds }: { ids: string[]; adds: bigint },
) {
  const since = invoice.approved_at ?? invoice.created_at
  const changed = await whoChanged(trx, { affiliateId: invoice.affiliate_id, ids, since })
  const alone = changed.length > 0 ? changed : [invoice.made_by, invoice.edited_by]
  if (!alone.includes(actorId)) return
  const amount = fromUnits(toUnits(invoice.total) - toUnits(invoice.credited) + adds)
  const asked = { amount, currency: invoice.currency, permission: 'billing.approve', actorId } as const
  if (await needsFourEyes(trx, at.getTime(), asked)) await refuseAlone(trx, at.getTime(), asked)
}

/**
 * What of changes a note takes: all, but no more than is left of the invoice, as where that was lessened by a correction; the rest stays a
 * correction, which the next invoice takes.
 */
function withinLeft(rows: readonly Payable[], left: bigint): { row: Payable; amount: bigint }[] {
  const all = rows.map((row) => ({ row, amount: toUnits(payableOf(row)) - toUnits(row.invoiced) }))
  let over = -all.reduce((sum, { amount }) => sum + amount, 0n) - left
  for (const one of all.toReversed()) {
    if (over <= 0n) break
    if (one.amount >= 0n) continue
    const kept = -one.amount < over ? -one.amount : over
    one.amount += kept
    over -= kept
  }
  return all
}

/** What stands on an issued invoice after the notes there are: rounded, as it was issued, and exactly. */
async function leftOf(trx: Trx, invoice: LockedInvoice): Promise<{ net: bigint; vat: bigint; exact: bigint }> {
  const before = await creditedSums(trx, invoice.id)
  return {
    net: toUnits(invoice.net) - toUnits(before.net),
    vat: toUnits(invoice.vat) - toUnits(before.vat),
    exact: toUnits(await sumLive(trx, invoice.id)),
  }
}

/** What a note comes to whose lines do that. Throws `nothing_to_credit` where rounding leaves nothing yet, `issued_is_final`. */
async function sumsOf(trx: Trx, invoice: LockedInvoice, stands: Awaited<ReturnType<typeof leftOf>>, lines: bigint) {
  const sums = noteSums(invoice, stands, stands.exact + lines, await decimalsOf(trx, invoice.currency))
  if (sums.net === 0n) throw new AppError('nothing_to_credit')
  const isUnpaid = [invoice.planned, invoice.sent, invoice.paid, invoice.offset_prepaid].every((amount) => toUnits(amount) === 0n)
  if (sums.net === stands.net && isUnpaid) throw new AppError('issued_is_final')
  return sums
}

type Payments = Awaited<ReturnType<typeof lockPaid>>

/** Makes so much of what an invoice was paid free: prepaid money it used first, then payments; of those it is paid in advance now. */
async function free(trx: Trx, { invoice, payments, at }: { invoice: LockedInvoice; payments: Payments; at: Date }, amount: bigint) {
  const freed = { offset: 0n, paid: 0n, sent: 0n }
  let left = amount
  for (const offset of left > 0n ? (await liveOffsets(trx, invoice.id)).toReversed() : []) {
    if (left === 0n) break
    const all = toUnits(offset.amount)
    const back = all < left ? all : left
    await endOffsets(trx, [offset.id], at)
    if (back < all) await insertOffset(trx, invoice.id, fromUnits(all - back), at)
    freed.offset += back
    left -= back
  }
  for (const payment of payments) {
    if (left === 0n) break
    const all = toUnits(payment.on_invoice)
    const back = all < left ? all : left
    if (back === 0n) continue
    await keepOnInvoice(trx, payment.id, fromUnits(all - back))
    freed[payment.state === 'sent' ? 'sent' : 'paid'] += back
    left -= back
  }
  // the rest stands in a payout file that has not left
  if (left > 0n) throw new AppError('paid_already')
  return freed
}
