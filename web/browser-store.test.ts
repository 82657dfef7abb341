import { expect, test } from 'vitest'
import { storeOver, type BrowserStore } from '#web/browser-store.ts'

const denied = (): never => {
  throw new DOMException('denied', 'SecurityError')
}
const full = () => ({
  getItem: () => 'kept before',
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError')
  },
  removeItem: () => {},
})

test.each<[string, () => BrowserStore]>([
  ['forbidden', denied],
  ['switched off', () => null as unknown as BrowserStore], // what Firefox and WebViews have in its place
  ['full', full],
])('a store that is %s holds what is written as long as the page stays', (_kind, browser) => {
  const store = storeOver(browser)
  store.setItem('a', '1')
  expect(store.getItem('a')).toBe('1')
})

test('what a forbidden store never got is not there, and removing it is no mistake', () => {
  const store = storeOver(denied)
  expect(store.getItem('a')).toBeNull()
  store.setItem('a', '1')
  store.removeItem('a')
  expect(store.getItem('a')).toBeNull()
})

test('a store that works keeps the value itself, also after it was full', () => {
  const kept = new Map<string, string>()
  let isFull = true
  const store = storeOver(() => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => (isFull ? full().setItem() : void kept.set(key, value)),
    removeItem: (key) => void kept.delete(key),
  }))
  store.setItem('a', '1')
  isFull = false
  store.setItem('a', '2')
  expect([store.getItem('a'), kept.get('a')]).toEqual(['2', '2'])
})
