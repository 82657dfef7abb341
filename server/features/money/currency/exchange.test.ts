import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exchanged } from './exchange.ts'
import { exchangeEntries, landing } from '#server/features/money/ledger/exchange-entries.ts'

const DECIMALS = [0, 2, 3, 8]
const units = fc.bigInt({ min: 1n, max: 10n ** 22n })
const rate = fc.bigInt({ min: 1n, max: 10n ** 18n })

test.each(DECIMALS)('an exchanged amount has %s decimals, is at most half a unit off, and its sign changes nothing', (decimals) => {
  const unit = 10n ** BigInt(8 - decimals)
  fc.assert(
    fc.property(units, rate, rate, (amount, from, to) => {
      const made = exchanged(amount, { from, to }, decimals)
      expect(made % unit).toBe(0n)
      // |made − amount × from / to| ≤ unit / 2, in whole numbers
      const off = made * to - amount * from
      expect(2n * (off < 0n ? -off : off) <= unit * to).toBe(true)
      // what lies just between two goes away from zero
      if (2n * (amount * from - made * to) === unit * to) throw new Error('a half was rounded towards zero')
      expect(exchanged(-amount, { from, to }, decimals)).toBe(-made)
      expect(exchanged(made, { from: 1n, to: 1n }, decimals)).toBe(made)
    }),
  )
})

test.each([
  [0, '250000000', '300000000'],
  [2, '100500000', '101000000'],
  [3, '100050000', '100100000'],
  [8, '1', '1'],
])('half a unit of %s decimals goes away from zero', (decimals, amount, expected) => {
  expect(exchanged(BigInt(amount), { from: 1n, to: 1n }, decimals)).toBe(BigInt(expected))
})

test('both sides of an exchange sum to nothing in their own currencies, whatever the bank’s rate was', () => {
  fc.assert(
    fc.property(units, units, units, fc.constantFrom(1n as const, -1n as const), (amount, moved, expected, sign) => {
      const by = { currency: 'PLN', moved, expected }
      expect(exchangeEntries(3, by, sign).reduce((sum, entry) => sum + entry.amount, 0n)).toBe(0n)
      // the clearing holds the amount on one side and its worth by the table on the other
      expect(landing(3, 'EUR', sign * amount, by)).toEqual({ kind: 'fx_position', owner: 0, currency: 'EUR', amount: sign * amount })
      expect(landing(3, 'EUR', sign * amount, null)).toEqual({ kind: 'cash', owner: 3, currency: 'EUR', amount: sign * amount })
    }),
  )
})
