import { expect, test } from 'vitest'
import { dayIn, periodOf } from './zone-day.ts'

test.each([
  ['2026-11-21T21:59:59Z', 'Europe/Kyiv', '2026-11-21', '2026-11-21T22:00:00.000Z'],
  ['2026-11-21T22:00:00Z', 'Europe/Kyiv', '2026-11-22', '2026-11-22T22:00:00.000Z'],
  ['2026-03-29T10:00:00Z', 'Europe/Kyiv', '2026-03-29', '2026-03-29T21:00:00.000Z'],
  ['2026-10-25T10:00:00Z', 'Europe/Kyiv', '2026-10-25', '2026-10-25T22:00:00.000Z'],
  ['2026-11-21T10:00:00Z', 'UTC', '2026-11-21', '2026-11-22T00:00:00.000Z'],
])('%s in %s belongs to %s, which ends at %s', (moment, zone, day, end) => {
  expect(dayIn(Date.parse(moment), zone)).toBe(day)
  expect(new Date(periodOf('day', Date.parse(moment), zone).ends).toISOString()).toBe(end)
})

test.each([
  ['hour', '2026-10-25T00:30:00Z', '2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z'], // 03:30, which comes twice
  ['hour', '2026-10-25T01:30:00Z', '2026-10-25T01:00:00.000Z', '2026-10-25T02:00:00.000Z'],
  ['week', '2026-10-25T10:00:00Z', '2026-10-18T21:00:00.000Z', '2026-10-25T22:00:00.000Z'],
  ['month', '2026-10-25T10:00:00Z', '2026-09-30T21:00:00.000Z', '2026-10-31T22:00:00.000Z'],
  ['total', '2026-10-25T10:00:00Z', '1970-01-01T00:00:00.000Z', '9999-01-01T00:00:00.000Z'],
] as const)('the %s of %s in Kyiv is from %s to %s', (period, moment, starts, ends) => {
  const found = periodOf(period, Date.parse(moment), 'Europe/Kyiv')
  expect([new Date(found.starts).toISOString(), new Date(found.ends).toISOString()]).toEqual([starts, ends])
})
