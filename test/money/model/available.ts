import { balance, total } from './books.ts'
import { standing, worthAt } from './conversions.ts'
import type { Conversion, Invoice, Line, Model } from './state.ts'

/** It was not taken back. */
const isLive = ({ status, deleted }: Invoice) => status !== 'declined' && status !== 'cancelled' && !deleted
/** It has no number yet. */
export const isUnissued = (one: Invoice) => isLive(one) && (one.status === 'draft' || one.status === 'waiting')

/** The lines of a conversion that count. */
export function liveLines(model: Model, click: number): { line: Line; of: Invoice }[] {
  return [...model.invoices.values()]
    .filter(isLive)
    .flatMap((of) => of.lines.filter((line) => line.kind !== 'adjustment' && line.about === click).map((line) => ({ line, of })))
}

/** What an affiliate may have on an invoice in a currency, from before a moment; bonuses, corrections and later changes made before `adjusted`. */
export function available(model: Model, affiliate: number, currency: string, until: number, adjusted: number) {
  const own = [...model.conversions.values()].filter((one) => one.affiliate === affiliate && one.terms.currency === currency)
  const fresh = own.filter((one) => one.status === 'approved' && one.state === 'open' && one.createdAt < until)
  const again = own.filter(
    (one) =>
      one.state !== 'open' &&
      standing(one).payable !== one.invoiced &&
      !liveLines(model, one.click).some(({ of }) => isUnissued(of)) &&
      // what stood on an invoice with VAT is changed by a credit note alone
      (model.vatOf(affiliate) === '0' || (standing(one).payable < one.invoiced && !isLeft(model, one.click))),
  )
  const seen = (one: Conversion) => Math.max(0, ...liveLines(model, one.click).map(({ line }) => line.seen))
  const changed = again
    .map((one) => ({ one, due: worthAt(one, adjusted, seen(one)) }))
    .filter(({ one, due }) => due.payable !== one.invoiced)
  const taken = new Set(
    [...model.invoices.values()].filter(isLive).flatMap((of) => of.lines.flatMap((line) => (line.kind === 'adjustment' ? line.about : []))),
  )
  const adjustments = [...model.adjustments.entries()].filter(
    ([at, one]) => one.affiliate === affiliate && one.currency === currency && !one.gone && one.at < adjusted && !taken.has(at),
  )
  return { fresh, changed, adjustments: adjustments.map(([at]) => at) }
}
/** What may be put on an invoice. */
export type Available = ReturnType<typeof available>

/** Whether a note can still take something of the issued invoice a conversion stands on. */
function isLeft(model: Model, click: number): boolean {
  const isOn = ({ lines }: Invoice) => lines.some(({ kind, about }) => kind === 'conversion' && about === click)
  return [...model.invoices.values()].some((one) => isLive(one) && isOn(one) && one.net > one.creditedNet)
}

/** What available things come to. */
export function worthOf(model: Model, { fresh, changed, adjustments }: Available): bigint {
  return (
    total(fresh.map((one) => one.payout)) +
    total(changed.map(({ one, due }) => due.payable - one.invoiced)) +
    total(adjustments.map((at) => model.adjustments[at]!.amount))
  )
}

/** What an affiliate has available in a currency, below zero where it owes. */
export function owedTo({ books }: Model, affiliate: number, currency: string): bigint {
  const kinds = ['affiliate_available', 'affiliate_correction', 'affiliate_bonus', 'affiliate_referral']
  return -total(kinds.map((kind) => balance(books, kind, affiliate, currency)))
}

/** Whether so much more would be paid to somebody who owes than is owed to them with that taken off, beside what files hold. */
export function isBeyond(model: Model, affiliate: number, currency: string, amount: bigint): boolean {
  const available = owedTo(model, affiliate, currency)
  const own = [...model.invoices.values()].filter((one) => one.affiliate === affiliate && one.currency === currency)
  const held = total(own.map(({ planned }) => planned))
  return available < 0n && -balance(model.books, 'affiliate_invoiced', affiliate, currency) + available - held < amount
}
