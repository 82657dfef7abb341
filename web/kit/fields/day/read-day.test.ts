import { expect, test } from 'vitest'
import { readDay } from '#web/kit/fields/day/read-day.ts'

test.each([
  ['2026-11-24', 'en-GB', '2026-11-24'],
  ['24.11.2026', 'uk', '2026-11-24'],
  ['24/11/26', 'en-GB', '2026-11-24'],
  ['11/24/2026', 'en-US', '2026-11-24'],
  ['24 11', 'uk', '2026-11-24'],
  ['24 Nov 2027', 'en-GB', '2027-11-24'],
  ['Nov 24, 2027', 'en-US', '2027-11-24'],
  ['24 лист. 2026 р.', 'uk', '2026-11-24'],
  ['3 липня', 'uk', '2026-07-03'],
  ['24 nov', 'uk', '2026-11-24'],
  ['31.11.2026', 'uk', undefined],
  ['24', 'uk', undefined],
  ['soon', 'en-GB', undefined],
  ['24.11.2026 10:00', 'uk', undefined],
])('"%s" in %s is %s', (typed, locale, day) => {
  expect(readDay(typed, '2026-05-01', locale)).toBe(day)
})

test.each([
  ['24.11.2026 9:05', '2026-11-24 09:05:00'],
  ['24 Nov 2026, 23:59', '2026-11-24 23:59:00'],
  // a day alone keeps the time there was
  ['24.11.2026', '2026-11-24 18:30:00'],
  ['24.11.2026 0:00', '2026-11-24 00:00:00'],
  ['24.11.2026 25:00', undefined],
])('"%s" is the moment %s', (typed, moment) => {
  expect(readDay(typed, '2026-05-01', 'en-GB', '18:30:00')).toBe(moment)
})

test('what is shown can be read again', () => {
  for (const locale of ['en-GB', 'en-US', 'uk', 'de'])
    for (const month of ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']) {
      const shown = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(`2027-${month}-09`))
      expect(readDay(shown, '2026-05-01', locale), shown).toBe(`2027-${month}-09`)
    }
})
