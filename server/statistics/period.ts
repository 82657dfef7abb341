import type { z } from 'zod'
import { WEEKDAY, type FirstDay, type period } from '#contract/traffic/period.ts'
import type { reportInput } from '#contract/traffic/report.ts'

type Comparison = Pick<z.output<typeof reportInput>, 'compare' | 'compare_days' | 'match_weekday'>
type Period = Omit<AskedPeriod, 'first_day'> & Partial<Pick<AskedPeriod, 'first_day'>>

type AskedPeriod = z.output<typeof period>

/** A stretch of time in milliseconds since 1970, `to` exclusive. */
export type Range = { from: number; to: number }

/**
 * The moments a period begins and ends in a zone, and those of the period before it, by the calendar of the zone: a day
 * with a clock change has 23 or 25 hours. A period that is not over is compared with the same stretch of the one before,
 * to the nearest quarter hour, which is as fine as the roll-ups are. With `year` the one before is the same a year ago, with
 * `custom` the days named: all of them, where they are not as many. Those that match by weekday begin on that of the period,
 * as near as they can to where they would; unless they were named, they are as many and end before it begins.
 */
export function resolvePeriod(
  period: Period,
  zone: string,
  now: number,
  { compare = 'previous', compare_days: named = null, match_weekday: matched = false }: Partial<Comparison> = {},
): { range: Range; previous: Range } {
  const present = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  const { first, last, back: step } = daysOf(period, present.toPlainDate())
  const end = last.add({ days: 1 })
  const range = { from: startOf(first, zone), to: startOf(end, zone) }
  const days = first.until(end).days
  const chosen = compare === 'custom' ? named : null
  const count = chosen === null ? days : Temporal.PlainDate.from(chosen.from).until(chosen.to).days + 1
  const usual = compare === 'year' ? { years: 1 } : step
  const apart = (chosen === null ? first.subtract(usual) : Temporal.PlainDate.from(chosen.from)).until(first).days
  const weeks = Math.max(Math.round(apart / 7), chosen === null ? Math.ceil(days / 7) : -Infinity)
  const byDays = matched || chosen !== null
  const back = matched ? { days: weeks * 7 } : chosen === null ? usual : { days: apart }
  const start = first.subtract(back)
  const before = { from: startOf(start, zone), to: startOf(byDays ? start.add({ days: count }) : end.subtract(back), zone) }
  // months differ in length: the 31st has no day of the same number before it
  if (!byDays) before.to = Math.min(before.to, range.from)
  if (now < range.from || now >= range.to || count !== days) return { range, previous: before }
  const elapsed = present.subtract(back).round({ smallestUnit: 'minute', roundingIncrement: 15 }).epochMilliseconds
  return { range, previous: { from: before.from, to: Math.max(before.from, Math.min(before.to, elapsed)) } }
}

/** The first day of the week a day lies in. */
export function startOfWeek(day: Temporal.PlainDate, firstDay: FirstDay): Temporal.PlainDate {
  return day.subtract({ days: (day.dayOfWeek - WEEKDAY[firstDay] + 7) % 7 })
}

/** How many days of the zone a range covers. */
export function daysIn(range: Range): number {
  return Math.round((range.to - range.from) / 86_400_000)
}

type Days = { first: Temporal.PlainDate; last: Temporal.PlainDate; back: Temporal.DurationLike }

function daysOf({ preset, from, to, first_day = 'monday' }: Period, today: Temporal.PlainDate): Days {
  const week = startOfWeek(today, first_day)
  switch (preset) {
    case 'today':
      return { first: today, last: today, back: { days: 1 } }
    case 'yesterday':
      return { first: today.subtract({ days: 1 }), last: today.subtract({ days: 1 }), back: { days: 1 } }
    case 'last_7_days':
      return { first: today.subtract({ days: 6 }), last: today, back: { days: 7 } }
    case 'last_30_days':
      return { first: today.subtract({ days: 29 }), last: today, back: { days: 30 } }
    case 'this_week':
      return { first: week, last: today, back: { days: 7 } }
    case 'last_week':
      return { first: week.subtract({ days: 7 }), last: week.subtract({ days: 1 }), back: { days: 7 } }
    case 'this_month':
      return { first: today.with({ day: 1 }), last: today, back: { months: 1 } }
    case 'last_month':
      return {
        first: today.with({ day: 1 }).subtract({ months: 1 }),
        last: today.with({ day: 1 }).subtract({ days: 1 }),
        back: { months: 1 },
      }
    case 'this_year':
      return { first: today.with({ day: 1, month: 1 }), last: today, back: { years: 1 } }
    case 'custom': {
      // the contract asks for both days of a custom period
      const first = Temporal.PlainDate.from(from ?? today)
      const last = Temporal.PlainDate.from(to ?? today)
      // whole months are compared with as many whole months
      const months = first.day === 1 && last.day === last.daysInMonth ? (last.year - first.year) * 12 + last.month - first.month + 1 : 0
      return { first, last, back: months > 0 ? { months } : { days: first.until(last).days + 1 } }
    }
  }
}

/** The first moment of a day, which is not midnight where the clock changes at midnight. */
function startOf(day: Temporal.PlainDate, zone: string): number {
  return day.toZonedDateTime(zone).epochMilliseconds
}
