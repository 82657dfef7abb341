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
  ['go=https%3A%2F%2Fcrm.example%2Fauto%3Ftoken%3D1&x=1', 'go=https%3A%2F%2Fcrm.example%2F•••&x=1'],
])('%s is shown without the person', (text, shown) => {
  expect(mask(text)).toBe(shown)
})

test.each([
  ['an e-mail that begins with a name', 'ada.silva5411@mail.example is in use'],
  ['in an address', '?mail=ADA.silva5411%40mail.example&x'],
  ['in an address within another', '?to=%2Fin%3Fmail%3Dada.silva5411%2540mail.example&x'],
  ['what another telling of theirs calls a name', 'mail.example: ada.silva5411@mail.example, ada@mail.example'],
  ['what a form encodes of a name', 'n=Ada&l=d%27Or%28x%29&c=7'],
  ['what XML writes of it', '<l>d&apos;Or(x)</l><a>1&amp;2 Via</a>'],
  ['a street as PHP writes JSON', '"a":"3\\/b Via","l":"d\'Or(x)"'],
  ['a header', "X-Name: %C5%A0ek Ann d'Or(x)"],
])('nothing is left of a person: %s', (_what, text) => {
  const tolds: Record<string, string>[] = [
    { first_name: 'Ada', last_name: "d'Or(x)", email: 'ada.silva5411@mail.example', address: '3/b Via' },
    { first_name: 'Silva5411', email: 'ada@mail.example', last_name: 'Šek Ann', address: '1&2 Via', comment: 'mail' },
  ]
  const shown = maskPerson(...tolds)(text)
  expect(shown).not.toMatch(/ada|silva|5411|Or|3\\?\/b|1&|ek Ann/i)
})

test('what is nobody stays: ids, words that hold a name, the country, other numbers', () => {
  const text = '{"id":"M-17","status":"Queued","country":"IT","note":"Savannah","amount":250.5,"at":"2026-11-21"}'
  expect(mask(text)).toBe(text)
  expect(maskPerson({ first_name: 'Anna', phone: '12' })('Savannah, Anna 12')).toBe('Savannah, ••• 12')
})
