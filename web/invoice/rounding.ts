import { addAmounts, negated, roundedTo } from '#contract/money/amount.ts'

type Sums = readonly { amount: string }[]

/** What lines hold, exactly, that no row tells. */
export function leftOf(lines: Sums, rows: Sums): string {
  return addAmounts('0', ...lines.map(({ amount }) => amount), ...rows.map(({ amount }) => negated(amount)))
}

/** What rows as people read them, each rounded to its currency, miss of the whole they come to: with it they add up. */
export function roundingOf(whole: string, rows: Sums, decimals: number): string {
  return addAmounts(whole, ...rows.map(({ amount }) => negated(roundedTo(amount, decimals))))
}
