import { z } from 'zod'
import { day, moment, requiredLine, uuid } from '#contract/fields.ts'
import { reportDay } from '#contract/traffic/period.ts'
import { currency, positiveAmount } from './amount.ts'
import { movedShown } from './currency-rate.ts'

export const PAYMENT_STATES_OUT = ['planned', 'sent', 'settled', 'failed', 'returned', 'cancelled'] as const

/** The reason of payments whose file was taken back before it left: they did not fail, they go out anew. */
export const RECALLED = 'recalled'

/** A payment on an invoice as both sides read it. */
export const payment = z.object({
  uuid,
  id: z.int(),
  amount: z.string(),
  /** Of the amount; the rest was paid in advance. */
  on_invoice: z.string(),
  currency,
  state: z.enum(PAYMENT_STATES_OUT),
  day,
  external_id: z.string(),
  /** Of the amount, what was kept back for the fee and never reached the affiliate. */
  charged: z.string(),
  created_at: moment,
  /** When it arrived; one that came back has. */
  settled_at: moment.nullable(),
  /** Why it did not arrive, or came back. */
  reason: z.string(),
})

/** What staff read of a payment beside what its affiliate does. */
export const staffPayment = payment.extend({
  source: z.string(),
  note: z.string(),
  actor: z.string().nullable(),
  moved: movedShown.nullable(),
  /** What the bank took for it and for its return, in the currency its account is booked in. */
  fee: z.string(),
  fee_currency: currency,
  /** When the bank gave it back. */
  ended_day: day.nullable(),
  /** One of a payout file is settled and given back there. */
  in_file: z.boolean(),
})
export type InvoicePayment = z.output<typeof staffPayment>

/** What a bank took for a payment by hand, in the currency its account is booked in. */
export const feeInput = {
  fee: positiveAmount.default('0'),
  /** Although it is more than a tenth of the payment. */
  fee_sure: z.boolean().default(false),
}

/** Which payment a bank gave back. */
export const givenBack = {
  payment_uuid: uuid,
  /** When the money was back. */
  day: reportDay,
  /** The affiliate reads it. */
  reason: requiredLine(300),
  ...feeInput,
}
