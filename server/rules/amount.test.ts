import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addAmounts, amountText, fromUnits, multiplied, percentOf, positiveAmount, scaleOf, toUnits } from '#contract/money/amount.ts'

const MOST = 10n ** 23n
const units = fc.bigInt({ min: -MOST, max: MOST })
/** Decimal text with 0 to 8 decimals, zeros at its end included, and what it is in hundred-millionths. */
const written = fc.tuple(units, fc.integer({ min: 0, max: 8 })).map(([value, decimals]) => {
  const cut = 10n ** BigInt(8 - decimals)
  const whole = value / cut
  const digits = String(whole < 0n ? -whole : whole).padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return { text: `${whole < 0n ? '-' : ''}${text}`, units: whole * cut }
})

test('an amount of 0 to 8 decimals is read exactly, and has one text whatever it was written like', () => {
  fc.assert(
    fc.property(written, ({ text, units: expected }) => {
      expect(toUnits(text)).toBe(expected)
      expect(toUnits(amountText(text))).toBe(expected)
      expect(amountText(text)).toMatch(/^-?\d+\.(\d{4}|\d{4,7}[1-9])$/)
      expect(fromUnits(expected)).toBe(amountText(text))
    }),
  )
})

test('amounts are added exactly', () => {
  fc.assert(
    fc.property(fc.array(written), (all) => {
      expect(toUnits(addAmounts(...all.map(({ text }) => text)))).toBe(all.reduce((sum, one) => sum + one.units, 0n))
    }),
  )
})

const scale = fc.constantFrom(0, 2, 3, 4, 8).map(scaleOf)
const rate = fc.bigInt({ min: 1n, max: 10n ** 17n - 1n })

test('a conversion is the one multiple of its smallest unit that is at most half of it away from the exact value', () => {
  fc.assert(
    fc.property(written, rate, rate, scale, ({ text, units: amount }, from, to, decimals) => {
      const result = toUnits(multiplied(text, from, to, decimals))
      const own = amountText(text).split('.')[1]?.length ?? 0
      const step = 10n ** BigInt(8 - Math.max(decimals, own))
      const difference = result * to - amount * from
      expect(result % step).toBe(0n)
      expect((difference < 0n ? -difference : difference) * 2n <= step * to).toBe(true)
    }),
  )
})

test('half a unit is rounded away from zero, a price per mille keeps its decimals', () => {
  expect(multiplied('0.0001', 1n, 2n, 4)).toBe('0.0001')
  expect(multiplied('-0.0001', 1n, 2n, 4)).toBe('-0.0001')
  expect(multiplied('1', 1n, 3n, 8)).toBe('0.33333333')
  expect(percentOf('0.00085', '80', 4)).toBe('0.00068')
  expect(percentOf('0.00085', '100', 4)).toBe('0.00085')
  expect(percentOf('10.01', '33.3333', 4)).toBe('3.3367')
  expect(percentOf('10.01', '33.3333', 8)).toBe('3.33666333')
})

test('what a form takes has at most eight decimals, and says so', () => {
  for (const text of ['0', '12', '0.00000001', '99999999999999.99999999']) expect(positiveAmount.safeParse(text).success).toBe(true)
  for (const text of ['0.000000001', '1,5', '1e5', '-1', '.5', '100000000000000']) {
    expect(positiveAmount.safeParse(text).error?.issues[0]?.message).toBe('A number from 0 with at most eight decimals')
  }
})
