import type { AccountKind } from '#contract/money/account.ts'
import { divideRounded, MONEY_SCALE, toUnits, UNITS, type Currency } from '#contract/money/amount.ts'
import { type Exchanged } from '#server/features/money/currency/exchange.ts'
import { exchangeEntries, landing } from '#server/features/money/ledger/exchange-entries.ts'
import { difference } from '#server/features/money/ledger/standing.ts'
import type { Entry, Transfer } from '#server/features/money/ledger/posting.service.ts'
import type { Payable } from './line.queries.ts'

/** Whose money an invoice is about. */
export type Whose = { affiliate_id: number; currency: Currency }
/** A conversion before and after a line of it was made, changed or freed. */
export type Moved = { before: Payable; after: Payable }
type When = Pick<Transfer, 'key' | 'kind' | 'at' | 'actorId'> & { document?: Transfer['document'] }

/** An amount in units, rounded once, half away from zero, to the decimals of a currency. */
export function roundedTo(decimals: number, units: bigint): bigint {
  const unit = 10n ** BigInt(MONEY_SCALE - decimals)
  return divideRounded(units, unit) * unit
}

/** A percentage of an amount, such as VAT or a fee, rounded once, half away from zero, to the decimals of its currency. */
export function shareOf(amount: bigint, percent: bigint, decimals: number): bigint {
  const unit = 10n ** BigInt(MONEY_SCALE - decimals)
  return divideRounded(amount * percent, 100n * UNITS * unit) * unit
}

/**
 * What an invoice's lines move: conversions by what they stand for now (available, or a correction), bonuses, corrections and referrals
 * from their accounts, all of it onto what stands on invoices, of which the net before and after is told; what rounding leaves is its own.
 * Freed lines are the same with what they were and are changed about (money.md 2, no. 14, 17 and 18).
 */
export function linesTransfer(
  whose: Whose,
  when: When,
  moved: { conversions: readonly Moved[]; bonus: bigint; correction: bigint; referral: bigint; netBefore: bigint; netAfter: bigint },
): Transfer {
  const sums = new Map<AccountKind, bigint>()
  const add = (kind: AccountKind, amount: bigint) => sums.set(kind, (sums.get(kind) ?? 0n) + amount)
  for (const { before, after } of moved.conversions) for (const { kind, amount } of difference(before, after, 'payout')) add(kind, amount)
  add('affiliate_bonus', moved.bonus)
  add('affiliate_correction', moved.correction)
  add('affiliate_referral', moved.referral)
  const lines = [...sums.values()].reduce((sum, amount) => sum + amount, 0n)
  const net = moved.netAfter - moved.netBefore
  add('affiliate_invoiced', -net)
  const entries = [...sums].map(([kind, amount]) => entry(whose, kind, amount))
  return transfer(when, [...entries, { kind: 'rounding', owner: 0, currency: whose.currency, amount: net - lines }])
}

/**
 * A credit note over what changed (no. 18): what stood as corrections is on the invoice now, VAT follows, and so much of it as was paid is
 * paid in advance. One that adds is below zero.
 */
export function noteTransfer(
  whose: Whose,
  when: When,
  { conversions, net, vat, above }: { conversions: readonly Moved[]; net: bigint; vat: bigint; above: bigint },
): Transfer {
  const sums = new Map<AccountKind, bigint>()
  for (const { before, after } of conversions)
    for (const { kind, amount } of difference(before, after, 'payout')) sums.set(kind, (sums.get(kind) ?? 0n) + amount)
  const lines = [...sums.values()].reduce((sum, amount) => sum + amount, 0n)
  const { currency } = whose
  return transfer(when, [
    ...[...sums].map(([kind, amount]) => entry(whose, kind, amount)),
    entry(whose, 'affiliate_invoiced', net + vat - above),
    entry(whose, 'affiliate_prepaid', above),
    { kind: 'vat_input', owner: 0, currency, amount: -vat },
    { kind: 'rounding', owner: 0, currency, amount: -lines - net },
  ])
}

/** Debit and credit of one amount. */
export function simpleTransfer(whose: Whose, when: When, debit: AccountKind, credit: AccountKind, amount: bigint): Transfer {
  return transfer(when, [entry(whose, debit, amount), entry(whose, credit, -amount)])
}

/** What an affiliate had in another system (no. 11). */
export function openingTransfer(whose: Whose, when: When, amount: bigint): Transfer {
  return transfer(when, [{ kind: 'opening', owner: 0, currency: whose.currency, amount }, entry(whose, 'affiliate_correction', -amount)])
}

/** VAT of an approved invoice (no. 15); below zero it is taken back. */
export function vatTransfer(whose: Whose, when: When, vat: bigint): Transfer {
  return transfer(when, [{ kind: 'vat_input', owner: 0, currency: whose.currency, amount: vat }, entry(whose, 'affiliate_invoiced', -vat)])
}

/** A payment sent (no. 19); below zero it did not arrive (no. 22). */
export function sentTransfer(whose: Whose, when: When, { onInvoice, inAdvance }: { onInvoice: bigint; inAdvance: bigint }): Transfer {
  return transfer(when, [
    entry(whose, 'affiliate_invoiced', onInvoice),
    entry(whose, 'affiliate_prepaid', inAdvance),
    entry(whose, 'affiliate_transit', -onInvoice - inAdvance),
  ])
}

/** What left a source for a payment: so much of it `charged` never did, and what moved where the source holds another currency. */
type Left = { amount: bigint; sourceId: number; by: Exchanged | null; charged?: bigint }

/** A payment that has arrived (no. 20); of it `charged` never left, for the fee the affiliate bears (no. 21); in another currency no. 33. */
export function settledTransfers(whose: Whose, when: When, { amount, sourceId, by, charged = 0n }: Left): Transfer[] {
  return exchangedPair(when, sourceId, by, -1n, [
    entry(whose, 'affiliate_transit', amount),
    landing(sourceId, whose.currency, charged - amount, by),
    { kind: 'bank_fee', owner: sourceId, currency: whose.currency, amount: -charged },
  ])
}

/** A payment that came back after it had arrived (no. 23): what it was for is owed again, and what an exchange moved came back as it went. */
export function returnedTransfers(
  whose: Whose,
  when: When,
  { amount, sourceId, by, charged = 0n, inAdvance = 0n }: Left & { inAdvance?: bigint },
): Transfer[] {
  return exchangedPair(when, sourceId, by, 1n, [
    landing(sourceId, whose.currency, amount - charged, by),
    { kind: 'bank_fee', owner: sourceId, currency: whose.currency, amount: charged },
    entry(whose, 'affiliate_invoiced', inAdvance - amount),
    entry(whose, 'affiliate_prepaid', -inAdvance),
  ])
}

/** What a bank or payment system took for a payment (no. 21). */
export function feeTransfer({ currency }: Pick<Whose, 'currency'>, when: When, fee: bigint, sourceId: number): Transfer {
  return transfer(when, [
    { kind: 'bank_fee', owner: sourceId, currency, amount: fee },
    { kind: 'cash', owner: sourceId, currency, amount: -fee },
  ])
}

/** What amounts of texts come to. */
export function sumUnits(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + toUnits(amount), 0n)
}

function entry({ affiliate_id, currency }: Whose, kind: AccountKind, amount: bigint): Entry {
  return { kind, owner: affiliate_id, currency, amount }
}

function transfer(when: When, entries: Entry[]): Transfer {
  return { ...when, bookedAt: when.at, entries }
}

/** One transfer of a payment that left (`sign` -1) or came back, or one in each of two currencies. */
function exchangedPair(when: When, sourceId: number, by: Exchanged | null, sign: 1n | -1n, entries: Entry[]): Transfer[] {
  if (by === null) return [transfer(when, entries)]
  return [
    transfer({ ...when, key: `${when.key}:from` }, entries),
    transfer(
      { ...when, key: `${when.key}:to`, kind: sign < 0n ? 'payment_settled_exchanged' : 'payment_returned_exchanged' },
      exchangeEntries(sourceId, by, sign),
    ),
  ]
}
