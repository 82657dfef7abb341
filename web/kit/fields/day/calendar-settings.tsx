import { DatesProvider } from '@mantine/dates'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '#web/i18n/language.ts'
import { locale } from '#web/format.ts'
import 'dayjs/locale/uk'
import '@mantine/dates/styles.css'

/** What every calendar has: months in the language of the panel, weeks that begin as they do where the reader is, and no day in the red of errors. */
export function CalendarSettings({ children }: { children: ReactNode }) {
  return (
    <DatesProvider settings={{ locale: currentLanguage(), firstDayOfWeek: firstDayOfWeek(), weekendDays: [] }}>{children}</DatesProvider>
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

type WeekInfo = { firstDay: number }

/** 0 = Sunday; Monday where the browser does not know. */
function firstDayOfWeek(): 0 | 1 | 6 {
  // younger than the types of TypeScript, and a getter in browsers of before
  const of = new Intl.Locale(locale() ?? navigator.language) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo }
  const first = (of.getWeekInfo?.() ?? of.weekInfo)?.firstDay
  return first === 7 ? 0 : first === 6 ? 6 : 1
}
