import { expect, test } from 'vitest'
import { clockAt, dayAt, logTime, momentAt } from '#web/zone-time.ts'

test.each([
  ['2026-01-15 10:00:00', 'Europe/Kyiv', '2026-01-15T08:00:00.000Z'],
  ['2026-07-15 10:00:00', 'Europe/Kyiv', '2026-07-15T07:00:00.000Z'],
  ['2026-07-15 00:30:00', 'Asia/Kolkata', '2026-07-14T19:00:00.000Z'],
  ['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29 03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-12-31 23:00:00', 'UTC', '2026-12-31T23:00:00.000Z'],
])('a clock at %s in %s shows the moment %s', (clock, zone, moment) => {
  expect(momentAt(clock, zone)).toBe(moment)
})

test('a moment goes to the clock of a zone and back', () => {
  for (const moment of ['2026-03-29T00:59:59.000Z', '2026-10-25T02:00:00.000Z', '2026-06-01T12:00:00.000Z'])
    for (const zone of ['Europe/Kyiv', 'America/New_York', 'Australia/Lord_Howe'])
      expect(momentAt(clockAt(moment, zone), zone)).toBe(moment)
})

test('a moment falls on the day of its zone', () => {
  expect(dayAt('2026-11-21T21:59:59.999Z', 'Europe/Kyiv')).toBe('2026-11-21')
  expect(dayAt('2026-11-21T22:00:00Z', 'Europe/Kyiv')).toBe('2026-11-22')
})

test('logs tell times to the second, with the day where it is not today in the zone, and the year where it is another', () => {
  const now = Date.parse('2026-11-21T23:00:00Z')
  expect(logTime('2026-11-21T22:26:35Z', 'Europe/Kyiv', now, 'en-GB')).toBe('00:26:35')
  expect(logTime('2026-11-21T21:26:35Z', 'Europe/Kyiv', now, 'en-GB')).toBe('21 Nov 23:26:35')
  expect(logTime('2025-12-31T23:26:05Z', 'UTC', now, 'en-GB')).toBe('31 Dec 2025 23:26:05')
  expect(logTime('2026-11-20T09:00:00Z', 'UTC', now, 'uk-UA')).toBe('20 лист. 09:00:00')
})
