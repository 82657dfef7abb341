import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toUnits } from '#contract/money/amount.ts'
import { readAmount } from './amount-reading.ts'

test.each([
  ['10', '10'],
  ['10.5', '10.5'],
  ['10,50', '10.50'],
  ['$10.50', '10.50'],
  ['10.50 €', '10.50'],
  ['USD 7', '7'],
  ['7usd', '7'],
  ['1,000.00', '1000.00'],
  ['1.000,00', '1000.00'],
  ['1 000,50', '1000.50'],
  ['1\u00a0000', '1000'],
  ["1'234'567.8", '1234567.8'],
  ['1,234,567', '1234567'],
  ['1234,567', '1234.567'],
  ['0,085', '0.085'],
  ['0.085', '0.085'],
  ['.5', '0.5'],
  ['0.00000001', '0.00000001'],
  ['10.12345', '10.12345'],
  ['-5', '-5'],
  ['-$5', '-5'],
  ['$-5', '-5'],
  ['−5,5', '-5.5'],
  ['-0', '0'],
])('%s has one meaning', (text, amount) => {
  expect(readAmount(text)).toMatchObject({ amount })
})

test.each([
  ['1,000', ['1000', '1.000']],
  ['1.000', ['1000', '1.000']],
  ['-12.500', ['-12500', '-12.500']],
  ['$999,999', ['999999', '999.999']],
])('%s has two', (text, readings) => {
  expect(readAmount(text)).toEqual({ readings })
})

test.each([
  ['10.500', 'KWD', { amount: '10.500' }],
  ['10,500', 'KWD', { readings: ['10500', '10.500'] }],
  ['10,000', 'JPY', { amount: '10000' }],
  ['10.000', 'VND', { amount: '10000' }],
  ['¥10,000', 'JPY', { amount: '10000' }],
  ['1,000', 'USD', { readings: ['1000', '1.000'] }],
  ['1.000', 'POINTS', { readings: ['1000', '1.000'] }],
])('%s in %s', (text, currency, reading) => {
  expect(readAmount(text, { currency })).toMatchObject(reading)
})

test('as a number of JSON its point is a decimal one', () => {
  expect(readAmount('12.345', { number: true })).toMatchObject({ amount: '12.345' })
})

test.each([
  '',
  'x',
  '1e9',
  '10.50,0',
  '12.50,0',
  ',10,',
  '10,',
  '1,00,000',
  '1 00',
  '--5',
  '5-',
  '0x10',
  '$5€',
  '¤5',
  '1.000.00',
  '0.000000001',
  '1234567890123',
  '10 20',
  'NaN',
])('%s has none', (text) => {
  expect(readAmount(text)).toBeNull()
})

test('the sign tells what currencies it can be', () => {
  expect(readAmount('€5')).toMatchObject({ currencies: ['EUR'] })
  expect(readAmount('5 UAH')).toMatchObject({ currencies: ['UAH'] })
  expect(readAmount('5')).toMatchObject({ currencies: null })
})

/** How the same amount is written by people of several countries: separators of thousands and decimals, and what stands beside it. */
const styles = fc.constantFrom(['', '.'], ['', ','], [',', '.'], ['.', ','], [' ', ','], [' ', '.'], ["'", '.'], ['\u202f', ','])
const beside = fc.constantFrom(['', ''], ['$', ''], ['', ' €'], ['EUR ', ''], ['', '₴'])

test('an amount written in whatever way is read as what it is, or with both readings, of which it is one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999_999 }),
      fc.stringMatching(/^\d{0,8}$/),
      fc.boolean(),
      styles,
      beside,
      (whole, fraction, negative, [group = '', point = ''], [left = '', right = '']) => {
        const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, group)
        const written = `${negative ? '-' : ''}${left}${grouped}${fraction === '' ? '' : point + fraction}${right}`
        const value = toUnits(`${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`)
        const reading = readAmount(written)
        if (reading === null) throw new Error(`cannot read ${written}`)
        if ('amount' in reading) expect(toUnits(reading.amount)).toBe(value)
        else expect(reading.readings.map(toUnits)).toContain(value)
      },
    ),
  )
})

test.each([
  ['59.900000000000006', '59.9'],
  ['-0.30000000000000004', '-0.3'],
  ['100.00000000000001', '100'],
])('the noise of a number of JSON is no part of it: %s', (text, amount) => {
  expect(readAmount(text, { number: true })).toMatchObject({ amount })
  expect(readAmount(text, { number: true, format: 'point' })).toMatchObject({ amount })
  expect(readAmount(text)).toBeNull()
})
