/** The last month conversions of who was brought count in, such as `2026-11`, in a zone. */
export function lastMonthOf({ created_at, months }: { created_at: Date; months: number }, zone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(created_at.getTime()).toZonedDateTimeISO(zone).toPlainDate()
  return day.add({ months }).toPlainYearMonth().toString()
}
