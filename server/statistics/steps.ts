import type { FirstDay } from '#contract/traffic/period.ts'
import { startOfWeek, type Range } from './period.ts'

/** The time groupings, from the finest to the coarsest. */
export const GRAINS = ['hour', 'day', 'week', 'month'] as const
export type Grain = (typeof GRAINS)[number]

/** Where a step of time begins (seconds since 1970), and its id: `2026-11-21T14:00+02:00`, `2026-11-21`, its first day, `2026-11`. */
export type Step = { start: number; id: string }

/**
 * The hours, days, weeks or months of a zone that touch a range, in order, without gaps. The engine sorts rows into them
 * by their first seconds, so that one calendar – this runtime's – decides, whatever time zones the engine knows.
 */
export function stepsOf(grain: Grain, range: Range, zone: string, firstDay: FirstDay = 'monday'): Step[] {
  const steps: Step[] = []
  let at = firstStep(grain, Temporal.Instant.fromEpochMilliseconds(range.from).toZonedDateTimeISO(zone), firstDay)
  while (at.epochMilliseconds < range.to) {
    steps.push({ start: Math.floor(at.epochMilliseconds / 1000), id: idOf(grain, at) })
    at = nextStep(grain, at)
  }
  return steps
}

/** The weekday (1 = Monday) of each day's step. */
export function weekdaysOf(days: readonly Step[]): number[] {
  return days.map(({ id }) => Temporal.PlainDate.from(id).dayOfWeek)
}

/** The coarsest grain that still draws a line: hours for two days, days for three months, weeks for a year and a half. */
export function grainFor(days: number): Grain {
  if (days <= 2) return 'hour'
  if (days <= 93) return 'day'
  return days <= 550 ? 'week' : 'month'
}

function firstStep(grain: Grain, moment: Temporal.ZonedDateTime, firstDay: FirstDay): Temporal.ZonedDateTime {
  if (grain === 'hour') return moment.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  const day = moment.toPlainDate()
  const first = grain === 'week' ? startOfWeek(day, firstDay) : grain === 'month' ? day.with({ day: 1 }) : day
  return first.toZonedDateTime(moment.timeZoneId)
}

function nextStep(grain: Grain, at: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (grain !== 'hour') {
    const next = at.toPlainDate().add(grain === 'day' ? { days: 1 } : grain === 'week' ? { weeks: 1 } : { months: 1 })
    return next.toZonedDateTime(at.timeZoneId)
  }
  // A clock that moves by half an hour (Lord Howe) makes a short step, so that all others begin at full hours.
  const later = at.add({ hours: 1 })
  const full = later.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  return full.epochMilliseconds > at.epochMilliseconds ? full : later
}

function idOf(grain: Grain, at: Temporal.ZonedDateTime): string {
  if (grain === 'hour') return at.toString({ smallestUnit: 'minute', timeZoneName: 'never' })
  return at
    .toPlainDate()
    .toString()
    .slice(0, grain === 'month' ? 7 : 10)
}
