import { afterEach, beforeEach, expect, test } from 'vitest'
import { setDisplayLocale } from '#web/notation.ts'
import { weekHours } from './week-hours.ts'

beforeEach(() => setDisplayLocale('en-GB'))
afterEach(() => setDisplayLocale('en-GB'))

const DAY = 86_400_000
const at = (text: string) => new Date(`${text}Z`).toISOString()
/** The same hours on several days from one on. */
const daily = (from: string, until: string, days: number) =>
  Array.from({ length: days }, (_, day) => ({
    from: new Date(Date.parse(`${from}Z`) + day * DAY).toISOString(),
    until: new Date(Date.parse(`${until}Z`) + day * DAY).toISOString(),
  }))

test('days of the same hours stand together, from Monday on, in the zone of who reads', () => {
  // from Saturday night on: Monday to Saturday
  const office = daily('2026-11-30T08:00', '2026-11-30T19:00', 6)
  expect(weekHours(office, 'Europe/Kyiv')).toEqual([{ days: 'Mon–Sat', hours: '10:00–21:00' }])
  const [monday, ...others] = office
  const long = [{ from: monday?.from ?? '', until: at('2026-11-30T22:00') }, ...others]
  expect(weekHours(long, 'UTC')).toEqual([
    { days: 'Mon', hours: '08:00–22:00' },
    { days: 'Tue–Sat', hours: '08:00–19:00' },
  ])
  setDisplayLocale('uk')
  expect(weekHours(office.slice(0, 2), 'UTC')).toEqual([{ days: 'пн, вт', hours: '08:00–19:00' }])
})

test('the day that runs now is one day, though the week begins and ends in it', () => {
  const now = [
    { from: at('2026-12-02T12:00'), until: at('2026-12-02T18:00') },
    ...daily('2026-12-03T09:00', '2026-12-03T18:00', 6),
    { from: at('2026-12-09T09:00'), until: at('2026-12-09T12:00') },
  ]
  expect(weekHours(now, 'UTC')).toEqual([{ days: null, hours: '09:00–18:00' }])
})

test('an opening over midnight stands at its first day, one of several days names both, and one of the whole week has no end', () => {
  const night = [
    { from: at('2026-12-04T22:00'), until: at('2026-12-05T06:00') },
    { from: at('2026-12-06T12:00'), until: at('2026-12-07T00:00') },
  ]
  expect(weekHours(night, 'UTC')).toEqual([
    { days: 'Fri', hours: '22:00–06:00' },
    { days: 'Sun', hours: '12:00–24:00' },
  ])
  expect(weekHours([{ from: at('2026-12-01T00:00'), until: at('2026-12-05T00:00') }], 'UTC')).toEqual([
    { days: 'Tue', hours: '00:00 – Sat 00:00' },
  ])
  expect(weekHours([{ from: at('2026-12-01T00:00'), until: at('2026-12-08T00:00') }], 'UTC')).toBeNull()
})
