import { addAmounts } from '#contract/money/amount.ts'
import { decimalText } from '#web/kit/fields/decimal.ts'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

type Fees = { fee: string; fee_sure: boolean }
/** `booked`: what fees of it are booked in; `before`: what was taken for it already. */
type Payment = { amount: string; currency: string; booked: string; before?: string }

/**
 * What a bank took for a payment in all, its part of it, and whether that is to be confirmed: where the server asks for it, where it is much
 * of the payment, and where it is in another currency, of which only the server can tell.
 */
export function feeAsked<Values extends Fees>(of: SaveForm<Values>, { amount, currency, booked, before = '0' }: Payment) {
  const typed = decimalText(of.values.fee)
  const all = /^\d+(\.\d{1,8})?$/.test(typed) ? addAmounts(before, typed) : before
  const isMuch = booked !== currency || Number(all) * 10 > Number(amount)
  const isAsked = of.values.fee_sure || of.form.errors['fee_sure'] !== undefined
  return { all, percent: (Number(all) / Number(amount)) * 100, isToConfirm: isAsked || (Number(typed) > 0 && isMuch) }
}
