import { expect, test } from 'vitest'
import { leftOf, roundingOf } from '#web/invoice/rounding.ts'

const rows = ['19.000', '16.152', '14.245', '0.103'].map((amount) => ({ amount }))

test('rows as they are read and their rounding add up to the whole', () => {
  // read as 19.00 + 16.15 + 14.25 + 0.10 = 49.50
  expect(roundingOf('49.5', rows, 2)).toBe('0.0000')
  expect(roundingOf('49.49', rows, 2)).toBe('-0.0100')
  expect(roundingOf('331.15', [{ amount: '331.1508' }], 2)).toBe('0.0000')
  expect(roundingOf('31', [{ amount: '10.4' }, { amount: '10.3' }, { amount: '10.2' }], 0)).toBe('1.0000')
})

test('what no row tells of the lines is left exactly', () => {
  expect(leftOf([{ amount: '60.5005' }], rows)).toBe('11.0005')
  expect(leftOf([{ amount: '49.5' }], rows)).toBe('0.0000')
  expect(leftOf([], [])).toBe('0.0000')
})
