import type { OpeningHours } from '#server/rules/lead/cascade.ts'

/** Open from and until, both in ms of UTC; `until` is never later than the next change of the zone's clocks. */
export type Opening = { from: number; until: number }

const MINUTE = 60_000
const WEEK = 7 * 1440 * MINUTE
/** A Monday midnight. */
const MONDAY = Date.UTC(1970, 0, 5)

/**
 * Tells when windows of wall time are open: it is open at a moment if and only if the clocks of the zone then show a minute of a
 * window. An hour that a change of clocks leaves out shortens a window, one that comes twice is open twice.
 */
export function openWeek({ zone, days }: OpeningHours): { after(at: number): Opening | null } {
  const spans = spansOf(days)
  let piece = { from: Infinity, until: -Infinity, offset: 0 }
  return {
    /** The opening that runs at a moment, else the next one; null = it is never open. */
    after(at) {
      if (spans.length === 0) return null
      // between two changes of the clocks wall time is arithmetic
      for (let from = at; ; from = piece.until) {
        if (from < piece.from || from >= piece.until) piece = pieceAt(from, zone)
        const local = from + piece.offset - MONDAY
        const week = Math.floor(local / WEEK) * WEEK
        const span = spans.find(({ until }) => week + until > local) ?? later(spans[0])
        const shift = MONDAY - piece.offset
        const opens = Math.max(from, week + span.from + shift)
        if (opens < piece.until) return { from: opens, until: Math.min(week + span.until + shift, piece.until) }
      }
    },
  }
}

/** When it opens from a moment on: itself where it is open; each opening is looked at once, not for each moment within it. */
export function remembered({ after }: { after(at: number): Opening | null }): (at: number) => number | null {
  let known: { asked: number; opening: Opening } | null = null
  return (at) => {
    if (known === null || at < known.asked || at >= known.opening.until) {
      const opening = after(at)
      if (opening === null) return null
      known = { asked: at, opening }
    }
    return Math.max(at, known.opening.from)
  }
}

function later(span: Opening | undefined): Opening {
  return { from: (span?.from ?? 0) + WEEK, until: (span?.until ?? 0) + WEEK }
}

/** From which moment until which the clocks of a zone are not changed, and how far they are ahead of UTC. */
function pieceAt(at: number, zone: string): { from: number; until: number; offset: number } {
  const there = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  const next = there.getTimeZoneTransition('next')
  return { from: at, until: next?.epochMilliseconds ?? Infinity, offset: there.offsetNanoseconds / 1e6 }
}

/** Windows as ms of the week, in their order, those that touch joined. */
function spansOf(days: OpeningHours['days']): Opening[] {
  const cut = days.flatMap((windows, day) =>
    windows.flatMap(({ from, until }) => {
      const opens = (day * 1440 + from) * MINUTE
      const closes = (day * 1440 + until + (until <= from ? 1440 : 0)) * MINUTE
      // what goes on past Sunday begins the week
      return closes > WEEK
        ? [
            { from: opens, until: WEEK },
            { from: 0, until: closes - WEEK },
          ]
        : [{ from: opens, until: closes }]
    }),
  )
  const joined: Opening[] = []
  for (const span of cut.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last !== undefined && span.from <= last.until) last.until = Math.max(last.until, span.until)
    else joined.push({ ...span })
  }
  return joined
}

/** For how many ms of each weekday, Monday first, windows are open. */
export function openByDay(days: OpeningHours['days']): number[] {
  const DAY = 1440 * MINUTE
  const spans = spansOf(days)
  return Array.from({ length: 7 }, (_, day) =>
    spans.reduce((sum, { from, until }) => sum + Math.max(0, Math.min(until, (day + 1) * DAY) - Math.max(from, day * DAY)), 0),
  )
}
