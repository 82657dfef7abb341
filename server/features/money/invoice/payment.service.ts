import type { z } from 'zod'
import { addAmounts, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { invoiceApi } from '#contract/money/invoice.ts'
import type { Actor } from '#server/access/actor.ts'
import { exchangeOf, keptExchange } from '#server/features/money/currency/exchange.ts'
import { beyondRate, readExchange } from '#server/features/money/currency/exchange.service.ts'
import { refuseUnpayable } from '#server/features/money/payment/payable.service.ts'
import { lackDocument } from '#server/features/money/own-document/due.service.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { needsFourEyes } from './four-eyes.service.ts'
import type { LockedInvoice } from './invoice.queries.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { balanceOf } from './money.queries.ts'
import { takeBackOffsets } from './offset.service.ts'
import { feeTransfers, refuseFee, type Fee } from './payment-fee.service.ts'
import { insertPayment, isBooked, listSources, lockCall, lockUnderWay, paymentByKey, setPaymentState } from './payment.queries.ts'
import { roundedTo, sentTransfer, settledTransfers } from './posting.ts'
import { takeStep, type Change } from './step.service.ts'
import { ofPayment, settleSums, sumsAfter } from './sums.service.ts'

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
    // of another invoice at this moment: it waits, and finds the first; a key names one call
    await lockCall(trx, asked.call)
    if ((await paymentByKey(trx, asked.call)) !== undefined) throw new AppError('conflict')
    const { payment } = asked
    const amount = toUnits(payment.amount)
    const open = toUnits(invoice.open)
    await refuseAhead(trx, now, payment.day)
    await refuseAmount(trx, invoice, payment, { amount, open })
    await refuseAlone(change, amount - open)
    const { affiliate_id: affiliateId, payment_system: system, currency } = invoice
    await refuseUnpayable(trx, { secretKey, now }, { affiliateId, system, currency })
    if (!payment.without_own_invoice && (await lackDocument(trx, [invoice])).size > 0) throw new AppError('own_invoice_missing')
    const onInvoice = amount < open ? amount : open
    const { source_id: sourceId, day, moved } = payment
    const charged = toUnits(payment.charged)
    const by = await readExchange(trx, { amount: amount - charged, currency, sourceId, day, moved })
    await refuseBeyond(change, beyondRate(amount - charged, by))
    const fee = await refuseFee(trx, now, payment, { amount: payment.amount, currency, sourceId, by })
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
      charged: fromUnits(charged),
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
      ...(payment.settled ? settledTransfers(invoice, when('settled'), { amount, sourceId, by, charged }) : []),
      ...(await feeTransfers(change, made.id, payment.settled ? 'settled' : 'sent', fee)),
    ])
    return status
  })
}

/** Invoices a payment by hand may be on its way for; one of which all was credited meanwhile is paid. */
const UNDER_WAY = ['approved', 'partly_paid', 'paid'] as const

/** Says that the payment on its way has arrived. */
export function settlePayment(db: Db, now: number, actor: Actor, asked: Asked & Fee): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'payment_settled', from: UNDER_WAY }, async (change) => {
    const { trx, invoice, at } = change
    const payment = await underWay(trx, invoice)
    await setPaymentState(trx, payment.id, 'settled', at)
    const onInvoice = toUnits(payment.on_invoice)
    const status = await settleSums(change, sumsAfter(invoice, 'settled', onInvoice))
    const [amount, charged, by] = [toUnits(payment.amount), toUnits(payment.charged), exchangeOf(payment, toUnits)]
    const { source_id: sourceId, currency } = payment
    const fee = await refuseFee(trx, now, asked, { amount: payment.amount, currency, sourceId, by })
    await post(trx, [
      ...settledTransfers(invoice, ofPayment(change, payment.id, 'settled'), { amount, sourceId, by, charged }),
      ...(await feeTransfers(change, payment.id, 'settled', fee)),
    ])
    return status
  })
}

/** Says that the payment on its way did not arrive. Where later invoices used what it paid in advance, the latest are open again first. */
export function failPayment(db: Db, now: number, actor: Actor, asked: Asked & Fee & { reason: string }): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'payment_failed', from: UNDER_WAY }, async (change) => {
    const { trx, invoice, at } = change
    const payment = await underWay(trx, invoice)
    await setPaymentState(trx, payment.id, 'failed', at)
    const onInvoice = toUnits(payment.on_invoice)
    const inAdvance = toUnits(payment.amount) - onInvoice
    const { source_id: sourceId, currency, amount } = payment
    const fee = await refuseFee(trx, now, asked, { amount, currency, sourceId, by: exchangeOf(payment, toUnits) })
    const cause = { paymentId: payment.id, invoiceId: invoice.id, why: whyOf(invoice, payment, asked.reason) }
    const back = await takeBackOffsets(change, invoice, { needed: inAdvance }, cause)
    const its = back.reopened.get(invoice.id) ?? invoice
    const status = await settleSums({ ...change, invoice: its }, sumsAfter(its, 'failed', onInvoice))
    await post(trx, [
      ...back.transfers,
      sentTransfer(invoice, ofPayment(change, payment.id, 'failed'), { onInvoice: -onInvoice, inAdvance: -inAdvance }),
      ...(await feeTransfers(change, payment.id, 'failed', fee)),
    ])
    return status
  })
}

/** A payment as the history of another invoice names it: which one it was for, its number at the bank, and why. */
export function whyOf({ number }: { number: string | null }, payment: { external_id: string; day: string }, reason: string): string {
  return [number, payment.external_id || payment.day, reason].filter(Boolean).join(' · ')
}

/** A payment of a day that has not come could neither be given back nor stand in the books of its month. */
async function refuseAhead(trx: Trx, now: number, day: string): Promise<void> {
  const { time_zone } = await getGeneralSettings(trx)
  if (day > dayIn(now, time_zone)) throw new AppError('invalid_input', { fields: { day: 'A day until today' } })
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
  const charged = toUnits(payment.charged)
  if (roundedTo(decimals, charged) !== charged) refuse('charged', 'More decimals than this currency has')
  if (charged >= amount) refuse('charged', 'A fee is less than its payment')
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

/** Nor does one person alone let much more leave an account than the rate of the day makes of a payment. */
async function refuseBeyond({ trx, invoice, at, actor }: Change, beyond: bigint): Promise<void> {
  if (beyond <= 0n) return
  const asked = {
    amount: fromUnits(beyond),
    currency: invoice.currency,
    permission: 'billing.approve',
    actorId: actor.accountId,
  } as const
  if (await needsFourEyes(trx, at.getTime(), asked))
    throw new AppError('invalid_input', {
      fields: { moved: 'So far from the rate takes two people: book the rest as a payment in advance that somebody else confirms' },
    })
}

async function underWay(trx: Trx, invoice: LockedInvoice) {
  const payment = await lockUnderWay(trx, invoice.id)
  if (payment === undefined) throw new AppError('status_not_allowed')
  // with others of its file: one transfer of the bank is settled as a whole
  if (payment.payout_id !== null) throw new AppError('in_payout_file')
  return payment
}
