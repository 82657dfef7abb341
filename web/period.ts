import { WEEKDAY, type PERIOD_PRESETS } from '#contract/traffic/period.ts'
import { firstDay } from '#web/first-day.ts'
import { day } from '#web/format.ts'

export type Preset = (typeof PERIOD_PRESETS)[number]
/** A period by its name, or by its days (`YYYY-MM-DD`, both inclusive) where it is `custom`. */
export type AskedPeriod = { preset: Preset; from: string | null; to: string | null }
type Days = { from: string; to: string }

/** The days of a period, with today's date in its zone; weeks begin on `firstDay`. */
export function daysOf({ preset, from, to }: AskedPeriod, today: string): Days {
  const week = addDays(today, -((weekdayOf(today) - WEEKDAY[firstDay()] + 7) % 7))
  switch (preset) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) }
    case 'last_7_days':
      return { from: addDays(today, -6), to: today }
    case 'last_30_days':
      return { from: addDays(today, -29), to: today }
    case 'this_week':
      return { from: week, to: today }
    case 'last_week':
      return { from: addDays(week, -7), to: addDays(week, -1) }
    case 'this_month':
      return { from: monthOf(today).from, to: today }
    case 'last_month':
      return monthOf(today, -1)
    case 'this_year':
      return { from: `${today.slice(0, 4)}-01-01`, to: today }
    case 'custom':
      return { from: from ?? today, to: to ?? today }
  }
}

/** Some calendar days (YYYY-MM-DD) by the first and the last of them. */
export function daysText(first: string, last: string): string {
  return first === last ? day(first) : `${day(first)} – ${day(last)}`
}

/**
 * The period before or after one, by the calendar: of a month the whole month beside it, of a week the week, of a year the year, of other
 * days as many. One that has a name gets it back.
 */
export function shifted(period: AskedPeriod, by: 1 | -1, today: string): AskedPeriod {
  const { from, to } = daysOf(period, today)
  const unit = unitOf(period.preset, { from, to })
  const moved = (): Days => {
    if (unit === 'month') return monthOf(from, by)
    if (unit === 'year') return yearOf(from, by)
    const length = unit === 'week' ? 7 : (Date.parse(to) - Date.parse(from)) / DAY + 1
    return { from: addDays(from, by * length), to: addDays(unit === 'week' ? addDays(from, 6) : to, by * length) }
  }
  const days = moved()
  const name = NAMED[unit].find((preset) => {
    const known = daysOf({ preset, from: null, to: null }, today)
    // what is still running is named as soon as it has begun
    return known.from === days.from && (known.to === days.to || (preset.startsWith('this_') && days.to > today))
  })
  return name === undefined ? { preset: 'custom', ...days } : { preset: name, from: null, to: null }
}

type Unit = 'days' | 'week' | 'month' | 'year'
const NAMED: Readonly<Record<Unit, readonly Preset[]>> = {
  days: ['today', 'yesterday', 'last_7_days', 'last_30_days'],
  week: ['this_week', 'last_week'],
  month: ['this_month', 'last_month'],
  year: ['this_year'],
}

function unitOf(preset: Preset, { from, to }: Days): Unit {
  if (preset !== 'custom')
    return preset.endsWith('_week') ? 'week' : preset.endsWith('_month') ? 'month' : preset === 'this_year' ? 'year' : 'days'
  const month = monthOf(from)
  if (month.from === from && month.to === to) return 'month'
  const year = yearOf(from)
  if (year.from === from && year.to === to) return 'year'
  return weekdayOf(from) === WEEKDAY[firstDay()] && addDays(from, 6) === to ? 'week' : 'days'
}

const DAY = 86_400_000

function monthOf(day: string, by = 0): Days {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + by)
  const first = at.toISOString().slice(0, 10)
  at.setUTCMonth(at.getUTCMonth() + 1, 0)
  return { from: first, to: at.toISOString().slice(0, 10) }
}

function yearOf(day: string, by = 0): Days {
  const year = String(Number(day.slice(0, 4)) + by)
  return { from: `${year}-01-01`, to: `${year}-12-31` }
}

/** 1 is Monday. */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

/** A calendar day some days after another (before it, where negative). */
export function addDays(from: string, days: number): string {
  return new Date(Date.parse(`${from}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}
