import { expect, test } from 'vitest'
import { matchIn, patience, patternMistake } from './pattern.ts'

test('a pattern that becomes too long is refused by what it is compiled into, before that takes long', () => {
  const began = performance.now()
  for (const pattern of [
    '(?:a|b|ab|ba){0,300}(?:.*[ab]){15}\\d',
    '((((a{10}){10}){10}){10}){10}',
    `(?:${'[a-z]'.repeat(190)}){50}`,
    'x'.repeat(400),
    '(?i:é{1000})\\x{10FFFF}{1000}',
    '[^]]{301}',
  ])
    expect(patternMistake(pattern), pattern).toBe('pattern_long')
  expect(performance.now() - began).toBeLessThan(1000)
  for (const pattern of ['(a', 'a{2,1}', '\\', '[b', '*', 'a)']) expect(patternMistake(pattern), pattern).toBe('pattern')
  for (const pattern of [
    '(?i)(duplicate|already)',
    '',
    '(?P<id>\\d{1,20})',
    '\\p{L}{1,20}',
    '[]{400}]{2}',
    '\\{400\\}',
    'a*',
    '(?s).*x{2,}',
  ])
    expect(patternMistake(pattern), pattern).toBeNull()
})

test('the text is looked at as far as 65,536 characters, and no longer than patience lasts', () => {
  expect(matchIn(`${' '.repeat(65_500)}id 7`, 'id (\\d)', patience())).toBe('7')
  expect(matchIn(`${' '.repeat(65_536)}id 7`, 'id (\\d)', patience())).toBeUndefined()
  const patient = patience()
  for (let at = 0; at < 100; at++) matchIn('ab'.repeat(100_000), '([ab]+)+[0-9]', patient)
  expect(patient.left).toBeLessThan(0)
  expect(matchIn('id 7', 'id (\\d)', patient)).toBeUndefined()
})
