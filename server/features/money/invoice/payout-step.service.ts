import { randomUUID } from 'node:crypto'
import type { AccountKind } from '#contract/money/account.ts'
import { addAmounts, fromUnits, toUnits, type Currency } from '#contract/money/amount.ts'
import { RECALLED } from '#contract/money/invoice-payment.ts'
import type { Actor } from '#server/access/actor.ts'
import { exchangeOf, keptExchange } from '#server/features/money/currency/exchange.ts'
import { exchangeAtRate } from '#server/features/money/currency/exchange.service.ts'
import type { Transfer } from '#server/features/money/ledger/posting.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { lockInvoice, type LockedInvoice } from './invoice.queries.ts'
import { takeBackOffsets } from './offset.service.ts'
import { feeCurrency, feeTransfers } from './payment-fee.service.ts'
import { insertPayment, keepExchange, keepNote, keepOnInvoice, setPaymentState } from './payment.queries.ts'
import { returnedTransfers, sentTransfer, settledTransfers } from './posting.ts'
import { stepWithin } from './step.service.ts'
import { ofPayment, settleSums, sumsAfter } from './sums.service.ts'
import { tellBack } from './tell.service.ts'

/** Who does something to the invoices of a payout file, and when; the caller holds `lockBilling` of the affiliate. */
export type By = { trx: Trx; now: number; actor: Actor; reason?: string }

/** Puts all that is open of an invoice into a payout: nobody else can pay it meanwhile. Books nothing. Throws `paid_already`. */
export async function planPayment(
  { trx, now, actor }: By,
  invoiceId: number,
  planned: { payoutId: number; sourceId: number; day: string; charged: string },
): Promise<string> {
  const invoice = await lockInvoice(trx, invoiceId)
  const open = toUnits(invoice.open)
  if ((invoice.status !== 'approved' && invoice.status !== 'partly_paid') || open === 0n) throw new AppError('paid_already')
  if (toUnits(invoice.sent) + toUnits(invoice.planned) > 0n) throw new AppError('paid_already')
  await stepWithin(trx, now, actor, invoice, { event: 'payment_planned' }, async (change) => {
    await insertPayment(trx, {
      key: randomUUID(),
      affiliate_id: invoice.affiliate_id,
      invoice_id: invoice.id,
      source_id: planned.sourceId,
      currency: invoice.currency,
      amount: fromUnits(open),
      on_invoice: fromUnits(open),
      state: 'planned',
      day: planned.day,
      made_by: actor.accountId,
      created_at: change.at,
      payout_id: planned.payoutId,
      charged: planned.charged,
    })
    return settleSums(change, { open: 0n, planned: open, sent: 0n, paid: toUnits(invoice.paid) })
  })
  return fromUnits(open)
}

/** A payment of a payout, as its rows tell. */
export type Part = {
  id: number
  invoice_id: number
  amount: string
  charged: string
  on_invoice: string
  moved_currency: Currency | null
  moved: string | null
  expected: string | null
}

/** What becomes of a planned payment: it is sent (no. 19), or its invoice is open again. Answers what is to be booked. */
export async function endPlan({ trx, now, actor, reason }: By, part: Part, to: 'sent' | 'cancelled'): Promise<Transfer[]> {
  const invoice = await lockInvoice(trx, part.invoice_id)
  const amount = toUnits(part.amount)
  const transfers: Transfer[] = []
  await stepWithin(trx, now, actor, invoice, { event: `payment_${to}`, ...(reason !== undefined && { reason }) }, async (change) => {
    await setPaymentState(trx, part.id, to, change.at)
    if (to === 'sent') transfers.push(sentTransfer(invoice, ofPayment(change, part.id, 'sent'), { onInvoice: amount, inAdvance: 0n }))
    const sums = { planned: toUnits(invoice.planned) - amount, paid: toUnits(invoice.paid) }
    const [open, sent] = [toUnits(invoice.open), toUnits(invoice.sent)]
    return settleSums(change, to === 'sent' ? { ...sums, open, sent: sent + amount } : { ...sums, open: open + amount, sent })
  })
  return transfers
}

/**
 * What became of a payment that was sent: it arrived (no. 20, 21), did not (22), or came back later (23). `settled_late`: it arrived after its
 * file had been taken back and it had failed, so that it is sent anew; what is not open on its invoice any more is prepaid (19). What a note
 * took off the invoice while it was on its way is prepaid too, and gone where it fails: later uses of it are taken back. `prepaid` is
 * what transfers that are not booked yet move on that account; `said` is another amount that a result named, kept with the payment. Answers what is to be booked.
 */
export async function endPayment(
  { trx, now, actor, reason = '' }: By,
  { said, ...part }: Part & { source_id: number; external_id: string; said?: string },
  become: 'settled' | 'settled_late' | 'failed' | 'returned',
  fee: bigint,
  prepaid: bigint,
): Promise<Transfer[]> {
  const invoice = await lockInvoice(trx, part.invoice_id)
  const [amount, charged] = [toUnits(part.amount), toUnits(part.charged)]
  const isLate = become === 'settled_late'
  const to = isLate ? 'settled' : become
  const onInvoice = isLate ? openOf(invoice, amount) : toUnits(part.on_invoice)
  const inAdvance = amount - onInvoice
  const transfers: Transfer[] = []
  await stepWithin(trx, now, actor, invoice, { event: `payment_${to}`, ...(reason !== '' && { reason }) }, async (change) => {
    await setPaymentState(trx, part.id, to, change.at)
    if (said !== undefined) await keepNote(trx, part.id, said)
    const when = ofPayment(change, part.id, to)
    // what the bank took for it nobody says: the rate of the day stands for it
    const asked = { amount: amount - charged, currency: invoice.currency, sourceId: part.source_id, at: now }
    const by = to === 'settled' ? await exchangeAtRate(trx, asked) : exchangeOf(part, toUnits)
    if (to === 'settled' && by !== null) await keepExchange(trx, part.id, keptExchange(by, fromUnits))
    const left = { amount, sourceId: part.source_id, by, charged }
    if (isLate) {
      await keepOnInvoice(trx, part.id, fromUnits(onInvoice))
      const anew = { ...ofPayment(change, part.id, 'sent'), key: `payment:${part.id}:sent:late` }
      transfers.push(sentTransfer(invoice, anew, { onInvoice, inAdvance }))
    }
    // what later invoices used of it is owed on them again
    const why = [invoice.number, part.external_id, reason].filter(Boolean).join(' · ')
    const cause = { paymentId: part.id, invoiceId: invoice.id, why }
    const needed = { needed: inAdvance, pending: prepaid }
    const back = to !== 'settled' && inAdvance > 0n ? await takeBackOffsets(change, invoice, needed, cause) : null
    if (back !== null) transfers.push(...back.transfers)
    if (to === 'settled') transfers.push(...settledTransfers(invoice, when, left))
    if (to === 'failed') transfers.push(sentTransfer(invoice, when, { onInvoice: -onInvoice, inAdvance: -inAdvance }))
    if (to === 'returned') transfers.push(...returnedTransfers(invoice, when, { ...left, inAdvance }))
    const currency = await feeCurrency(trx, { currency: invoice.currency, sourceId: part.source_id, by })
    transfers.push(...(await feeTransfers(change, part.id, to, { units: fee, currency, sourceId: part.source_id })))
    // a file that was taken back never left: its payments go out anew
    if (to === 'returned' || (to === 'failed' && reason !== RECALLED))
      await tellBack(trx, now, invoice, to, {
        amount: part.amount,
        why: reason,
        once: `payment ${part.id} ${to === 'failed' ? to : 'back'}`,
      })
    const again = back?.reopened.get(invoice.id)
    if (onInvoice === 0n && again === undefined) return undefined
    const its = { ...change, invoice: again ?? invoice }
    return settleSums(its, sumsAfter(its.invoice, become, onInvoice))
  })
  return transfers
}

/** What transfers move on the account of a kind of an affiliate; above zero is debit. */
export function movedOf(transfers: readonly Transfer[], of: AccountKind, affiliateId: number): bigint {
  const entries = transfers.flatMap((transfer) => transfer.entries)
  return entries.reduce((sum, { kind, owner, amount }) => (kind === of && owner === affiliateId ? sum + amount : sum), 0n)
}

/** Of an amount what its invoice can still be paid. */
function openOf({ status, open }: LockedInvoice, amount: bigint): bigint {
  if (status !== 'approved' && status !== 'partly_paid') return 0n
  return toUnits(open) < amount ? toUnits(open) : amount
}

/** How a sum that is kept back is shared among payments: each must stay above zero. The largest bears what it can, the rest the next. */
export function chargesOf(amounts: readonly string[], charged: string): string[] {
  let left = toUnits(charged)
  const shares = amounts.map(() => 0n)
  const order = amounts.map((amount, at) => ({ at, amount: toUnits(amount) })).toSorted((a, b) => (a.amount < b.amount ? 1 : -1))
  for (const { at, amount } of order) {
    const share = left < amount ? left : amount - 1n
    shares[at] = share
    left -= share
  }
  if (left > 0n) throw new Error(`a fee is not less than what is paid: ${addAmounts(...amounts)}`)
  return shares.map(fromUnits)
}
