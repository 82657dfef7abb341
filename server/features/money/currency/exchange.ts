import { divideRounded, MONEY_SCALE, type Currency } from '#contract/money/amount.ts'

/** What moved in the currency of a source, and what the amount was worth in it by the rate of its day. */
export type Exchanged = { currency: Currency; moved: bigint; expected: bigint }

/** An amount in another currency, rounded once, half away from zero, to its decimals; `from / to` is the rate. */
export function exchanged(amount: bigint, { from, to }: { from: bigint; to: bigint }, decimals: number): bigint {
  const unit = 10n ** BigInt(MONEY_SCALE - decimals)
  return divideRounded(amount * from, to * unit) * unit
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
