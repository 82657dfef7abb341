import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromUnits } from '#contract/money/amount.ts'
import { CONVERSION_STATUSES, PAYMENT_STATES } from '#contract/traffic/conversion.ts'
import { difference, standing, STANDING_ACCOUNTS, type Standing } from './standing.ts'

const amount = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(fromUnits)
const row: fc.Arbitrary<Standing> = fc.record({
  status: fc.constantFrom(...CONVERSION_STATUSES),
  payment_state: fc.constantFrom(...PAYMENT_STATES),
  payout: amount,
  revenue: amount,
  invoiced: amount,
  billed: amount,
  test: fc.boolean(),
})
const ROW: Standing = {
  status: 'approved',
  payment_state: 'open',
  payout: '10.0000',
  revenue: '15.0000',
  invoiced: '0.0000',
  billed: '0.0000',
  test: false,
}
const UNIT = 100_000_000n

/** The accounts that hold something, in whole units. */
function told(one: Standing): Record<string, number> {
  return Object.fromEntries(Object.entries(standing(one)).flatMap(([kind, units]) => (units === 0n ? [] : [[kind, Number(units / UNIT)]])))
}

test.each<[Partial<Standing>, Record<string, number>]>([
  [{ status: 'pending' }, { pending_cost: 10, affiliate_pending: -10 }],
  [{ status: 'hold' }, { payout_cost: 10, affiliate_hold: -10, receivable: 15, network_revenue: -15 }],
  [{}, { payout_cost: 10, affiliate_available: -10, receivable: 15, network_revenue: -15 }],
  [{ status: 'declined' }, {}],
  [{ status: 'trash' }, {}],
  [{ test: true }, {}],
  // on an invoice it is owed there; what it became since is a correction
  [
    { payment_state: 'invoiced', invoiced: '10' },
    { payout_cost: 10, receivable: 15, network_revenue: -15 },
  ],
  [
    { payment_state: 'paid', invoiced: '10', payout: '12' },
    { payout_cost: 12, affiliate_correction: -2, receivable: 15, network_revenue: -15 },
  ],
  [{ payment_state: 'paid', invoiced: '10', status: 'declined' }, { affiliate_correction: 10 }],
  [{ billed: '15' }, { payout_cost: 10, affiliate_available: -10, network_revenue: -15 }],
  [{ billed: '15', status: 'declined' }, { receivable: -15 }],
  [
    { payout: '-4', revenue: '-6' },
    { payout_cost: -4, affiliate_available: 4, receivable: -6, network_revenue: 6 },
  ],
])('what stands for %o', (changes, expected) => {
  expect(told({ ...ROW, ...changes })).toEqual(expected)
})

test('all of a conversion sums to what is on invoices, so that a change of it alone sums to zero', () => {
  fc.assert(
    fc.property(row, row, (one, other) => {
      const before = { ...one, test: false }
      const after = { ...other, test: false, invoiced: one.invoiced, billed: one.billed, payment_state: one.payment_state }
      for (const part of ['payout', 'revenue'] as const)
        expect(difference(before, after, part).reduce((sum, { amount: moved }) => sum + moved, 0n)).toBe(0n)
      // there and back again leaves nothing
      const back = [...difference(before, after, 'payout'), ...difference(after, before, 'payout')]
      for (const kind of Object.keys(STANDING_ACCOUNTS))
        expect(back.filter((moved) => moved.kind === kind).reduce((sum, { amount: moved }) => sum + moved, 0n)).toBe(0n)
    }),
  )
})

test('what nothing was counted for, a test or a conversion there was not, stands nowhere', () => {
  fc.assert(
    fc.property(row, (one) => {
      expect(Object.values(standing({ ...one, test: true })).every((units) => units === 0n)).toBe(true)
    }),
  )
  expect(Object.values(standing(null)).every((units) => units === 0n)).toBe(true)
})
