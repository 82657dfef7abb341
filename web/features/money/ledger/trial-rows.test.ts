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

test('what was exchanged holds no currency: rates move it no more, and what they did until the payment is all there is', () => {
  const none = { opening: '0', debits: '0', credits: '0', closing: '0' }
  const row = (kind: TrialSum['kind'], currency: string, base: Partial<typeof none> & { difference?: string }): TrialSum => ({
    kind,
    currency,
    ...none,
    base: { ...none, difference: '0', ...base },
  })
  // 100 EUR earned at 1.10 come in as 119 USD on a day of 1.20 (what the bank's rate costs is booked), and the month ends at 1.25
  const month = [
    row('receivable', 'EUR', { debits: '110', credits: '120', difference: '10' }),
    row('network_revenue', 'EUR', { credits: '110', closing: '-125', difference: '-15' }),
    row('fx_position', 'EUR', { debits: '120', closing: '125', difference: '5' }),
    row('fx_position', 'USD', { credits: '120', closing: '-120' }),
    row('cash', 'USD', { debits: '119', closing: '119' }),
    row('fx_result', 'USD', { debits: '1', closing: '1' }),
  ]
  // 119 there, for what was worth 110 when it was earned: 10 by the rates, less 1 of the bank
  expect(Number(rateDifference(inBase(month, 'USD')))).toBe(10)
  // a month later at 1.30 nothing in EUR is there that could be worth more
  const later = [
    row('network_revenue', 'EUR', { opening: '-125', closing: '-130', difference: '-5' }),
    row('fx_position', 'EUR', { opening: '125', closing: '130', difference: '5' }),
  ]
  expect(Number(rateDifference(inBase(later, 'USD')))).toBe(0)
})
