import type { AdvertiserInvoiceStatus } from '#contract/money/advertiser-invoice.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Entry, Transfer } from '#server/features/money/ledger/posting.service.ts'
import { lapseProposals } from '#server/features/money/second-person/proposed.queries.ts'
import { lockInvoice, updateInvoice } from './advertiser-invoice.queries.ts'
import { endOffset, insertOffset, latestOffsets, lessenShort, liveParts, releasePart } from './prepaid.queries.ts'
import { keepStep, statusOf, sumsOf, type Change, type Sums } from './step.service.ts'

/** Writes what an issued invoice consists of; answers the status that makes. Where nothing is open, nothing is left to be given up. */
export async function writeSums(
  { trx, invoice, at }: Pick<Change, 'trx' | 'invoice' | 'at'>,
  sums: Sums,
): Promise<AdvertiserInvoiceStatus> {
  const status = statusOf(sums)
  await updateInvoice(trx, invoice.id, {
    open: fromUnits(sums.open),
    received: fromUnits(sums.received),
    offset_prepaid: fromUnits(sums.offset_prepaid),
    credited: fromUnits(sums.credited),
    written_off: fromUnits(sums.written_off),
    paid_at: status === 'paid' ? (invoice.paid_at ?? at) : null,
  })
  if (sums.open === 0n) await lapseProposals(trx, { advertiser_invoice_id: invoice.id }, at)
  return status
}

/**
 * Makes so much of what an invoice was paid free again: prepaid money it used first, the latest first, then receipts. Its sums follow;
 * the bookings are the caller's. What of a receipt was taken as the bank's fee never arrived and is not free: that comes first and is
 * no fee any more; `fees` books it.
 */
export async function freePaid(change: Change, sums: Sums, amount: bigint): Promise<{ sums: Sums; notArrived: bigint; fees: Transfer[] }> {
  const { trx, invoice, at } = change
  let left = amount
  const after = { ...sums }
  const fees: Transfer[] = []
  let notArrived = 0n
  for (const offset of left > 0n ? await latestOffsets(trx, { invoiceId: invoice.id }, fromUnits(left)) : []) {
    if (left === 0n) break
    const all = toUnits(offset.amount)
    const back = all < left ? all : left
    await endOffset(trx, offset.id, at)
    if (back < all) await insertOffset(trx, invoice.id, fromUnits(all - back), at)
    after.offset_prepaid -= back
    left -= back
  }
  for (const part of left > 0n ? await liveParts(trx, invoice.id) : []) {
    if (left === 0n) break
    const all = toUnits(part.amount)
    const back = all < left ? all : left
    await releasePart(trx, part.id, fromUnits(back))
    after.received -= back
    left -= back
    const fee = min(back, toUnits(part.short))
    if (fee === 0n) continue
    const revision = await lessenShort(trx, part.receipt_id, fromUnits(fee))
    const receipt = { ...invoice, id: part.receipt_id, source_id: part.source_id }
    fees.push(shortTransfer(change, receipt, `short:back:${revision}`, -fee))
    notArrived += fee
  }
  if (left > 0n) throw new Error(`invoice ${invoice.id} was never paid ${fromUnits(amount)}`)
  return { sums: after, notArrived, fees }
}

/** What never arrived of an invoice and is taken as the bank's fee (no. 34); below zero it is taken back. */
export function shortTransfer(
  { at, actor }: Pick<Change, 'at' | 'actor'>,
  receipt: { id: number; source_id: number; advertiser_id: number; currency: string },
  part: string,
  short: bigint,
): Transfer {
  const { id, source_id: owner, currency } = receipt
  return {
    key: `receipt:${id}:${part}`,
    kind: 'receipt_short',
    at,
    bookedAt: at,
    actorId: actor?.accountId ?? null,
    document: { receipt_id: id },
    entries: [{ kind: 'bank_fee', owner, currency, amount: short }, entry(receipt, 'advertiser_invoiced', -short)],
  }
}

/** Takes back the latest uses of an advertiser's prepaid money until so much of it is there again: their invoices are open again. Answers the bookings. */
export async function takeBackOffsets(
  { trx, at, actor }: Omit<Change, 'invoice'>,
  whose: { advertiser_id: number; currency: string },
  missing: bigint,
): Promise<Transfer[]> {
  const transfers: Transfer[] = []
  let left = missing
  for (const offset of left > 0n ? await latestOffsets(trx, whose, fromUnits(left)) : []) {
    if (left <= 0n) break
    const amount = toUnits(offset.amount)
    const invoice = await lockInvoice(trx, offset.invoice_id)
    await endOffset(trx, offset.id, at)
    const sums = sumsOf(invoice)
    const status = await writeSums(
      { trx, invoice, at },
      { ...sums, open: sums.open + amount, offset_prepaid: sums.offset_prepaid - amount },
    )
    await keepStep({ trx, invoice, at, actor }, { status, event: 'offset_back' })
    transfers.push({
      key: `advertiser-invoice:${invoice.id}:offset:${offset.id}:back`,
      kind: 'advertiser_offset_back',
      at,
      bookedAt: at,
      actorId: actor?.accountId ?? null,
      document: { advertiser_invoice_id: invoice.id },
      entries: [entry(whose, 'advertiser_invoiced', amount), entry(whose, 'advertiser_prepaid', -amount)],
    })
    left -= amount
  }
  return transfers
}

/** An amount on an account of an advertiser. */
export function entry(
  { advertiser_id, currency }: { advertiser_id: number; currency: string },
  kind: 'receivable' | 'advertiser_invoiced' | 'advertiser_prepaid' | 'advertiser_write_off' | 'network_revenue',
  amount: bigint,
): Entry {
  return { kind, owner: advertiser_id, currency, amount }
}

/** The smaller of two sums of units. */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
