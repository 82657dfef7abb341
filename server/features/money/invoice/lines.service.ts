import { fromUnits, toUnits, type Currency } from '#contract/money/amount.ts'
import { MOST_LINES } from '#contract/money/payable.ts'
import { post, type Transfer } from '#server/features/money/ledger/posting.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { updateInvoice, type LockedInvoice } from './invoice.queries.ts'
import {
  deleteLines,
  endLines,
  insertLines,
  linedElsewhere,
  listLive,
  lockAvailableRows,
  lockConversionsOf,
  lockMonths,
  openAdjustments,
  setInvoiced,
  updateLines,
  voidAdjustments,
  type Changed,
  type Line,
  type Months,
  type NewLine,
  type Payable,
  type Purpose,
} from './line.queries.ts'
import { linesTransfer, openingTransfer, roundedTo, simpleTransfer, sumUnits, shareOf, type Moved, type Whose } from './posting.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'

/** What may be put on an invoice: locked conversions, changed ones, adjustments, and what came of bringing others. */
export type Available = {
  conversions: readonly Payable[]
  changed: readonly Changed[]
  adjustments: readonly { id: number; kind: 'bonus' | 'correction'; amount: string }[]
  /** Months of referrals. */
  referrals: readonly { id: string; amount: string }[]
}

export type Step = { at: Date; actorId: number | null }

/**
 * All that an affiliate may have in a currency, from before a moment: locked in the order of numbers. `adjusted`: bonuses, corrections
 * and changes of what was invoiced, made before it (null: all); they need not wait as conversions do.
 */
export async function lockAvailable(
  trx: Trx,
  { months, adjusted, ...of }: { affiliateId: number; currency: Currency; until: Date; adjusted: Date | null; months: Months },
): Promise<Available> {
  const rows = await lockAvailableRows(trx, { ...of, changed: adjusted }, MOST_LINES)
  const adjustments = await openAdjustments(trx, { ...of, before: adjusted }, MOST_LINES)
  return { ...rows, adjustments, referrals: await lockMonths(trx, of, months, MOST_LINES) }
}

/** Whether there is nothing to put on an invoice. */
export function isNothing({ conversions, changed, adjustments, referrals }: Available): boolean {
  return conversions.length + changed.length + adjustments.length + referrals.length === 0
}

/** What available things come to, exactly. */
export function worthOf({ conversions, changed, adjustments, referrals }: Available): bigint {
  return (
    sumUnits(conversions.map(({ payout }) => payout)) +
    changed.reduce((sum, row) => sum + correctionOf(row), 0n) +
    sumUnits(adjustments.map(({ amount }) => amount)) +
    sumUnits(referrals.map(({ amount }) => amount))
  )
}

/** Puts available things on an invoice: lines, what of the conversions is invoiced, and the booking. */
export async function addLines(trx: Trx, invoice: LockedInvoice, available: Available, step: Step): Promise<void> {
  const lines: NewLine[] = [
    ...available.conversions.map((row) => lineOf('conversion', row, { amount: row.payout, seen: null })),
    ...available.changed.map((row) => lineOf('correction', row, { amount: fromUnits(correctionOf(row)), seen: row.seen })),
    ...available.adjustments.map(({ id, amount }) => ({
      kind: 'adjustment' as const,
      amount,
      conversion_id: null,
      adjustment_id: id,
      referral_month_id: null,
      status: '',
    })),
    ...available.referrals.map(({ id, amount }) => ({
      kind: 'referral' as const,
      amount,
      conversion_id: null,
      adjustment_id: null,
      referral_month_id: id,
      status: '',
    })),
  ]
  if (lines.length === 0) return
  await insertLines(trx, invoice.id, lines)
  const moved = [
    ...available.conversions.map((before) => ({
      before,
      after: { ...before, payment_state: 'invoiced' as const, invoiced: before.payout },
    })),
    ...available.changed.map((before) => ({ before, after: { ...before, invoiced: before.due } })),
  ]
  const of = (kind: 'bonus' | 'correction') =>
    sumUnits(available.adjustments.filter((one) => one.kind === kind).map(({ amount }) => amount))
  const referral = sumUnits(available.referrals.map(({ amount }) => amount))
  await settleLines(trx, invoice, moved, { bonus: of('bonus'), correction: of('correction'), referral }, step)
}

/** Takes lines off an invoice that has no number: conversions and months of referrals are open again, as are bonuses and corrections that were booked without it; those that were made on it end. */
export async function removeLines(trx: Trx, invoice: LockedInvoice, ids: readonly number[], step: Step): Promise<void> {
  const asked = new Set(ids.map(String))
  const lines = (await listLive(trx, invoice.id)).filter(({ id }) => asked.has(id))
  const moved = await freed(trx, invoice.id, lines)
  await deleteLines(
    trx,
    lines.map(({ id }) => id),
  )
  const adjustments = lines.filter(({ kind }) => kind === 'adjustment')
  const of = (kind: 'bonus' | 'correction') =>
    sumUnits(adjustments.filter((one) => one.adjustment_kind === kind).map(({ amount }) => amount))
  const adjusted = { bonus: -of('bonus'), correction: -of('correction'), referral: -referralOf(lines) }
  await settleLines(trx, invoice, moved, adjusted, step)
  const ended = adjustments.filter(({ adjustment_own }) => adjustment_own === true)
  await voidAdjustments(
    trx,
    ended.map((one) => one.adjustment_id ?? 0),
    step.at,
  )
  await post(
    trx,
    ended.map((one) =>
      adjustmentTransfer(
        invoice,
        {
          id: one.adjustment_id ?? 0,
          kind: one.adjustment_kind ?? 'bonus',
          purpose: one.adjustment_purpose ?? 'given',
          amount: one.amount,
        },
        step,
        true,
      ),
    ),
  )
}

/** Gives lines the present amounts of their conversions; those that are worth nothing any more leave the invoice. */
export async function refreshLines(trx: Trx, invoice: LockedInvoice, step: Step): Promise<void> {
  const lines = (await listLive(trx, invoice.id)).filter(({ conversion_id }) => conversion_id !== null)
  const rows = await lockConversionsOf(
    trx,
    lines.map((line) => line.conversion_id ?? ''),
  )
  const elsewhere = await linedElsewhere(trx, invoice.id, [...rows.keys()])
  const gone: string[] = []
  const changed: { id: string; amount: string }[] = []
  const moved: Moved[] = []
  for (const line of lines) {
    const before = rows.get(line.conversion_id ?? '')
    if (before === undefined) continue
    // a correction is about what its conversion was worth on other invoices
    const earlier = toUnits(before.invoiced) - toUnits(line.amount)
    const amount = toUnits(payableOf(before)) - earlier
    if (amount === toUnits(line.amount)) continue
    if (amount === 0n) gone.push(line.id)
    else changed.push({ id: line.id, amount: fromUnits(amount) })
    // the invoice a correction was about may have been taken back since: then it was the last line
    const open = amount === 0n && !elsewhere.has(before.id)
    moved.push({ before, after: { ...before, invoiced: payableOf(before), payment_state: open ? 'open' : before.payment_state } })
  }
  await deleteLines(trx, gone)
  await updateLines(trx, invoice.id, changed)
  await settleLines(trx, invoice, moved, { bonus: 0n, correction: 0n, referral: 0n }, step)
}

/**
 * What ends an invoice frees: its conversions are open again, its bonuses, corrections and referrals are for the next. `net`: what is left of
 * its own. Answers the booking.
 */
export async function freeLines(
  trx: Trx,
  invoice: LockedInvoice,
  when: Pick<Transfer, 'key' | 'kind'>,
  step: Step,
  net = toUnits(invoice.net),
): Promise<Transfer> {
  const lines = await listLive(trx, invoice.id)
  const conversions = await freed(trx, invoice.id, lines)
  await endLines(trx, invoice.id)
  await setInvoiced(
    trx,
    conversions.map(({ after }) => after),
  )
  const of = (kind: 'bonus' | 'correction') => sumUnits(lines.filter((one) => one.adjustment_kind === kind).map(({ amount }) => amount))
  return linesTransfer(
    invoice,
    { ...when, at: step.at, actorId: step.actorId, document: { invoice_id: invoice.id } },
    {
      conversions,
      bonus: -of('bonus'),
      correction: -of('correction'),
      referral: -referralOf(lines),
      netBefore: net,
      netAfter: 0n,
    },
  )
}

/** What an adjustment books when it is made (no. 10, 11, 25), or taken back. */
export function adjustmentTransfer(
  whose: Whose,
  adjustment: { id: number; kind: 'bonus' | 'correction'; purpose: Purpose; amount: string },
  step: Step,
  back = false,
): Transfer {
  const amount = back ? -toUnits(adjustment.amount) : toUnits(adjustment.amount)
  const { kind, purpose } = adjustment
  const when = {
    key: `adjustment:${adjustment.id}${back ? ':void' : ''}`,
    kind: `${purpose === 'given' ? kind : purpose}${back ? '_void' : ''}` as const,
    at: step.at,
    actorId: step.actorId,
    document: { adjustment_id: adjustment.id },
  }
  if (kind === 'bonus') return simpleTransfer(whose, when, 'bonus_cost', 'affiliate_bonus', amount)
  if (purpose === 'opening') return openingTransfer(whose, when, amount)
  return simpleTransfer(whose, when, purpose === 'given' ? 'correction_cost' : 'affiliate_write_off', 'affiliate_correction', amount)
}

/** Conversions of lines that end; locked, and open again where no other line is about them. */
async function freed(trx: Trx, invoiceId: number, lines: readonly Line[]): Promise<Moved[]> {
  const ids = lines.flatMap(({ conversion_id }) => conversion_id ?? [])
  const rows = await lockConversionsOf(trx, ids)
  const elsewhere = await linedElsewhere(trx, invoiceId, ids)
  // a conversion has several lines where a credit note corrected it
  const sums = new Map<string, bigint>()
  for (const { conversion_id, amount } of lines)
    if (conversion_id !== null) sums.set(conversion_id, (sums.get(conversion_id) ?? 0n) + toUnits(amount))
  // what is left on others are corrections: nothing of it is paid by them
  const stoodOn = new Set(lines.flatMap(({ kind, conversion_id }) => (kind === 'conversion' ? (conversion_id ?? []) : [])))
  return [...sums].flatMap(([id, amount]): Moved[] => {
    const before = rows.get(id)
    if (before === undefined) return []
    const invoiced = fromUnits(toUnits(before.invoiced) - amount)
    const left = stoodOn.has(id) ? 'invoiced' : before.payment_state
    return [{ before, after: { ...before, invoiced, payment_state: elsewhere.has(id) ? left : 'open' } }]
  })
}

/** Writes what lines changed: the conversions, the invoice's sums, and the booking between them. Throws `invalid_input` below zero. */
async function settleLines(
  trx: Trx,
  invoice: LockedInvoice,
  moved: readonly Moved[],
  adjusted: { bonus: bigint; correction: bigint; referral: bigint },
  { at, actorId }: Step,
): Promise<void> {
  await setInvoiced(
    trx,
    moved.map(({ after }) => after),
  )
  const decimals = await decimalsOf(trx, invoice.currency)
  const net = roundedTo(decimals, sumUnits((await listLive(trx, invoice.id)).map(({ amount }) => amount)))
  if (net < 0n) throw new AppError('invalid_input', { fields: { lines: 'The lines come to less than zero' } })
  const sums = totalsOf(invoice, net, decimals)
  await updateInvoice(trx, invoice.id, sums)
  await post(trx, [
    linesTransfer(
      invoice,
      { key: `invoice:${invoice.id}:lines:${invoice.revision}`, kind: 'invoice_lines', at, actorId, document: { invoice_id: invoice.id } },
      { conversions: moved, ...adjusted, netBefore: toUnits(invoice.net), netAfter: net },
    ),
  ])
}

/** Net, VAT and total of an invoice that has no number; VAT once of the whole, as EN 16931 has it. */
export function totalsOf(invoice: Pick<LockedInvoice, 'vat_category' | 'vat_rate'>, net: bigint, decimals: number) {
  const rate = invoice.vat_category === 'S' ? toUnits(invoice.vat_rate) : 0n
  const vat = shareOf(net, rate, decimals)
  return { net: fromUnits(net), vat: fromUnits(vat), total: fromUnits(net + vat), open: fromUnits(net) }
}

function lineOf(
  kind: 'conversion' | 'correction',
  { id, status }: Payable,
  { amount, seen }: { amount: string; seen: string | null },
): NewLine {
  return { kind, amount, conversion_id: id, adjustment_id: null, referral_month_id: null, status, seen_transfer_id: seen }
}

function referralOf(lines: readonly Line[]): bigint {
  return sumUnits(lines.filter(({ kind }) => kind === 'referral').map(({ amount }) => amount))
}

/** What a conversion is worth to its affiliate now. */
export function payableOf(row: Payable): string {
  return row.status === 'approved' ? row.payout : '0.0000'
}

function correctionOf(row: Changed): bigint {
  return toUnits(row.due) - toUnits(row.invoiced)
}
