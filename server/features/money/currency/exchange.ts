import { divideRounded, MONEY_SCALE, type Currency } from '#contract/money/amount.ts'
import type { Entry } from '#server/features/money/ledger/posting.service.ts'

/** What moved in the currency of a source, and what the amount was worth in it by the rate of its day. */
export type Exchanged = { currency: Currency; moved: bigint; expected: bigint }

/** An amount in another currency, rounded once, half away from zero, to its decimals; `from / to` is the rate. */
export function exchanged(amount: bigint, { from, to }: { from: bigint; to: bigint }, decimals: number): bigint {
  const unit = 10n ** BigInt(MONEY_SCALE - decimals)
  return divideRounded(amount * from, to * unit) * unit
}

/** Where an amount of a document comes in (above zero) or leaves: the source itself, or the clearing of an exchange. */
export function landing(sourceId: number, currency: Currency, amount: bigint, by: Exchanged | null): Entry {
  return by === null ? { kind: 'cash', owner: sourceId, currency, amount } : { kind: 'fx_position', owner: 0, currency, amount }
}

/**
 * The other side of an exchange (money.md 2, no. 33), in the currency of the source: what moved, what the rate of the day made of the
 * amount, and what the bank's rate cost beyond it. `sign` is 1 for what came in and -1 for what left.
 */
export function exchangeEntries(sourceId: number, { currency, moved, expected }: Exchanged, sign: 1n | -1n): Entry[] {
  return [
    { kind: 'cash', owner: sourceId, currency, amount: sign * moved },
    { kind: 'fx_position', owner: 0, currency, amount: -sign * expected },
    { kind: 'fx_result', owner: 0, currency, amount: sign * (expected - moved) },
  ]
}

/** The same as a row keeps it. */
export function keptExchange(by: Exchanged | null, text: (units: bigint) => string) {
  return {
    moved_currency: by?.currency ?? null,
    moved: by === null ? null : text(by.moved),
    expected: by === null ? null : text(by.expected),
  }
}

/** What a row keeps of an exchange; null where there was none. */
export function exchangeOf(
  row: { moved_currency: Currency | null; moved: string | null; expected: string | null },
  units: (text: string) => bigint,
): Exchanged | null {
  if (row.moved_currency === null || row.moved === null || row.expected === null) return null
  return { currency: row.moved_currency, moved: units(row.moved), expected: units(row.expected) }
}
