import { move, Refused, refuseIf } from './books.ts'
import { landing, moveExchange } from './exchange.ts'
import type { Invoice, Model, Offset, Payment } from './state.ts'

/** No. 19; below zero no. 22. */
export function sent({ books }: Model, { affiliate, currency }: Invoice, onInvoice: bigint, excess: bigint): void {
  move(books, currency, ['affiliate_invoiced', affiliate], ['affiliate_transit', affiliate], onInvoice)
  move(books, currency, ['affiliate_prepaid', affiliate], ['affiliate_transit', affiliate], excess)
}

/** No. 16 backwards. */
export function takeBack({ books }: Model, invoice: Invoice, offset: Offset): void {
  offset.back = true
  invoice.offset -= offset.amount
  move(books, invoice.currency, ['affiliate_prepaid', invoice.affiliate], ['affiliate_invoiced', invoice.affiliate], offset.amount)
}

/** The payment that was sent by hand and has not arrived. */
export function underWay({ payments }: Invoice): Payment {
  const payment = payments.find(({ state }) => state === 'sent')
  if (payment === undefined) throw new Refused('status_not_allowed')
  refuseIf(payment.payout !== null, 'in_payout_file')
  return payment
}

/** No. 20 and 33. */
export function arrived(model: Model, { affiliate, currency }: Invoice, { amount, by }: Payment): void {
  move(model.books, currency, ['affiliate_transit', affiliate], landing(model, by), amount)
  moveExchange(model.books, model.source, by, -1n)
}
