import { describe, expect, test } from 'vitest'
import { resolvePeriod } from './period.ts'
import { grainFor, stepsOf, weekdaysOf } from './steps.ts'

const at = (text: string) => Date.parse(text)
const iso = ({ from, to }: { from: number; to: number }) => [new Date(from).toISOString(), new Date(to).toISOString()]
const preset = (name: Parameters<typeof resolvePeriod>[0]['preset'], zone: string, now: string) =>
  resolvePeriod({ preset: name, from: null, to: null }, zone, at(now))

describe('a period', () => {
  test('lasts from midnight to midnight of its zone, also when the clock changes in between', () => {
    // Kyiv goes back at 4:00 on 25 October 2026: that day has 25 hours
    expect(iso(preset('yesterday', 'Europe/Kyiv', '2026-10-26T09:00:00Z').range)).toEqual([
      '2026-10-24T21:00:00.000Z',
      '2026-10-25T22:00:00.000Z',
    ])
    expect(iso(preset('today', 'Asia/Kolkata', '2026-10-25T19:00:00Z').range)).toEqual([
      '2026-10-25T18:30:00.000Z',
      '2026-10-26T18:30:00.000Z',
    ])
    // in Cairo the clock went forward at midnight: that day began at 1:00
    expect(iso(preset('today', 'Africa/Cairo', '2026-04-24T10:00:00Z').range)).toEqual([
      '2026-04-23T22:00:00.000Z',
      '2026-04-24T21:00:00.000Z',
    ])
  })

  test('of weeks begins on Monday, of months on the first', () => {
    expect(iso(preset('this_week', 'UTC', '2026-11-22T12:00:00Z').range)).toEqual(['2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'])
    expect(iso(preset('last_week', 'UTC', '2026-11-22T12:00:00Z').range)).toEqual(['2026-11-09T00:00:00.000Z', '2026-11-16T00:00:00.000Z'])
    expect(iso(preset('last_month', 'UTC', '2026-03-31T12:00:00Z').range)).toEqual(['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'])
  })

  test('of weeks begins on the day that is asked for', () => {
    const now = at('2026-11-22T12:00:00Z') // a Sunday
    const week = (name: 'this_week' | 'last_week', first_day: 'saturday' | 'sunday') =>
      iso(resolvePeriod({ preset: name, from: null, to: null, first_day }, 'UTC', now).range)
    expect(week('this_week', 'sunday')).toEqual(['2026-11-22T00:00:00.000Z', '2026-11-23T00:00:00.000Z'])
    expect(week('last_week', 'saturday')).toEqual(['2026-11-14T00:00:00.000Z', '2026-11-21T00:00:00.000Z'])
    const range = { from: at('2026-11-20T00:00:00Z'), to: at('2026-11-23T00:00:00Z') }
    expect(stepsOf('week', range, 'UTC', 'sunday').map((step) => step.id)).toEqual(['2026-11-15', '2026-11-22'])
  })

  test('is compared with the same days a year ago where that is asked, whole months with whole months', () => {
    const ago = (name: 'this_month' | 'today') =>
      iso(resolvePeriod({ preset: name, from: null, to: null }, 'UTC', at('2026-11-22T12:00:00Z'), { compare: 'year' }).previous)
    expect(ago('this_month')).toEqual(['2025-11-01T00:00:00.000Z', '2025-11-22T12:00:00.000Z'])
    expect(ago('today')).toEqual(['2025-11-22T00:00:00.000Z', '2025-11-22T12:00:00.000Z'])
    const march = { preset: 'custom', from: '2026-03-01', to: '2026-03-31' } as const
    expect(iso(resolvePeriod(march, 'UTC', at('2026-11-22T12:00:00Z')).previous)).toEqual([
      '2026-02-01T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ])
  })

  test('that is over is compared with the whole one before, one that goes on with the same part of it', () => {
    expect(iso(preset('last_month', 'UTC', '2026-03-31T12:00:00Z').previous)).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-02-01T00:00:00.000Z',
    ])
    expect(iso(preset('today', 'UTC', '2026-11-22T10:08:00Z').previous)).toEqual(['2026-11-21T00:00:00.000Z', '2026-11-21T10:15:00.000Z'])
    expect(iso(preset('last_7_days', 'Europe/Kyiv', '2026-10-26T09:00:00Z').previous)).toEqual([
      '2026-10-12T21:00:00.000Z',
      '2026-10-19T08:00:00.000Z',
    ])
    // a month with a 31st compared with one without: never more than that month
    expect(iso(preset('this_month', 'UTC', '2026-03-31T12:00:00Z').previous)).toEqual([
      '2026-02-01T00:00:00.000Z',
      '2026-02-28T12:00:00.000Z',
    ])
    const custom = resolvePeriod({ preset: 'custom', from: '2026-01-10', to: '2026-01-19' }, 'UTC', at('2026-11-22T00:00:00Z'))
    expect(iso(custom.previous)).toEqual(['2025-12-31T00:00:00.000Z', '2026-01-10T00:00:00.000Z'])
  })
})

describe('days compared by the weekday they begin on', () => {
  const days = (from: string, to: string) => ({ preset: 'custom', from, to }) as const
  type Compared = NonNullable<Parameters<typeof resolvePeriod>[3]>
  const against = (period: Parameters<typeof resolvePeriod>[0], compared: Compared, now = '2026-12-31T12:00:00Z', zone = 'UTC') =>
    iso(resolvePeriod(period, zone, at(now), { match_weekday: true, ...compared }).previous)

  test('are as near as they can be, as many, and end before the period begins', () => {
    // 1 November 2026 is a Sunday, the one of 2025 a Saturday; October's nearest Sunday leaves no room for thirty days
    expect(against(days('2026-11-01', '2026-11-30'), { compare: 'year' })).toEqual(['2025-11-02T00:00:00.000Z', '2025-12-02T00:00:00.000Z'])
    expect(against(days('2026-11-01', '2026-11-30'), { compare: 'previous' })).toEqual([
      '2026-09-27T00:00:00.000Z',
      '2026-10-27T00:00:00.000Z',
    ])
    expect(against(days('2026-03-01', '2026-03-31'), { compare: 'previous' })).toEqual([
      '2026-01-25T00:00:00.000Z',
      '2026-02-25T00:00:00.000Z',
    ])
    expect(against(days('2026-11-12', '2026-11-14'), { compare: 'previous' })).toEqual([
      '2026-11-05T00:00:00.000Z',
      '2026-11-08T00:00:00.000Z',
    ])
  })

  test('end at the same time of day where the period goes on, also across a clock change', () => {
    // Kyiv goes back on 25 October 2026: noon there is 9:00 UTC before and 10:00 after
    const now = '2026-10-27T10:00:00Z'
    const today = { preset: 'today', from: null, to: null } as const
    expect(against(today, { compare: 'previous' }, now, 'Europe/Kyiv')).toEqual(['2026-10-19T21:00:00.000Z', '2026-10-20T09:00:00.000Z'])
    expect(against(today, { compare: 'year' }, now, 'Europe/Kyiv')).toEqual(['2025-10-27T22:00:00.000Z', '2025-10-28T10:00:00.000Z'])
    const month = { preset: 'this_month', from: null, to: null } as const
    expect(against(month, { compare: 'previous' }, '2026-11-22T12:00:00Z')).toEqual([
      '2026-10-04T00:00:00.000Z',
      '2026-10-25T12:00:00.000Z',
    ])
  })

  test('may be named: all of them, moved to that weekday, and cut only where they are as many', () => {
    const custom = (from: string, to: string, match_weekday = false) =>
      ({ compare: 'custom', compare_days: { from, to }, match_weekday }) as const
    const week = days('2026-11-16', '2026-11-22')
    expect(against(week, custom('2026-02-01', '2026-02-28'))).toEqual(['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'])
    expect(against(week, custom('2026-02-01', '2026-02-28', true))).toEqual(['2026-02-02T00:00:00.000Z', '2026-03-02T00:00:00.000Z'])
    expect(against(week, custom('2027-01-01', '2027-01-07', true))).toEqual(['2027-01-04T00:00:00.000Z', '2027-01-11T00:00:00.000Z'])
    // 29 March 2026 has 23 hours in Kyiv
    const today = { preset: 'today', from: null, to: null } as const
    const now = '2026-11-22T12:00:00Z'
    expect(against(today, custom('2026-03-29', '2026-03-29'), now, 'Europe/Kyiv')).toEqual([
      '2026-03-28T22:00:00.000Z',
      '2026-03-29T11:00:00.000Z',
    ])
    expect(against(today, custom('2026-03-28', '2026-03-29'), now, 'Europe/Kyiv')).toEqual([
      '2026-03-27T22:00:00.000Z',
      '2026-03-29T21:00:00.000Z',
    ])
  })
})

describe('steps', () => {
  test('of a day on which an hour comes twice are 25, and each has a name of its own', () => {
    const { range } = preset('today', 'Europe/Kyiv', '2026-10-25T09:00:00Z')
    const hours = stepsOf('hour', range, 'Europe/Kyiv').map((step) => step.id.slice(11))
    expect(hours).toHaveLength(25)
    expect(hours.slice(2, 6)).toEqual(['02:00+03:00', '03:00+03:00', '03:00+02:00', '04:00+02:00'])
  })

  test('stay on full hours where the clock moves by half of one', () => {
    const { range } = preset('today', 'Australia/Lord_Howe', '2026-04-05T01:00:00Z')
    const hours = stepsOf('hour', range, 'Australia/Lord_Howe').map((step) => step.id.slice(11))
    expect(hours.slice(0, 5)).toEqual(['00:00+11:00', '01:00+11:00', '01:30+10:30', '02:00+10:30', '03:00+10:30'])
    expect(hours).toHaveLength(25)
  })

  test('of weeks and months hold the whole one they begin in, without gaps', () => {
    const range = { from: at('2026-10-28T00:00:00Z'), to: at('2026-12-02T00:00:00Z') }
    expect(stepsOf('week', range, 'UTC').map((step) => step.id)).toEqual([
      '2026-10-26',
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
      '2026-11-23',
      '2026-11-30',
    ])
    expect(stepsOf('month', range, 'UTC').map((step) => step.id)).toEqual(['2026-10', '2026-11', '2026-12'])
    expect(weekdaysOf(stepsOf('day', { from: range.from, to: range.from + 3 * 86_400_000 }, 'UTC'))).toEqual([3, 4, 5])
  })

  test('are as coarse as a line can be read', () => {
    expect([1, 2, 3, 93, 94, 550, 551].map(grainFor)).toEqual(['hour', 'hour', 'day', 'day', 'week', 'week', 'month'])
  })
})
