const DAY = 86_400_000
const HOUR = 3_600_000

/** The beginning of a day of UTC. */
export function startOfDay(at: number): number {
  return Math.floor(at / DAY) * DAY
}

/** From and until, in ms. */
export type Window = { from: number; until: number }

/**
 * The stretches of time to ask about: the days leads were sent on, wider by the slack at both ends, those that touch joined, none
 * longer than `days`. Days nothing was sent on are not asked about, and a day missed is asked about the next time.
 */
export function windowsOf(sentAt: readonly number[], now: number, { days, slackHours }: { days: number; slackHours: number }): Window[] {
  const slack = slackHours * HOUR
  const starts = [...new Set(sentAt.map(startOfDay))].toSorted((a, b) => a - b)
  const joined: Window[] = []
  for (const start of starts) {
    const last = joined.at(-1)
    const window = { from: start - slack, until: Math.min(start + DAY + slack, now + slack) }
    if (last !== undefined && window.from <= last.until) last.until = window.until
    else joined.push(window)
  }
  return joined.flatMap(({ from, until }) => cut(from, until, days * DAY))
}

function cut(from: number, until: number, longest: number): Window[] {
  const parts: Window[] = []
  for (let at = from; at < until; at += longest) parts.push({ from: at, until: Math.min(at + longest, until) })
  return parts
}
