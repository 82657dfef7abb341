import { DatesProvider } from '@mantine/dates'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '#web/i18n/language.ts'
import { firstDay } from '#web/first-day.ts'
import 'dayjs/locale/uk'
import '@mantine/dates/styles.css'

/** As the calendars count: 0 is Sunday. */
const DAY_OF = { sunday: 0, monday: 1, saturday: 6 } as const

/** What every calendar has: months in the language of the panel, weeks that begin as the reader likes, and no day in the red of errors. */
export function CalendarSettings({ children }: { children: ReactNode }) {
  return (
    <DatesProvider settings={{ locale: currentLanguage(), firstDayOfWeek: DAY_OF[firstDay()], weekendDays: [] }}>{children}</DatesProvider>
  )
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
