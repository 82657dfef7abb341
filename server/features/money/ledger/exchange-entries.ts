import type { Currency } from '#contract/money/amount.ts'
import type { Exchanged } from '#server/features/money/currency/exchange.ts'
import type { Entry } from './posting.service.ts'

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
