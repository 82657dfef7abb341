import { DatesProvider, type DatePickerProps } from '@mantine/dates'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { firstDay } from '#web/first-day.ts'
import 'dayjs/locale/uk'
import { todayIn } from '#web/zone-time.ts'
import classes from '#web/kit/fields/day/calendar.module.css'
import '@mantine/dates/styles.css'

/** As the calendars count: 0 is Sunday. */
const DAY_OF = { sunday: 0, monday: 1, saturday: 6 } as const

/** What every calendar has: months in the language of the panel, weeks that begin as the reader likes, and no day in the red of errors. */
export function CalendarSettings({ children }: { children: ReactNode }) {
  return (
    <DatesProvider settings={{ locale: currentLanguage(), firstDayOfWeek: DAY_OF[firstDay()], weekendDays: [] }}>{children}</DatesProvider>
  )
}

/** Marks of the days of a calendar: today in a zone and, with `past`, those that are still to come, of which there are no figures yet. */
export function dayMarks(zone: string, past = false): NonNullable<DatePickerProps['getDayProps']> {
  const today = todayIn(zone)
  return (day) =>
    day === today ? { className: classes.today, 'aria-current': 'date' } : { className: past && day > today ? classes.later : '' }
}

/** What the arrows of a calendar are called, whether it shows days, months or years. */
export function useCalendarLabels() {
  const { t } = useTranslation('kit')
  const [previous, next] = [t('day.previous'), t('day.next')]
  return {
    previousMonth: previous,
    nextMonth: next,
    previousYear: previous,
    nextYear: next,
    previousDecade: previous,
    nextDecade: next,
  }
}
