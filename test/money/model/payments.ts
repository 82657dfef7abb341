import { balance, move, Refused, refuseIf } from './books.ts'
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

/** Later invoices that used what is not there any more are open again, the latest first, until so much is prepaid. */
export function reopen(model: Model, invoice: Invoice, needed: bigint): void {
  const { affiliate, currency } = invoice
  if (needed === 0n) return
  for (const offset of model.offsets.toReversed()) {
    const its = model.invoices.get(offset.invoice)!
    if (balance(model.books, 'affiliate_prepaid', affiliate, currency) >= needed) break
    if (offset.back || its.affiliate !== affiliate || its.currency !== currency) continue
    takeBack(model, its, offset)
    its.open += offset.amount
    if (its === invoice) continue
    follow(model, its)
    its.revision++
  }
}

/** What an issued invoice is follows what is settled, and so do its conversions. */
export function follow(model: Model, invoice: Invoice): void {
  const isPaid = invoice.open + invoice.planned + invoice.sent === 0n
  invoice.status = isPaid ? 'paid' : invoice.paid > 0n ? 'partly_paid' : 'approved'
  for (const { kind, about } of invoice.lines) {
    const one = model.conversions.get(about)
    if (kind === 'conversion' && one !== undefined && one.state !== 'open') one.state = isPaid ? 'paid' : 'invoiced'
  }
}
