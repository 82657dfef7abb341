import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { InvoiceStatus } from '#contract/money/invoice.ts'
import { updateInvoice } from './invoice.queries.ts'
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
  if (isPaid !== wasPaid) await setPaid(trx, invoice.id, isPaid ? 'paid' : 'invoiced')
  return isPaid ? 'paid' : sums.paid > 0n ? 'partly_paid' : 'approved'
}

/** What the bookings of a payment are called. */
export function ofPayment(
  { at, actor }: Pick<Change, 'at' | 'actor'>,
  id: number,
  part: 'sent' | 'settled' | 'failed' | 'returned' | 'fee',
) {
  return { key: `payment:${id}:${part}`, kind: `payment_${part}`, at, actorId: actor.accountId, document: { payment_id: id } }
}
