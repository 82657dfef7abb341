import { money } from '#web/format.ts'
import { decimalText } from '#web/kit/fields/decimal.ts'

/** What somebody types as an amount, as it will be booked: with its currency; nothing while it is no amount. */
export function sumTyped(typed: string, currency: string | null): string {
  const amount = decimalText(typed)
  return currency !== null && /^-?\d{1,14}(\.\d{1,8})?$/.test(amount) ? money(amount, currency) : ''
}
