import type { z } from 'zod'
import { addAmounts, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { InvoiceStatus, invoiceApi } from '#contract/money/invoice.ts'
import type { Actor } from '#server/access/actor.ts'
import { exchangeOf, keptExchange } from '#server/features/money/currency/exchange.ts'
import { beyondRate, readExchange } from '#server/features/money/currency/exchange.service.ts'
import { refuseAhead } from '#server/features/money/payment/day.service.ts'
import { refuseUnpayable } from '#server/features/money/payment/payable.service.ts'
import { lackDocument } from '#server/features/money/invoice/objection/due-document.service.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import { insertProposal, proposalByKey } from '#server/features/money/second-person/proposed.queries.ts'
import type { AdvanceAsked } from '#server/rules/proposal-asked.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import type { Alone } from '#server/features/money/second-person/alone.queries.ts'
import { aloneToday, lockAlone } from '#server/features/money/second-person/alone.service.ts'
import { askedDigest } from './asked-digest.ts'
import { needsFourEyes } from '#server/features/money/second-person/four-eyes.service.ts'
import { refuseBeyondDebt } from './debt.service.ts'
import type { LockedInvoice } from './invoice.queries.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { balanceOf } from './money.queries.ts'
import { takeBackOffsets } from './offset.service.ts'
import { feeTransfers, refuseFee, type Fee } from './payment-fee.service.ts'
import { insertPayment, isBooked, listSources, lockCall, lockUnderWay, paymentByKey, setPaymentState } from './payment.queries.ts'
import { roundedTo, sentTransfer, settledTransfers } from './posting.ts'
import { stepWithin, takeStep, type Change } from './step.service.ts'
import { ofPayment, settleSums, sumsAfter } from './sums.service.ts'
import { tellBack } from './tell.service.ts'

type Asked = { key: string; revision: number }
type Payment = Omit<z.output<typeof invoiceApi.pay.body>, 'revision' | 'key'>

/**
 * Books a payment on an issued invoice: sent, and arrived where that is known. What is more than open is paid in advance, where that is
 * said, and runs down by later invoices; above the limit of four eyes it is only proposed, and so is one of which much more left an account than the rate makes of it. A method that is locked or wrong is not paid to. `call` is the key of the call: sent again, it is the same payment.
 */
export async function payInvoice(
  { db, secretKey }: { db: Db; secretKey: string | null },
  now: number,
  actor: Actor,
  asked: Asked & { payment: Payment; call: string },
): Promise<void> {
  const event = asked.payment.settled ? 'payment_settled' : 'payment_sent'
  const isAgain = (trx: Trx, invoiceId: number) => isSameCall(trx, invoiceId, actor, asked)
  await takeStep(db, now, actor, { ...asked, event, from: ['approved', 'partly_paid', 'paid'], isAgain }, async (change) => {
    const { trx, invoice, at } = change
    if (invoice.status === 'paid') throw new AppError('paid_already')
    // of another invoice at this moment: it waits, and finds the first; a key names one call
    await lockCall(trx, asked.call)
    if (await isAgain(trx, invoice.id)) throw new AppError('conflict')
    const { payment, call } = asked
    const { currency } = invoice
    const asks = await refusePayment(change, secretKey, payment)
    if (await takesTwo(change, asks)) {
      const about = { invoice_id: invoice.id, kind: 'advance' as const, currency, amount: payment.amount, note: payment.note }
      const proposed = { ...about, key: call, asked: { advance: { ...payment, call } } }
      await insertProposal(trx, { ...proposed, made_by: actor.accountId, created_at: at })
      return { event: 'payment_proposed' }
    }
    return bookPayment(change, { payment, call, madeBy: actor.accountId }, asks)
  })
}

/**
 * Whether this very call by this person has booked or proposed a payment of an invoice. A key names one call: whoever says something else
 * by it is not told that this was booked (`conflict`), nor is anybody of what was proposed and then refused or lapsed (`status_not_allowed`).
 */
async function isSameCall(trx: Trx, invoiceId: number, actor: Actor, { call, payment }: { call: string; payment: Payment }) {
  const digest = askedDigest(actor.accountId, payment)
  const known = await paymentByKey(trx, call)
  if (known !== undefined) {
    const { amount, source_id, day } = payment
    // what an older version booked says no more
    const isLike = toUnits(known.amount) === toUnits(amount) && known.source_id === source_id && known.day === day
    if (known.invoice_id !== invoiceId || !(known.asked === null ? isLike : known.asked === digest)) throw new AppError('conflict')
    return true
  }
  const proposed = await proposalByKey(trx, call)
  if (proposed === undefined) return false
  const { call: _call, ...advance } = proposed.asked !== null && 'advance' in proposed.asked ? proposed.asked.advance : { call }
  if (proposed.invoice_id !== invoiceId || askedDigest(proposed.made_by, advance) !== digest) throw new AppError('conflict')
  if (proposed.state !== 'open') throw new AppError('status_not_allowed')
  return true
}

/**
 * Books a proposed payment of which much is in advance, on its locked invoice: everything is looked at anew. Throws what booking one
 * throws, and `status_not_allowed` where nothing is owed on it any more.
 */
export async function confirmAdvance(
  step: Change,
  secretKey: string | null,
  { made_by: madeBy, asked }: { made_by: number; asked: AdvanceAsked },
): Promise<void> {
  const { trx, invoice, at, actor } = step
  if (invoice.deleted_at !== null || (invoice.status !== 'approved' && invoice.status !== 'partly_paid'))
    throw new AppError('status_not_allowed')
  const { call, leave_debt = false, ...said } = asked.advance
  const payment = { ...said, leave_debt }
  const event = payment.settled ? 'payment_settled' : 'payment_sent'
  await stepWithin(trx, at.getTime(), actor, invoice, { event, ...(payment.note && { reason: payment.note }) }, async (change) =>
    bookPayment(change, { payment, call, madeBy }, await refusePayment(change, secretKey, payment)),
  )
}

type Asks = Awaited<ReturnType<typeof refusePayment>>

/** Whether a payment may be made as it is asked for; answers what it moves. */
async function refusePayment(change: Change, secretKey: string | null, payment: Payment) {
  const { trx, invoice, at } = change
  const now = at.getTime()
  const amount = toUnits(payment.amount)
  const open = toUnits(invoice.open)
  await refuseAhead(trx, now, payment.day)
  await refuseAmount(trx, invoice, payment, { amount, open })
  const { affiliate_id: affiliateId, payment_system: system, currency } = invoice
  await refuseUnpayable(trx, { secretKey, now }, { affiliateId, system, currency })
  if (!payment.without_own_invoice && (await lackDocument(trx, [invoice])).size > 0) throw new AppError('own_invoice_missing')
  // what is more than open is said to be in advance
  if (!payment.leave_debt) await refuseBeyondDebt(trx, invoice, amount < open ? amount : open)
  const { source_id: sourceId, day, moved } = payment
  const charged = toUnits(payment.charged)
  const by = await readExchange(trx, { amount: amount - charged, currency, sourceId, day, moved })
  // who asks for more than one person alone may say proposes it
  const fee = await refuseFee(change, payment, { amount: payment.amount, currency, sourceId, by }, { id: null, fee: '0', made_by: null })
  return { amount, open, charged, by, fee }
}

async function bookPayment(
  change: Change,
  { payment, call, madeBy }: { payment: Payment; call: string; madeBy: number },
  { amount, open, charged, by, fee }: Asks,
): Promise<InvoiceStatus> {
  const { trx, invoice, at } = change
  const { source_id: sourceId } = payment
  const onInvoice = amount < open ? amount : open
  const made = await insertPayment(trx, {
    key: call,
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
    made_by: madeBy,
    created_at: at,
    settled_at: payment.settled ? at : null,
    charged: fromUnits(charged),
    asked: askedDigest(madeBy, payment),
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
    const fee = await refuseFee(change, asked, { amount: payment.amount, currency, sourceId, by }, payment)
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
    await setPaymentState(trx, payment.id, 'failed', at, asked.reason)
    const onInvoice = toUnits(payment.on_invoice)
    const inAdvance = toUnits(payment.amount) - onInvoice
    const { source_id: sourceId, currency, amount } = payment
    const fee = await refuseFee(change, asked, { amount, currency, sourceId, by: exchangeOf(payment, toUnits) }, payment)
    const cause = { paymentId: payment.id, invoiceId: invoice.id, why: whyOf(invoice, payment, asked.reason) }
    const back = await takeBackOffsets(change, invoice, { needed: inAdvance }, cause)
    const its = back.reopened.get(invoice.id) ?? invoice
    const status = await settleSums({ ...change, invoice: its }, sumsAfter(its, 'failed', onInvoice))
    await post(trx, [
      ...back.transfers,
      sentTransfer(invoice, ofPayment(change, payment.id, 'failed'), { onInvoice: -onInvoice, inAdvance: -inAdvance }),
      ...(await feeTransfers(change, payment.id, 'failed', fee)),
    ])
    await tellBack(trx, now, invoice, 'failed', { amount, why: asked.reason, once: `payment ${payment.id} failed` })
    return status
  })
}

/** A payment as the history of another invoice names it: which one it was for, its number at the bank, and why. */
export function whyOf({ number }: { number: string | null }, payment: { external_id: string; day: string }, reason: string): string {
  return [number, payment.external_id || payment.day, reason].filter(Boolean).join(' · ')
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

/**
 * What one person alone pays an affiliate in advance stays below the limit of four eyes, however many payments it takes. Nor does one
 * person alone let much more leave an account than the rate of the day makes of a payment, or say that a bank took a large part of one:
 * all of that counts together, with what this person gave so within a day to whichever affiliates.
 */
async function takesTwo({ trx, invoice, at, actor }: Change, { amount, open, charged, by, fee }: Asks): Promise<boolean> {
  const { affiliate_id, currency } = invoice
  const beyond = beyondRate(amount - charged, by)
  const ahead = amount > open ? amount - open : 0n
  if (beyond === 0n && !fee.isOdd && ahead === 0n) return false
  await lockAlone(trx, actor.accountId)
  const given = await aloneToday(trx, at, actor.accountId)
  const isHere = (one: Alone) => one.kind === 'advance' && one.affiliate_id === affiliate_id && one.currency === currency
  // what was paid in advance today is part of what is there, unless an invoice has used it
  const today = given.filter(isHere).reduce((sum, one) => sum + toUnits(one.amount), 0n)
  const there = ahead === 0n ? 0n : toUnits(await balanceOf(trx, 'affiliate_prepaid', affiliate_id, currency))
  const besides = given.filter((one) => !isHere(one))
  if (fee.isOdd) besides.push({ kind: 'fee', affiliate_id, amount: fromUnits(fee.units), currency: fee.currency })
  const own = fromUnits(beyond + ahead + (there > today ? there : today))
  return needsFourEyes(trx, at.getTime(), { amount: own, currency, permission: 'billing.approve', actorId: actor.accountId, besides })
}

async function underWay(trx: Trx, invoice: LockedInvoice) {
  const payment = await lockUnderWay(trx, invoice.id)
  if (payment === undefined) throw new AppError('status_not_allowed')
  // with others of its file: one transfer of the bank is settled as a whole
  if (payment.payout_id !== null) throw new AppError('in_payout_file')
  return payment
}
