import { expect, test } from 'vitest'
import { passwordStrength } from '#web/guest/password-strength.ts'

test.each([
  ['', 'short'],
  ['Aa1!xyz', 'short'],
  ['12345678', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['password', 'weak'],
  ['Passw0rd!x', 'fair'],
  ['жовтий корабель тихо співає', 'strong'],
])('"%s" is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength)
})
