import i18next from 'i18next'
import type { ReportInput } from '#contract/traffic/report.ts'

/** What a report asks, and the address of its page. */
export type Scheduled = { question: ReportInput; address: string }

/** `08:00`. */
export function hourName(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** The name of a weekday, 1 = Monday, in the language on the screen. */
export function weekdayName(day: number): string {
  // the first of January 2024 was a Monday
  return new Intl.DateTimeFormat(i18next.language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))
}
