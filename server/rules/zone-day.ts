/** The calendar day of a moment (ms) in a zone, such as 2026-11-21. */
export function dayIn(at: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** When the day of a moment ends in a zone, in milliseconds; days of 23 or 25 hours included. */
export function dayEnd(at: number, timeZone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().add({ days: 1 }).toZonedDateTime(timeZone)
    .epochMilliseconds
}
