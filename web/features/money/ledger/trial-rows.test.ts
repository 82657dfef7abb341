import { expect, test } from 'vitest'
import type { TrialSum } from '#contract/money/ledger.ts'
import { inBase, rateDifference } from './trial-rows.ts'

/** What stood in euros before a month at 1.10 and stands there at 1.50 at its end. */
function kept(kind: TrialSum['kind'], units: number): TrialSum {
  const [opening, closing] = [String(units * 1.1), String(units * 1.5)]
  const none = { debits: '0', credits: '0' }
  const difference = String(units * 1.5 - units * 1.1)
  return { kind, currency: 'EUR', opening: String(units), closing: String(units), ...none, base: { opening, closing, ...none, difference } }
}

test('rates move what an affiliate brought in from elsewhere as what is owed, not the balance it came from', () => {
  const part = inBase([kept('opening', 1_000), kept('affiliate_correction', -1_000)], 'USD')
  expect(Number(rateDifference(part))).toBe(-400)
  const earned = inBase([kept('payout_cost', 1_000), kept('affiliate_available', -1_000)], 'USD')
  expect(Number(rateDifference(earned))).toBe(-400)
})
