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
