import type { CapPeriod } from '#contract/offers/offer-cap.ts'

/** The calendar day of a moment (ms) in a zone, such as 2026-11-21. */
export function dayIn(at: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** Where `total` ends: later than anything that happens. */
const NEVER = Date.UTC(9999, 0, 1)

/** The period of the clock of a zone a moment lies in, in milliseconds, `ends` exclusive; days of 23 or 25 hours included. Weeks begin on Monday. */
export function periodOf(period: CapPeriod, at: number, timeZone: string): { starts: number; ends: number } {
  if (period === 'total') return { starts: 0, ends: NEVER }
  const moment = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  if (period === 'hour') {
    const starts = moment.round({ smallestUnit: 'hour', roundingMode: 'floor' })
    return { starts: starts.epochMilliseconds, ends: starts.add({ hours: 1 }).epochMilliseconds }
  }
  const day = moment.toPlainDate()
  const first = period === 'day' ? day : period === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 })
  const next = first.add(period === 'day' ? { days: 1 } : period === 'week' ? { weeks: 1 } : { months: 1 })
  return { starts: first.toZonedDateTime(timeZone).epochMilliseconds, ends: next.toZonedDateTime(timeZone).epochMilliseconds }
}

/** The last month that was over on the second of the one after it, such as 2026-10. */
export function lastMonthOver(now: number, zone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate().subtract({ days: 1 })
  return day.with({ day: 1 }).subtract({ months: 1 }).toString().slice(0, 7)
}

/** The month that comes after one. */
export function monthAfter(month: string): string {
  return Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString()
}

/** The day so many days after one, both as YYYY-MM-DD. */
export function daysAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** The first moment of a day. */
export function startOf(day: string, zone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds)
}

/** The midnight that ends a day in a zone. */
export function endOf(day: string, zone: string): Date {
  return new Date(Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds)
}
