import type { RUN_SCHEDULES } from '#contract/money/billing-run.ts'

export type PayoutPeriod = { from: string; to: string }

/** The hour of the first day after a period at which its invoices are proposed. */
const HOUR = 6

/**
 * The last period of a schedule that is over and whose invoices are due to be proposed at a moment (ms), by the clock of a zone: weeks
 * from Monday to Sunday, the halves of a month (1–15, 16–end), and months.
 */
export function lastPeriod(schedule: (typeof RUN_SCHEDULES)[number], at: number, zone: string): PayoutPeriod {
  // before six o'clock it is still the day before
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).subtract({ hours: HOUR }).toPlainDate()
  const ends = endBefore(schedule, today)
  const starts =
    schedule === 'weekly'
      ? ends.subtract({ days: 6 })
      : schedule === 'monthly' || ends.day === 15
        ? ends.with({ day: 1 })
        : ends.with({ day: 16 })
  return { from: starts.toString(), to: ends.toString() }
}

/** The end of the period a day lies in. */
export function periodEnd(schedule: (typeof RUN_SCHEDULES)[number], day: string): string {
  const date = Temporal.PlainDate.from(day)
  if (schedule === 'weekly') return date.add({ days: 7 - date.dayOfWeek }).toString()
  if (schedule === 'twice_a_month' && date.day <= 15) return date.with({ day: 15 }).toString()
  return date.with({ day: date.daysInMonth }).toString()
}

function endBefore(schedule: (typeof RUN_SCHEDULES)[number], today: Temporal.PlainDate): Temporal.PlainDate {
  if (schedule === 'weekly') return today.subtract({ days: today.dayOfWeek })
  if (schedule === 'twice_a_month' && today.day > 15) return today.with({ day: 15 })
  return today.with({ day: 1 }).subtract({ days: 1 })
}
