import { expect, test } from 'vitest'
import { openBatchSize } from './batch-size.ts'

const lines = (count: number, length = 100) => Array.from({ length: count }, () => ({ length }))

test('a batch grows while the api takes full ones at once, and is small again after a slow one', () => {
  const size = openBatchSize()
  expect(size.of(lines(7))).toBe(7)
  expect(size.of(lines(500))).toBe(50)
  size.took(7, 5)
  expect(size.of(lines(500))).toBe(50)
  const grown = Array.from({ length: 4 }, () => {
    size.took(size.of(lines(500)), 120)
    return size.of(lines(500))
  })
  expect(grown).toEqual([100, 200, 200, 200])
  size.took(20, 900)
  expect(size.of(lines(500))).toBe(50)
})

test('long ones are fewer at once, and one always goes', () => {
  const size = openBatchSize()
  expect(size.of(lines(50, 64 * 1024))).toBe(50)
  expect(size.of(lines(50, 1024 * 1024))).toBe(4)
  expect(size.of(lines(50, 9 * 1024 * 1024))).toBe(1)
})
