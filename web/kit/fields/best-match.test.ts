import { expect, test } from 'vitest'
import { bestFirst, bestMatches } from '#web/kit/fields/best-match.ts'

const named = (language: string) => {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const codes = ['AU', 'AT', 'CI', 'CH', 'DE', 'GF', 'NE', 'NG', 'PF', 'PL', 'PT', 'UA', 'GB', 'US', 'AE']
  const options = codes.map((value) => ({ value, label: names.of(value) ?? value }))
  return options.toSorted((one, other) => one.label.localeCompare(other.label, language))
}

test.each([
  ['en', 'Pol', ['PL', 'PF']],
  ['en', 'pl', ['PL']],
  ['en', 'ni', ['NE', 'NG', 'AE', 'GB', 'US']],
  ['en', 'au', ['AU', 'AT']],
  ['en', 'AT', ['AT', 'AE', 'US']],
  ['en', 'po', ['PL', 'PT', 'PF']],
  ['en', ' UA ', ['UA']],
  ['en', 'united', ['AE', 'GB', 'US']],
  ['en', "cote d'iv", ['CI']],
  ['en', 'niger', ['NE', 'NG']],
  ['en', 'x', []],
  ['uk', 'Пол', ['PL', 'PF', 'US']],
  ['uk', 'UA', ['UA']],
])('in %s "%s" finds %s', (language, typed, found) => {
  expect(bestMatches(named(language), typed, (row) => row).map(({ value }) => value)).toEqual(found)
})

test('a name that begins so stands before a code, a code before a word, a word before a part', () => {
  const options = ['x·Pole', 'North-Po', 'Other', 'Pole'].map((label, index) => ({
    value: label === 'Other' ? 'PO' : String(index),
    label,
  }))
  expect(bestMatches([...options, { value: 'z', label: 'Spot' }], 'po', (row) => row).map(({ label }) => label)).toEqual([
    'Pole',
    'Other',
    'x·Pole',
    'North-Po',
    'Spot',
  ])
})

test('what a server found otherwise stays, at the end', () => {
  const rows = ['found by its e-mail', 'An Anna', 'Anna'].map((label) => ({ value: '', label }))
  expect(bestFirst(rows, 'anna', (row) => row).map(({ label }) => label)).toEqual(['Anna', 'An Anna', 'found by its e-mail'])
})
