import { currentLanguage } from '#web/i18n/language.ts'

/** A month such as `2026-11` as it is written: November 2026. */
export function monthName(month: string): string {
  return new Intl.DateTimeFormat(currentLanguage(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
}
