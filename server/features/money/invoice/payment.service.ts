import type { z } from 'zod'
import { addAmounts, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { invoiceApi } from '#contract/money/invoice.ts'
import type { Actor } from '#server/access/actor.ts'
import { exchangeOf, keptExchange } from '#server/features/money/currency/exchange.ts'
import { readExchange } from '#server/features/money/currency/exchange.service.ts'
import { refuseUnpayable } from '#server/features/money/payment/payable.service.ts'
import { lackDocument } from '#server/features/money/own-document/due.service.ts'
import { post, type Transfer } from '#server/features/money/ledger/posting.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { needsFourEyes } from './four-eyes.service.ts'
import { lockInvoice, updateInvoice, type LockedInvoice } from './invoice.queries.ts'
import { lockConversionsOn } from './line.queries.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { balanceOf } from './money.queries.ts'
import {
  endOffsets,
  insertPayment,
  isBooked,
  latestOffsets,
  listSources,
  lockUnderWay,
  paymentByKey,
  setPaymentState,
} from './payment.queries.ts'
import { roundedTo, sentTransfer, settledTransfers, simpleTransfer } from './posting.ts'
import { takeStep, type Change } from './step.service.ts'
import { ofPayment, settleSums } from './sums.service.ts'

type Asked = { key: string; revision: number }
type Payment = Omit<z.output<typeof invoiceApi.pay.body>, 'revision' | 'key'>

/**
 * Books a payment on an issued invoice: sent, and arrived where that is known. What is more than open is paid in advance, where that is
 * said, and runs down by later invoices. A method that is locked or wrong is not paid to. `call` is the key of the call: sent again, it is the same payment.
 */
export async function payInvoice(
  { db, secretKey }: { db: Db; secretKey: string | null },
  now: number,
  actor: Actor,
  asked: Asked & { payment: Payment; call: string },
): Promise<void> {
  const event = asked.payment.settled ? 'payment_settled' : 'payment_sent'
  const isAgain = async (trx: Trx, invoiceId: number) => {
    const known = await paymentByKey(trx, asked.call)
    if (known === undefined) return false
    const { amount, source_id, day } = asked.payment
    const isSame = toUnits(known.amount) === toUnits(amount) && known.source_id === source_id && known.day === day
    // a key names one call: whoever says something else by it is not told that this was booked
    if (known.invoice_id !== invoiceId || !isSame) throw new AppError('conflict')
    return true
  }
  await takeStep(db, now, actor, { ...asked, event, from: ['approved', 'partly_paid'], isAgain }, async (change) => {
    const { trx, invoice, at } = change
    // of another invoice: a key names one call
    if ((await paymentByKey(trx, asked.call)) !== undefined) throw new AppError('conflict')
    const { payment } = asked
    const amount = toUnits(payment.amount)
    const open = toUnits(invoice.open)
    await refuseAmount(trx, invoice, payment, { amount, open })
    await refuseAlone(change, amount - open)
    const { affiliate_id: affiliateId, payment_system: system, currency } = invoice
    await refuseUnpayable(trx, { secretKey, now }, { affiliateId, system, currency })
    if (!payment.without_own_invoice && (await lackDocument(trx, [invoice])).size > 0) throw new AppError('own_invoice_missing')
    const onInvoice = amount < open ? amount : open
    const by = await readExchange(trx, { amount, currency, sourceId: payment.source_id, day: payment.day, moved: payment.moved })
    const made = await insertPayment(trx, {
      key: asked.call,
      affiliate_id: invoice.affiliate_id,
      invoice_id: invoice.id,
      source_id: payment.source_id,
      currency: invoice.currency,
      amount: fromUnits(amount),
      on_invoice: fromUnits(onInvoice),
      state: payment.settled ? 'settled' : 'sent',
      day: payment.day,
      external_id: payment.external_id,
      note: payment.note,
      made_by: actor.accountId,
      created_at: at,
      settled_at: payment.settled ? at : null,
      ...keptExchange(by, fromUnits),
    })
    const status = await settleSums(change, {
      open: open - onInvoice,
      sent: toUnits(invoice.sent) + (payment.settled ? 0n : onInvoice),
      paid: toUnits(invoice.paid) + (payment.settled ? onInvoice : 0n),
    })
    const when = (part: 'sent' | 'settled') => ofPayment(change, made.id, part)
    await post(trx, [
      sentTransfer(invoice, when('sent'), { onInvoice, inAdvance: amount - onInvoice }),
      ...(payment.settled ? settledTransfers(invoice, when('settled'), { amount, sourceId: payment.source_id, by }) : []),
    ])
    return status
  })
}

/** Says that the payment on its way has arrived. */
export function settlePayment(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'payment_settled', from: ['approved', 'partly_paid'] }, async (change) => {
    const { trx, invoice, at } = change
    const payment = await underWay(trx, invoice)
    await setPaymentState(trx, payment.id, 'settled', at)
    const onInvoice = toUnits(payment.on_invoice)
    const status = await settleSums(change, {
      open: toUnits(invoice.open),
      sent: toUnits(invoice.sent) - onInvoice,
      paid: toUnits(invoice.paid) + onInvoice,
    })
    const [amount, by] = [toUnits(payment.amount), exchangeOf(payment, toUnits)]
    await post(trx, settledTransfers(invoice, ofPayment(change, payment.id, 'settled'), { amount, sourceId: payment.source_id, by }))
    return status
  })
}

/** Says that the payment on its way did not arrive. Where later invoices used what it paid in advance, the latest are open again first. */
export function failPayment(db: Db, now: number, actor: Actor, asked: Asked & { reason: string }): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'payment_failed', from: ['approved', 'partly_paid'] }, async (change) => {
    const { trx, invoice, at } = change
    const payment = await underWay(trx, invoice)
    await setPaymentState(trx, payment.id, 'failed', at)
    const onInvoice = toUnits(payment.on_invoice)
    const inAdvance = toUnits(payment.amount) - onInvoice
    const back = await takeBackOffsets(change, inAdvance)
    const now = back.reopened.get(invoice.id) ?? invoice
    const status = await settleSums(
      { ...change, invoice: now },
      { open: toUnits(now.open) + onInvoice, sent: toUnits(now.sent) - onInvoice, paid: toUnits(now.paid) },
    )
    await post(trx, [
      ...back.transfers,
      sentTransfer(invoice, ofPayment(change, payment.id, 'failed'), { onInvoice: -onInvoice, inAdvance: -inAdvance }),
    ])
    return status
  })
}

/** Takes back the latest uses of prepaid money until so much of it is there again; `pending` of it is moved by what is not booked yet. */
export async function takeBackOffsets(
  change: Change,
  needed: bigint,
  pending = 0n,
): Promise<{ transfers: Transfer[]; reopened: Map<number, LockedInvoice> }> {
  const { trx, invoice, at } = change
  const transfers: Transfer[] = []
  const reopened = new Map<number, LockedInvoice>()
  let there = toUnits(await balanceOf(trx, 'affiliate_prepaid', invoice.affiliate_id, invoice.currency)) + pending
  const offsets: Awaited<ReturnType<typeof latestOffsets>> = []
  for (const offset of there < needed ? await latestOffsets(trx, invoice) : []) {
    if (there >= needed) break
    offsets.push(offset)
    there += toUnits(offset.amount)
  }
  await lockConversionsOn(
    trx,
    offsets.map(({ invoice_id }) => invoice_id),
  )
  for (const offset of offsets) {
    const amount = toUnits(offset.amount)
    await endOffsets(trx, [offset.id], at)
    const used = reopened.get(offset.invoice_id) ?? (await lockInvoice(trx, offset.invoice_id))
    const open = toUnits(used.open) + amount
    const offsetPrepaid = fromUnits(toUnits(used.offset_prepaid) - amount)
    await updateInvoice(trx, used.id, { offset_prepaid: offsetPrepaid, open: fromUnits(open) })
    const now = { ...used, offset_prepaid: offsetPrepaid, open: fromUnits(open) }
    if (used.id !== invoice.id) {
      const status = await settleSums({ ...change, invoice: now }, { open, sent: toUnits(used.sent), paid: toUnits(used.paid) })
      await updateInvoice(trx, used.id, { status, revision: used.revision + 1, updated_at: at })
    }
    reopened.set(used.id, now)
    const when = { key: `invoice:${used.id}:offset:${offset.id}:back`, kind: 'invoice_offset_back', at, actorId: change.actor.accountId }
    transfers.push(
      simpleTransfer(invoice, { ...when, document: { invoice_id: used.id } }, 'affiliate_prepaid', 'affiliate_invoiced', amount),
    )
  }
  return { transfers, reopened }
}

async function refuseAmount(
  trx: Trx,
  invoice: LockedInvoice,
  payment: Payment,
  { amount, open }: { amount: bigint; open: bigint },
): Promise<void> {
  if (open === 0n) throw new AppError('paid_already')
  const decimals = await decimalsOf(trx, invoice.currency)
  const refuse = (field: string, text: string) => {
    throw new AppError('invalid_input', { fields: { [field]: text } })
  }
  if (amount <= 0n) refuse('amount', 'More than zero')
  if (roundedTo(decimals, amount) !== amount) refuse('amount', 'More decimals than this currency has')
  if (amount > open && !payment.in_advance) refuse('amount', 'This is more than is open')
  if (toUnits(addAmounts(payment.amount, invoice.total)) >= 10n ** 23n) refuse('amount', 'This is too much')
  if (!(await listSources(trx)).some(({ id }) => id === payment.source_id)) refuse('source_id', 'Choose where it was paid from')
  if (!payment.settled && toUnits(invoice.sent) + toUnits(invoice.planned) > 0n) throw new AppError('paid_already')
  if (payment.external_id !== '' && (await isBooked(trx, payment.source_id, payment.external_id)))
    refuse('external_id', 'A payment with this number is booked already')
}

/** What one person has paid an affiliate in advance stays below the limit of four eyes, however many payments it takes. */
async function refuseAlone({ trx, invoice, at, actor }: Change, inAdvance: bigint): Promise<void> {
  if (inAdvance <= 0n) return
  const { affiliate_id, currency } = invoice
  const there = toUnits(await balanceOf(trx, 'affiliate_prepaid', affiliate_id, currency))
  const asked = { amount: fromUnits(there + inAdvance), currency, permission: 'billing.approve', actorId: actor.accountId } as const
  if (await needsFourEyes(trx, at.getTime(), asked))
    throw new AppError('invalid_input', {
      fields: { amount: 'So much in advance takes two people: put it on an invoice as a correction that somebody else confirms' },
    })
}

async function underWay(trx: Trx, invoice: LockedInvoice) {
  const payment = await lockUnderWay(trx, invoice.id)
  if (payment === undefined) throw new AppError('status_not_allowed')
  // with others of its file: one transfer of the bank is settled as a whole
  if (payment.payout_id !== null) throw new AppError('in_payout_file')
  return payment
}
