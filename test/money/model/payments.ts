import { balance, move, parse, Refused, refuseIf, round } from './books.ts'
import { isCallAgain } from './calls.ts'
import { landing, moveExchange } from './exchange.ts'
import type { By, Invoice, Model, Offset, Payment } from './state.ts'

/** No. 19; below zero no. 22. */
export function sent(
  { books }: Model,
  { affiliate, currency }: Pick<Invoice, 'affiliate' | 'currency'>,
  onInvoice: bigint,
  excess: bigint,
): void {
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
export function arrived(
  model: Model,
  { affiliate, currency }: Pick<Invoice, 'affiliate' | 'currency'>,
  { amount, by }: Pick<Payment, 'amount' | 'by'>,
): void {
  move(model.books, currency, ['affiliate_transit', affiliate], landing(model, by), amount)
  moveExchange(model.books, model.source, by, -1n)
}

/** No. 24: nothing of it is on an invoice yet. */
export function advance(model: Model, by: By, ask: { key: string; currency: string; amount: string }, affiliate: number): void {
  if (isCallAgain(model, by, ask.key)) return
  const amount = parse(ask.amount)
  refuseIf(amount <= 0n || round(amount, model.decimals(ask.currency)) !== amount, 'invalid_input')
  model.calls.set(ask.key, by.account)
  const whose = { affiliate, currency: ask.currency }
  sent(model, whose, 0n, amount)
  arrived(model, whose, { amount, by: null })
}

/** The step it is: the same again is who says the same day of it. */
export const givenBack = ({ payment, day }: { payment: { key: string }; day: string }) => ({
  event: 'payment_returned',
  from: ['approved', 'partly_paid', 'paid', 'cancelled'],
  again: ({ payments }: Invoice) => payments.some(({ key, state, back }) => key === payment.key && state === 'returned' && back === day),
})

/** No. 23 of a payment by hand: what it was for is owed again, and what was beyond that is not prepaid any more. */
export function giveBack(model: Model, invoice: Invoice, { payment: { key }, day }: { payment: { key: string }; day: string }): void {
  const payment = invoice.payments.find((one) => one.key === key)
  // those of files have keys of their own
  if (payment === undefined) throw new Refused('in_payout_file')
  refuseIf(payment.state !== 'settled', 'status_not_allowed')
  const { affiliate, currency } = invoice
  const { amount, onInvoice, by } = payment
  Object.assign(payment, { state: 'returned', back: day })
  reopen(model, invoice, amount - onInvoice)
  invoice.paid -= onInvoice
  invoice.open += onInvoice
  move(model.books, currency, landing(model, by), ['affiliate_invoiced', affiliate], onInvoice)
  move(model.books, currency, landing(model, by), ['affiliate_prepaid', affiliate], amount - onInvoice)
  moveExchange(model.books, model.source, by, 1n)
  if (invoice.status !== 'cancelled') follow(model, invoice)
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

/** The request a deleted invoice answered is open again; a later one is of so much more. */
export function reopenRequest(model: Model, { uuid, affiliate, currency }: Invoice): void {
  const all = [...model.requests.values()]
  const request = all.find(({ invoice }) => invoice === uuid)
  if (request === undefined) return
  const later = all.find((one) => one.state === 'open' && one.affiliate === affiliate && one.currency === currency)
  if (later !== undefined) later.amount += request.amount
  Object.assign(request, { state: later === undefined ? 'open' : 'withdrawn', invoice: null })
}
