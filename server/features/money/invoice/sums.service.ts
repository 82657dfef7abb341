import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { InvoiceStatus } from '#contract/money/invoice.ts'
import { lapseProposals } from '#server/features/money/second-person/proposed.queries.ts'
import { updateInvoice, type LockedInvoice } from './invoice.queries.ts'
import { setPaid } from './line.queries.ts'
import type { Change } from './step.service.ts'

/** Writes what is open, planned, on its way and paid, and says of the conversions whether they are; answers the status it comes to. */
export async function settleSums(
  { trx, invoice, at }: Change,
  sums: { open: bigint; planned?: bigint; sent: bigint; paid: bigint },
): Promise<InvoiceStatus> {
  const planned = sums.planned ?? toUnits(invoice.planned)
  const isPaid = sums.open === 0n && planned === 0n && sums.sent === 0n
  const wasPaid = invoice.paid_at !== null
  await updateInvoice(trx, invoice.id, {
    open: fromUnits(sums.open),
    planned: fromUnits(planned),
    sent: fromUnits(sums.sent),
    paid: fromUnits(sums.paid),
    paid_at: isPaid ? (invoice.paid_at ?? at) : null,
  })
  // nothing is owed on it any more: what somebody proposed to pay has no invoice
  if (isPaid) await lapseProposals(trx, { invoice_id: invoice.id }, at)
  if (isPaid !== wasPaid) await setPaid(trx, invoice.id, isPaid ? 'paid' : 'invoiced')
  return isPaid ? 'paid' : sums.paid > 0n ? 'partly_paid' : 'approved'
}

/**
 * What is open, on its way and paid of an invoice after a payment of which so much is on it has ended. What of the payment is in advance is
 * no part of these: a credit note over changes may have made it so while the payment was on its way.
 */
export function sumsAfter(
  invoice: Pick<LockedInvoice, 'open' | 'sent' | 'paid'>,
  become: 'settled' | 'settled_late' | 'failed' | 'returned',
  onInvoice: bigint,
): { open: bigint; sent: bigint; paid: bigint } {
  const [open, sent, paid] = [toUnits(invoice.open), toUnits(invoice.sent), toUnits(invoice.paid)]
  switch (become) {
    case 'settled':
      return { open, sent: sent - onInvoice, paid: paid + onInvoice }
    case 'settled_late':
      return { open: open - onInvoice, sent, paid: paid + onInvoice }
    case 'failed':
      return { open: open + onInvoice, sent: sent - onInvoice, paid }
    case 'returned':
      return { open: open + onInvoice, sent, paid: paid - onInvoice }
  }
}

/** What the bookings of a payment are called. */
export function ofPayment(
  { at, actor }: Pick<Change, 'at' | 'actor'>,
  id: number,
  part: 'sent' | 'settled' | 'failed' | 'returned' | 'fee',
) {
  return { key: `payment:${id}:${part}`, kind: `payment_${part}` as const, at, actorId: actor.accountId, document: { payment_id: id } }
}
