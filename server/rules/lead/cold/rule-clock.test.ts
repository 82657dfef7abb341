import { expect, test } from 'vitest'
import { firstRun, heardBy, nextRun } from './rule-clock.ts'
import { roomFor } from './room.ts'
import fc from 'fast-check'

const at = (text: string) => Date.parse(text)

test('a rule runs once a day by the clocks of its zone, whatever they do, and missed days are not made up for', () => {
  const daily = (time: string, time_zone: string) => ({ kind: 'daily' as const, at: time, time_zone })
  const next = (time: string, zone: string, now: string) => new Date(nextRun(daily(time, zone), at(now)) ?? 0).toISOString()
  expect(next('09:30', 'Europe/Kyiv', '2026-11-21T07:29:59Z')).toBe('2026-11-21T07:30:00.000Z')
  expect(next('09:30', 'Europe/Kyiv', '2026-11-21T07:30:00Z')).toBe('2026-11-22T07:30:00.000Z')
  // summer begins: 03:30 is skipped, and is 04:30; it ends: 03:30 comes twice, and counts once
  expect(next('03:30', 'Europe/Kyiv', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z')
  expect(next('03:30', 'Europe/Kyiv', '2026-03-29T01:30:00Z')).toBe('2026-03-30T00:30:00.000Z')
  expect(next('03:30', 'Europe/Kyiv', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z')
  expect(next('03:30', 'Europe/Kyiv', '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z')
})

test('by the hour it runs at once and then so many hours on; by hand never by itself; of events once a minute', () => {
  const now = at('2026-11-21T10:00:00Z')
  expect(firstRun({ kind: 'hours', hours: 6 }, now)).toBe(now)
  expect(nextRun({ kind: 'hours', hours: 6 }, now)).toBe(now + 6 * 3_600_000)
  expect(nextRun({ kind: 'silent', days: 30 }, now)).toBe(now + 3_600_000)
  expect([firstRun({ kind: 'manual' }, now), nextRun({ kind: 'manual' }, now)]).toEqual([null, null])
  expect(nextRun({ kind: 'event', event: 'unsold' }, now)).toBe(now + 60_000)
  expect(heardBy({ kind: 'call_status', call_statuses: ['callback'] })).toEqual({ event: 'call_status', call_statuses: ['callback'] })
  expect(heardBy({ kind: 'hours', hours: 1 })).toEqual({ event: null, call_statuses: [] })
})

test('no run takes more than there is room for in it and in its day, and everybody is taken or left', () => {
  const count = fc.nat(50)
  fc.assert(
    fc.property(count, count, count, count, (free, perRun, perDay, taken) => {
      const { takes, left, by } = roomFor({ free, perRun, perDay, taken })
      expect(takes + left).toBe(free)
      expect(takes).toBeGreaterThanOrEqual(0)
      expect(takes).toBeLessThanOrEqual(perRun)
      if (taken <= perDay) expect(takes + taken).toBeLessThanOrEqual(perDay)
      else expect(takes).toBe(0)
      if (left > 0) expect(takes).toBe(by === 'per_run' ? perRun : Math.max(0, perDay - taken))
    }),
  )
})
