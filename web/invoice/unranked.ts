import type { z } from 'zod'
import type { ranking } from '#contract/money/amount.ts'

/** Beneath a list of several currencies: those without a rate, whose rows stand last where amounts are sorted by. */
export function unranked(
  totals: Readonly<Record<string, unknown>>,
  say: (values: { base: string; currencies: string }) => string,
): string[] {
  const { base, without } = totals['ranking'] as z.output<typeof ranking> // the contract's totals
  return without.length === 0 ? [] : [say({ base, currencies: without.join(', ') })]
}
