import { expect, test } from 'vitest'
import { joinPhone, splitPhone } from './phone-number.ts'

const CODES = [
  { country: 'CA', digits: '1' },
  { country: 'US', digits: '1' },
  { country: 'PL', digits: '48' },
  { country: 'UA', digits: '380' },
]

test('a stored number is shown as its country and the rest, and comes back as it was', () => {
  expect(splitPhone('+380 67 123 4567', CODES, [])).toEqual({ country: 'UA', rest: '67 123 4567' })
  expect(joinPhone('UA', '67 123 4567', CODES)).toBe('+380 67 123 4567')
  expect(splitPhone('+48512345678', CODES, [])).toEqual({ country: 'PL', rest: '512345678' })
})

test('of countries with one code the chosen one counts, else the largest', () => {
  expect(splitPhone('+1 416 555 0100', CODES, [])).toMatchObject({ country: 'US' })
  expect(splitPhone('+1 416 555 0100', CODES, ['CA'])).toMatchObject({ country: 'CA' })
  expect(splitPhone('+1 416 555 0100', CODES, ['UA', null])).toMatchObject({ country: 'US' })
})

test('what has no code stays as it is until a country is chosen', () => {
  expect(splitPhone('067 old', CODES, ['UA'])).toEqual({ country: null, rest: '067 old' })
  expect(splitPhone('+999 1', CODES, [])).toEqual({ country: null, rest: '+999 1' })
  expect(joinPhone(null, '067 old', CODES)).toBe('067 old')
  expect(joinPhone('UA', '', CODES)).toBe('')
  // a number that is pasted whole brings its own code
  expect(joinPhone('UA', '+48 512 345 678', CODES)).toBe('+48 512 345 678')
})
