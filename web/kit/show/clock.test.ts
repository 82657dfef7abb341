import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clockTime, followClock } from '#web/kit/show/clock.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_000_000_000 }))
afterEach(() => vi.useRealTimers())

test('the clock moves on while somebody follows, and is right again as soon as somebody does', () => {
  let told = 0
  const leave = followClock(() => told++)
  expect(clockTime()).toBe(1_000_000_000)
  vi.advanceTimersByTime(60_000)
  expect([told, clockTime()]).toEqual([2, 1_000_060_000])
  leave()
  vi.advanceTimersByTime(600_000)
  expect(told).toBe(2)
  const leaveAgain = followClock(() => told++)
  expect(clockTime()).toBe(1_000_660_000)
  leaveAgain()
})
