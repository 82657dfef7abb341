import { beforeEach, expect, test } from 'vitest'
import { setFirstDay } from '#web/first-day.ts'
import { daysOf, shifted, type AskedPeriod, type Preset } from '#web/period.ts'

// a Sunday
const TODAY = '2026-11-22'
const named = (preset: Preset): AskedPeriod => ({ preset, from: null, to: null })
const days = (from: string, to: string): AskedPeriod => ({ preset: 'custom', from, to })

beforeEach(() => setFirstDay('monday'))

test('the arrows lead through the calendar and back', () => {
  for (const [from, before] of [
    [named('this_month'), named('last_month')],
    [named('last_month'), days('2026-09-01', '2026-09-30')],
    [days('2026-03-01', '2026-03-31'), days('2026-02-01', '2026-02-28')],
    [named('this_week'), named('last_week')],
    [named('last_week'), days('2026-11-02', '2026-11-08')],
    [named('last_7_days'), days('2026-11-09', '2026-11-15')],
    [named('this_year'), days('2025-01-01', '2025-12-31')],
    [named('today'), named('yesterday')],
    [named('yesterday'), days('2026-11-20', '2026-11-20')],
    [days('2026-11-03', '2026-11-05'), days('2026-10-31', '2026-11-02')],
  ] as const) {
    expect(shifted(from, -1, TODAY)).toEqual(before)
    if (from.preset !== 'last_7_days') expect(shifted(before, 1, TODAY)).toEqual(from)
  }
})

test('a period has the days of its zone, weeks begin on the day that is chosen', () => {
  expect(daysOf(named('this_week'), TODAY)).toEqual({ from: '2026-11-16', to: '2026-11-22' })
  setFirstDay('sunday')
  expect(daysOf(named('this_week'), TODAY)).toEqual({ from: TODAY, to: TODAY })
  expect(shifted(named('this_week'), -1, TODAY)).toEqual(named('last_week'))
  expect(daysOf(named('last_month'), '2026-01-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
})
