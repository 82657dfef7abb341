import { expect, test } from 'vitest'
import { canonicalEmail, canonicalPhone, maskedEmail, maskedName, maskedPhone } from './contact.ts'

test.each([
  ['+39 333 000 1111', '', '+393330001111'],
  ['333 000 1111', 'IT', '+393330001111'],
  ['393330001111', '', '+393330001111'],
  ['393330001111', 'IT', '+393330001111'],
  ['0039 333 000 1111', 'IT', '+393330001111'],
  ['0039 333 000-1111', '', '+393330001111'],
  ['067 123 45 67', 'UA', '+380671234567'],
  // digits of a country whose areas begin like its code
  ['4915112345678', 'DE', '+4915112345678'],
  ['49 170 1234567', 'DE', '+491701234567'],
  ['493012345678', 'DE', '+493012345678'],
  ['0491 1234567', 'DE', '+494911234567'],
  ['62812345678', 'ID', '+62812345678'],
  ['393 123 4567', 'IT', '+393931234567'],
  ['48 303 89 55', 'PL', '+48483038955'],
  ['3125550123', 'US', '+13125550123'],
  ['+44 20 7946 0018', 'IT', '+442079460018'],
  ['067 123 45 67', '', undefined],
  ['12', 'IT', undefined],
  ['call me', 'IT', undefined],
  ['', 'IT', undefined],
])('%s of %s is %s', (text, country, phone) => expect(canonicalPhone(text, country)).toBe(phone))

test('masks keep who knows the person able to tell, and nobody else', () => {
  expect(maskedEmail('ada.byron@gmail.com')).toBe('a***@g***.com')
  expect([maskedEmail('a@b'), maskedEmail('nothing'), maskedEmail('')]).toEqual(['a***@b***', '***', ''])
  expect([maskedPhone('+393330001111'), maskedPhone('12345'), maskedPhone('')]).toEqual(['***111', '***', ''])
  expect([maskedName('Ольга'), maskedName('')]).toEqual(['О***', ''])
  expect(canonicalEmail(' Ada@Example.COM ')).toBe('ada@example.com')
})
