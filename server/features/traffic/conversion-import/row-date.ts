import type { REPORT_DATES } from '#contract/money/report-reading.ts'
import { readTime } from '#server/rules/conversion/read-time.ts'

/** How the dates of a file are read; `dates` null = nobody can tell days and months apart. */
export type DateReading = { dates: (typeof REPORT_DATES)[number] | null; zone: string; now: number }

const HALF_A_DAY = 12 * 3_600_000

/**
 * When a row says that its conversion was made, by the network's zone unless it names one. A day alone is its noon, or as soon after as the
 * conversion may have been made. It is neither in the future nor before the click.
 */
export function momentOfRow(
  text: string,
  { dates, zone, now }: DateReading,
  { clickAt, afterClick }: { clickAt: number; afterClick: number },
): { at: number } | { reason: string } {
  const shown = `“${text.slice(0, 40)}”`
  const read = readTime(text, dates ?? 'iso')
  if (read === null)
    return { reason: dates === null ? `${shown} may be two days: say how dates are written.` : `${shown} is no date that can be read.` }
  const wall = Temporal.Instant.fromEpochMilliseconds(read.at).toZonedDateTimeISO('UTC').toPlainDateTime()
  const first = read.zoned ? read.at : wall.toZonedDateTime(zone).epochMilliseconds
  if (first > now) return { reason: `${shown} is in the future.` }
  if (!read.dayOnly) return first < clickAt ? { reason: `${shown} is before the click.` } : { at: first }
  const last = Math.min(wall.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds - 1, now)
  if (last < clickAt) return { reason: `${shown} is before the click.` }
  return { at: Math.min(Math.max(first + HALF_A_DAY, clickAt + afterClick), last) }
}
