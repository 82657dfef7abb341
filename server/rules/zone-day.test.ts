import { expect, test } from 'vitest'
import { dayEnd, dayIn } from './zone-day.ts'

test.each([
  ['2026-11-21T21:59:59Z', 'Europe/Kyiv', '2026-11-21', '2026-11-21T22:00:00.000Z'],
  ['2026-11-21T22:00:00Z', 'Europe/Kyiv', '2026-11-22', '2026-11-22T22:00:00.000Z'],
  ['2026-03-29T10:00:00Z', 'Europe/Kyiv', '2026-03-29', '2026-03-29T21:00:00.000Z'],
  ['2026-10-25T10:00:00Z', 'Europe/Kyiv', '2026-10-25', '2026-10-25T22:00:00.000Z'],
  ['2026-11-21T10:00:00Z', 'UTC', '2026-11-21', '2026-11-22T00:00:00.000Z'],
])('%s in %s belongs to %s, which ends at %s', (moment, zone, day, end) => {
  expect(dayIn(Date.parse(moment), zone)).toBe(day)
  expect(new Date(dayEnd(Date.parse(moment), zone)).toISOString()).toBe(end)
})
