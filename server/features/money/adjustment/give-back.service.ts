import type { z } from 'zod'
import type { adjustmentApi } from '#contract/money/adjustment.ts'
import { toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { exchangeOf } from '#server/features/money/currency/exchange.ts'
import { refuseGivenBackDay } from '#server/features/money/payment/day.service.ts'
import { takeBackOffsets } from '#server/features/money/invoice/offset.service.ts'
import { feeTransfers, refuseFee } from '#server/features/money/invoice/payment-fee.service.ts'
import { keepGivenBack, lockPayment } from '#server/features/money/invoice/payment.queries.ts'
import { whyOf } from '#server/features/money/invoice/payment.service.ts'
import { returnedTransfers } from '#server/features/money/invoice/posting.ts'
import { lockBilling } from '#server/features/money/invoice/step.service.ts'
import { ofPayment } from '#server/features/money/invoice/sums.service.ts'
import { tellBack } from '#server/features/money/invoice/tell.service.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { findPrepayment } from './adjustment.queries.ts'

/**
 * Says that the bank gave back a payment in advance that no invoice was for (money.md 2, no. 23): where later invoices used it, the latest
 * are open again, and the affiliate is told. The same again is answered as it is. Throws `not_found`, `in_payout_file`, `status_not_allowed`.
 */
export async function giveBackPrepayment(
  db: Db,
  now: number,
  actor: Actor,
  asked: { uuid: string } & z.output<typeof adjustmentApi.giveBack.body>,
): Promise<void> {
  const { uuid, day, reason } = asked
  await db.transaction().execute(async (trx) => {
    const found = await findPrepayment(trx, actor.scope, uuid)
    if (found === undefined) throw new AppError('not_found')
    await lockBilling(trx, found)
    const payment = await lockPayment(trx, uuid)
    if (payment === undefined) throw new AppError('not_found')
    if (payment.payout_id !== null) throw new AppError('in_payout_file')
    if (payment.state === 'returned' && payment.ended_day === day && payment.reason === reason) return
    if (payment.state !== 'settled') throw new AppError('status_not_allowed')
    await refuseGivenBackDay(trx, now, day, payment.day)
    const step = { trx, at: new Date(now), actor }
    const { amount: text, source_id: sourceId, currency } = payment
    const [amount, by] = [toUnits(text), exchangeOf(payment, toUnits)]
    const fee = await refuseFee(step, asked, { amount: text, currency, sourceId, by }, payment)
    await keepGivenBack(trx, payment.id, { ended_day: day, reason })
    const why = whyOf({ number: null }, payment, reason)
    const back = await takeBackOffsets(step, found, { needed: amount }, { paymentId: payment.id, invoiceId: null, why })
    const charged = toUnits(payment.charged)
    await post(trx, [
      ...back.transfers,
      ...returnedTransfers(found, ofPayment(step, payment.id, 'returned'), { amount, sourceId, by, charged, inAdvance: amount }),
      ...(await feeTransfers(step, payment.id, 'returned', fee)),
    ])
    await recordAudit(trx, actor, now, {
      action: 'prepayment_returned',
      entity: 'affiliate',
      entityId: found.affiliate_id,
      after: { amount: text, currency, day, reason },
    })
    await tellBack(trx, now, { ...found, number: null }, 'returned', { amount: text, why, once: `payment ${payment.id} back` })
  })
}
