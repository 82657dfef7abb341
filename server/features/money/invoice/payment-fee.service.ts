import { fromUnits, toUnits, type Currency } from '#contract/money/amount.ts'
import { sourceCurrency } from '#server/features/money/currency/currency.queries.ts'
import type { Exchanged } from '#server/features/money/currency/exchange.ts'
import type { Transfer } from '#server/features/money/ledger/posting.service.ts'
import { FEE_REFUSED, feeJudge } from './judge-fee.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { aloneToday, lockAlone } from '#server/features/money/second-person/alone.service.ts'
import { addPaymentFee } from './payment.queries.ts'
import { feeTransfer } from './posting.ts'
import { isAlone } from '#server/features/money/second-person/four-eyes.service.ts'
import type { Change } from './step.service.ts'
import { ofPayment } from './sums.service.ts'

/** What a bank is said to have taken, and whether somebody is sure of it although it is much. */
export type Fee = { fee: string; fee_sure: boolean }
type Of = { amount: string; currency: Currency; sourceId: number; by: Exchanged | null }
/** What was taken for a payment before, and who booked it. */
type Before = { id: number | null; fee: string; made_by: number | null }
/** A fee that may be booked, in the currency its source is booked in; odd is one somebody had to confirm. */
export type Taken = { units: bigint; currency: Currency; sourceId: number; isOdd: boolean }

/** The currency a fee is booked in: what moved for the payment, what its source holds, or its own where that holds any. */
export async function feeCurrency(db: DbOrTrx, { currency, sourceId, by }: Omit<Of, 'amount'>): Promise<Currency> {
  return by?.currency ?? (await sourceCurrency(db, sourceId)) ?? currency
}

/**
 * What a bank took for a payment by hand (no. 21), in the currency of its source; what it took before counts with it, so that no fee is small
 * because it comes in parts, and so does what its booker gave alone within a day. Throws `invalid_input` where it cannot be, is to be confirmed, or is more than who booked the payment confirms
 * alone.
 */
export async function refuseFee(
  { trx, at, actor }: Pick<Change, 'trx' | 'at' | 'actor'>,
  { fee, fee_sure }: Fee,
  of: Of,
  before: Before,
): Promise<Taken> {
  const { amount, currency, sourceId, by } = of
  const judged = { amount, currency, source_id: sourceId, moved_currency: by?.currency ?? null, fee: before.fee }
  const wrong = await feeJudge(trx, at.getTime())(fee, judged)
  const refuse = (field: string, text: string) => {
    throw new AppError('invalid_input', { fields: { [field]: text } })
  }
  if (wrong !== null && (wrong !== 'odd' || !fee_sure)) refuse(wrong === 'odd' ? 'fee_sure' : 'fee', FEE_REFUSED[wrong])
  const booked = await feeCurrency(trx, of)
  const sum = fromUnits(toUnits(before.fee) + toUnits(fee))
  if (wrong === 'odd') {
    const alone = { amount: sum, currency: booked, permission: 'billing.approve', actorId: actor.accountId } as const
    await lockAlone(trx, actor.accountId)
    const besides = await aloneToday(trx, at, actor.accountId, before.id)
    if (await isAlone(trx, at.getTime(), [before.made_by], { ...alone, besides }))
      refuse('fee', 'So much takes two people: somebody else than who booked the payment says it')
  }
  return { units: toUnits(fee), currency: booked, sourceId, isOdd: wrong === 'odd' }
}

/** Keeps a fee with its payment; answers what is to be booked. One is said with each step of a payment at most. */
export async function feeTransfers(
  { trx, at, actor }: Pick<Change, 'trx' | 'at' | 'actor'>,
  paymentId: number,
  part: 'sent' | 'settled' | 'failed' | 'returned',
  { units, currency, sourceId }: Omit<Taken, 'isOdd'>,
): Promise<Transfer[]> {
  if (units <= 0n) return []
  if (!(await addPaymentFee(trx, paymentId, fromUnits(units), currency)))
    throw new AppError('invalid_input', { fields: { fee: FEE_REFUSED.currency } })
  const when = ofPayment({ at, actor }, paymentId, 'fee')
  return [feeTransfer({ currency }, { ...when, key: `${when.key}:${part}` }, units, sourceId)]
}
