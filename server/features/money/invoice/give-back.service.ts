import { toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { exchangeOf } from '#server/features/money/currency/exchange.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import { refuseGivenBackDay } from '#server/features/money/payment/day.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { takeBackOffsets } from './offset.service.ts'
import { feeTransfers, refuseFee, type Fee } from './payment-fee.service.ts'
import { keepGivenBack, lockPayment } from './payment.queries.ts'
import { whyOf } from './payment.service.ts'
import { returnedTransfers } from './posting.ts'
import { takeStep } from './step.service.ts'
import { ofPayment, settleSums, sumsAfter } from './sums.service.ts'
import { tellBack } from './tell.service.ts'

type Asked = { key: string; revision: number; payment_uuid: string; day: string; reason: string } & Fee

/**
 * Says that the bank gave back a payment by hand that had arrived (money.md 2, no. 23): what it was for is owed again, its conversions are
 * `invoiced` again, and where later invoices used what it paid in advance, the latest are open again first. The affiliate is told. Throws
 * `in_payout_file`, `status_not_allowed`, `not_found`.
 */
export function giveBackPayment(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  const { payment_uuid: uuid, reason } = asked
  const isAgain = async (trx: Trx, invoiceId: number) => {
    const payment = await lockPayment(trx, uuid)
    const isSame = payment?.invoice_id === invoiceId && payment.state === 'returned' && payment.payout_id === null
    return isSame && payment.ended_day === asked.day && payment.reason === reason
  }
  // a cancelled one may have been paid in advance by what came back
  const from = ['approved', 'partly_paid', 'paid', 'cancelled'] as const
  return takeStep(db, now, actor, { ...asked, event: 'payment_returned', from, isAgain }, async (change) => {
    const { trx, invoice } = change
    const payment = await lockPayment(trx, uuid)
    if (payment === undefined || payment.invoice_id !== invoice.id) throw new AppError('not_found')
    if (payment.payout_id !== null) throw new AppError('in_payout_file')
    if (payment.state !== 'settled') throw new AppError('status_not_allowed')
    await refuseGivenBackDay(trx, now, asked.day, payment.day)
    const { amount: text, source_id: sourceId, currency } = payment
    const [amount, onInvoice, by] = [toUnits(text), toUnits(payment.on_invoice), exchangeOf(payment, toUnits)]
    const inAdvance = amount - onInvoice
    const fee = await refuseFee(change, asked, { amount: text, currency, sourceId, by }, payment)
    await keepGivenBack(trx, payment.id, { ended_day: asked.day, reason })
    const cause = { paymentId: payment.id, invoiceId: invoice.id, why: whyOf(invoice, payment, reason) }
    const back = await takeBackOffsets(change, invoice, { needed: inAdvance }, cause)
    const its = back.reopened.get(invoice.id) ?? invoice
    // nothing is paid on a cancelled one: all of the payment was in advance
    const status =
      invoice.status === 'cancelled' ? invoice.status : await settleSums({ ...change, invoice: its }, sumsAfter(its, 'returned', onInvoice))
    await post(trx, [
      ...back.transfers,
      ...returnedTransfers(invoice, ofPayment(change, payment.id, 'returned'), {
        amount,
        sourceId,
        by,
        charged: toUnits(payment.charged),
        inAdvance,
      }),
      ...(await feeTransfers(change, payment.id, 'returned', fee)),
    ])
    await tellBack(trx, now, invoice, 'returned', { amount: text, why: reason, once: `payment ${payment.id} back` })
    return status
  })
}
