import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { maskPerson } from './mask-person.ts'

const told = {
  first_name: 'Іванна',
  last_name: 'O’Neil-Šek',
  email: 'anna.rossi@mail.example',
  phone: '+393331234567',
  birth_date: '1990-05-31',
  address: 'Via Appia 7',
  password: 'Aa7-secret$x',
  country: 'IT',
  ip: '203.0.113.9',
}
const mask = maskPerson(told)
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

test.each([
  ['{"first_name":"Іванна","last_name":"O’Neil-Šek"}', '{"first_name":"•••","last_name":"•••"}'],
  ['{"name":"\\u0406\\u0432\\u0430\\u043d\\u043d\\u0430"}', '{"name":"•••"}'],
  ['name=%D0%86%D0%B2%D0%B0%D0%BD%D0%BD%D0%B0&x=1', 'name=•••&x=1'],
  ['n=Mr%20O%E2%80%99Neil-%C5%A0ek&y=2', 'n=Mr%20•••&y=2'],
  ['email=Anna.Rossi%40mail.example&y=2', 'email=•••&y=2'],
  ['"e":"ANNA.ROSSI@MAIL.EXAMPLE"', '"e":"•••"'],
  ['"phone":"00393331234567"', '"phone":"•••"'],
  ['"phone":"333 123-45-67"', '"phone":"•••"'],
  ['phone=%2B393331234567&c=IT', 'phone=•••&c=IT'],
  ['"dob":"31/05/1990"', '"dob":"•••"'],
  ['"dob":"05.31.1990"', '"dob":"•••"'],
  ['"street":"Appia"', '"street":"•••"'],
  ['"p":"Aa7-secret$x"', '"p":"•••"'],
  [`"h":"${sha('anna.rossi@mail.example')}"`, '"h":"•••"'],
  [`"h":"${sha('393331234567').toUpperCase()}"`, '"h":"•••"'],
  ['"ip":"203.0.113.9"', '"ip":"•••"'],
  ['{"url":"https:\\/\\/crm.example\\/auto\\/TOKEN?x=1"}', '{"url":"https:\\/\\/crm.example/•••"}'],
  ['go to https://crm.example/auto?token=1 now', 'go to https://crm.example/••• now'],
])('%s is shown without the person', (text, shown) => {
  expect(mask(text)).toBe(shown)
})

test('what is nobody stays: ids, words that hold a name, the country, other numbers', () => {
  const text = '{"id":"M-17","status":"Queued","country":"IT","note":"Savannah","amount":250.5,"at":"2026-11-21"}'
  expect(mask(text)).toBe(text)
  expect(maskPerson({ first_name: 'Anna', phone: '12' })('Savannah, Anna 12')).toBe('Savannah, ••• 12')
})
