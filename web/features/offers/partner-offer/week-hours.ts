import { locale } from '#web/notation.ts'

type Opening = { from: string; until: string }
/** Days of the week that share their hours: "Mon–Sat" and "09:00–20:00"; `days` null = every day. */
export type WeekHours = { days: string | null; hours: string }

const DAY = 86_400_000
const WEEK = 7 * DAY
/** A Monday, to name days by. */
const MONDAY = Date.UTC(2024, 0, 1)

/**
 * The openings of the seven days from now as hours of a week in a zone, days of the same hours together and Monday first; null = without
 * an end. What runs now ends the list too, cut off where the week does: both parts are one day.
 */
export function weekHours(openings: readonly Opening[], zone: string): WeekHours[] | null {
  if (openings.some((one) => lengthOf(one) >= WEEK)) return null
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short' })
  const clock = (at: string) => time.format(new Date(at))
  const dayOf = (at: string) => DAYS.indexOf(weekday.format(new Date(at)))
  const long: WeekHours[] = []
  const hours = new Map<number, string[]>()
  for (const { from, until } of inOnePiece(openings)) {
    // over more than a day the clock alone does not say when
    if (Date.parse(until) - Date.parse(from) > DAY)
      long.push({ days: nameOf(dayOf(from)), hours: `${clock(from)} – ${nameOf(dayOf(until))} ${clock(until)}` })
    else {
      const ends = clock(until)
      const day = dayOf(from)
      hours.set(day, [...(hours.get(day) ?? []), `${clock(from)}–${ends === '00:00' ? '24:00' : ends}`])
    }
  }
  const alike = Map.groupBy(
    [...hours].toSorted(([one], [other]) => one - other),
    ([, spans]) => spans.toSorted().join(', '),
  )
  return [...long, ...[...alike].map(([text, days]) => ({ days: daysText(days.map(([day]) => day)), hours: text }))]
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function lengthOf({ from, until }: Opening): number {
  return Date.parse(until) - Date.parse(from)
}

function inOnePiece(openings: readonly Opening[]): readonly Opening[] {
  const [first, ...others] = openings
  const last = others.at(-1)
  if (first === undefined || last === undefined || Date.parse(last.until) - Date.parse(first.from) !== WEEK) return openings
  // told as of the week to come: both lie there
  const rest = Date.parse(first.until) - Date.parse(first.from)
  return [...others.slice(0, -1), { from: last.from, until: new Date(Date.parse(last.until) + rest).toISOString() }]
}

/** Days in their order: three and more that follow each other as a range. */
function daysText(days: readonly number[]): string | null {
  if (days.length === DAYS.length) return null
  const runs: number[][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  return runs.flatMap((run) => (run.length > 2 ? [`${nameOf(run[0] ?? 0)}–${nameOf(run.at(-1) ?? 0)}`] : run.map(nameOf))).join(', ')
}

/** What a day is called, Monday being the first. */
function nameOf(day: number): string {
  return new Intl.DateTimeFormat(locale(), { weekday: 'short', timeZone: 'UTC' }).format(new Date(MONDAY + day * DAY))
}
