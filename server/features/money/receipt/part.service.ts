import { addAmounts, fromUnits, toDecimals, toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { lockInvoice } from '#server/features/money/advertiser-invoice/advertiser-invoice.queries.ts'
import { releasePart } from '#server/features/money/advertiser-invoice/prepaid.queries.ts'
import { keepStep, sumsOf } from '#server/features/money/advertiser-invoice/step.service.ts'
import { writeSums } from '#server/features/money/advertiser-invoice/sums.service.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { roundedTo } from '#server/features/money/invoice/posting.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { getReceipt, insertPart, lockChosen, partsOf } from './receipt.queries.ts'

type Step = { trx: Trx; at: Date; actor: Actor }
type Whose = { id: number; advertiser_id: number; currency: string }

/** What of a receipt pays open invoices, and what it recovers of such as were given up. */
export type Paid = { paid: bigint; recovered: bigint }

/**
 * Which invoices so much of an advertiser may pay, and how much of each: what is open of it, of a given up one what was given up. They are
 * locked. Throws `invalid_input`.
 */
export async function readParts(
  trx: Trx,
  receipt: Omit<Whose, 'id'>,
  parts: readonly { invoice_uuid: string; amount: string }[],
  free: bigint,
) {
  const asked = new Map(parts.map(({ invoice_uuid, amount }) => [invoice_uuid, toUnits(amount)]))
  const wanted = [...asked].filter(([, amount]) => amount > 0n)
  if (wanted.reduce((sum, [, amount]) => sum + amount, 0n) > free) refuse('This is more than the receipt holds')
  // what would be left, of the invoice and in advance, could neither be paid nor printed
  const decimals = await decimalsOf(trx, receipt.currency)
  if (wanted.some(([, amount]) => roundedTo(decimals, amount) !== amount)) refuse('More decimals than this currency has')
  const invoices = await lockChosen(
    trx,
    receipt,
    wanted.map(([uuid]) => uuid),
  )
  if (invoices.length < wanted.length) refuse('One of these is no issued invoice of this advertiser in this currency')
  return invoices.map((invoice) => {
    const amount = asked.get(invoice.uuid) ?? 0n
    const sums = sumsOf(invoice)
    const recovered = sums.open === 0n && sums.written_off > 0n
    if (amount > (recovered ? sums.written_off : sums.open)) refuse('This is more than is open')
    return { invoice, amount, sums, recovered }
  })
}

/**
 * Refuses by name what was to be paid while somebody had still to confirm it, and is paid, credited or given up since: who confirms
 * cannot change it. Throws `receipt_overtaken`.
 */
export async function refuseOvertaken(
  trx: Trx,
  receipt: Omit<Whose, 'id'>,
  parts: readonly { invoice_uuid: string; amount: string }[],
): Promise<void> {
  const asked = new Map(parts.map(({ invoice_uuid, amount }) => [invoice_uuid, toUnits(amount)]))
  const decimals = await decimalsOf(trx, receipt.currency)
  const over = (await lockChosen(trx, receipt, [...asked.keys()])).flatMap((invoice) => {
    const { open, written_off } = sumsOf(invoice)
    const most = open === 0n ? written_off : open
    if ((asked.get(invoice.uuid) ?? 0n) <= most) return []
    return `${invoice.number ?? ''} (${toDecimals(fromUnits(most), decimals)} ${receipt.currency})`
  })
  if (over.length > 0) throw new AppError('receipt_overtaken', { values: { invoices: over.join(', ') } })
}

/** Pays invoices by a receipt of which so much is free. Throws `invalid_input`. */
export async function payParts(
  { trx, at, actor }: Step,
  receipt: Whose,
  parts: readonly { invoice_uuid: string; amount: string }[],
  free: bigint,
): Promise<Paid> {
  const paid = { paid: 0n, recovered: 0n }
  for (const { invoice, amount, sums, recovered } of await readParts(trx, receipt, parts, free)) {
    await insertPart(trx, { receipt_id: receipt.id, invoice_id: invoice.id, amount: fromUnits(amount), recovered, created_at: at })
    const status = await writeSums(
      { trx, invoice, at },
      {
        ...sums,
        received: sums.received + amount,
        open: sums.open - (recovered ? 0n : amount),
        written_off: sums.written_off - (recovered ? amount : 0n),
      },
    )
    await keepStep({ trx, invoice, at, actor }, { status, event: recovered ? 'recovered' : 'received' })
    paid[recovered ? 'recovered' : 'paid'] += amount
  }
  return paid
}

/** Takes a receipt off the invoices it pays, which are open again; without `recovered` what it recovered stays. Answers what was released, and what was recovered. */
export async function releaseParts({ trx, at, actor }: Step, receiptId: number, { recovered }: { recovered: boolean }): Promise<Paid> {
  const sum = { paid: 0n, recovered: 0n }
  for (const part of await partsOf(trx, receiptId)) {
    const amount = toUnits(part.amount)
    sum[part.recovered ? 'recovered' : 'paid'] += amount
    if (part.recovered && !recovered) continue
    const invoice = await lockInvoice(trx, part.invoice_id)
    const sums = sumsOf(invoice)
    await releasePart(trx, part.id, part.amount)
    const status = await writeSums(
      { trx, invoice, at },
      {
        ...sums,
        received: sums.received - amount,
        open: sums.open + (part.recovered ? 0n : amount),
        written_off: sums.written_off + (part.recovered ? amount : 0n),
      },
    )
    await keepStep({ trx, invoice, at, actor }, { status, event: 'released' })
  }
  return sum
}

/** Whether a receipt is for these invoices, each with so much, already. */
export async function isForThese(
  trx: Trx,
  { uuid }: { uuid: string },
  asked: readonly { invoice_uuid: string; amount: string }[],
): Promise<boolean> {
  const told = (parts: typeof asked) => parts.map((part) => `${part.invoice_uuid} ${addAmounts(part.amount)}`).toSorted()
  const now = (await getReceipt(trx, uuid))?.parts.filter(({ recovered }) => !recovered) ?? []
  return told(now).join() === told(asked.filter(({ amount }) => toUnits(amount) > 0n)).join()
}

function refuse(text: string): never {
  throw new AppError('invalid_input', { fields: { parts: text } })
}
