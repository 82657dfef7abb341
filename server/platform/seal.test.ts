import { expect, test } from 'vitest'
import { openSealer } from './seal.ts'

const KEY = 'one key of an instance, long enough for it'

test('what was sealed is read with the same key for the same purpose, and never looks the same twice', () => {
  const sealer = openSealer(KEY, 'mail')
  expect(sealer.open(sealer.seal('пароль 🔑'))).toBe('пароль 🔑')
  expect(sealer.open(sealer.seal(''))).toBe('')
  expect(sealer.seal('same').equals(sealer.seal('same'))).toBe(false)
  expect(sealer.seal('a secret').includes('secret')).toBe(false)
})

test.each([
  ['another key', openSealer(`${KEY}!`, 'mail')],
  ['another purpose', openSealer(KEY, 'second factor')],
])('%s opens nothing', (_what, other) => {
  const sealed = openSealer(KEY, 'mail').seal('a secret')
  expect(() => other.open(sealed)).toThrow()
})

test('a changed or cut one is refused', () => {
  const sealer = openSealer(KEY, 'mail')
  const sealed = sealer.seal('a secret')
  for (let place = 0; place < sealed.length; place++) {
    const changed = Buffer.from(sealed)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(() => sealer.open(changed)).toThrow()
    expect(() => sealer.open(sealed.subarray(0, place))).toThrow()
  }
})

test('without a key nothing is sealed', () => {
  expect(() => openSealer(null, 'mail')).toThrow('SECRET_KEY')
})
