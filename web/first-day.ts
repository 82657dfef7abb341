import { createContext } from 'react'
import { WEEKDAY, type FirstDay } from '#contract/traffic/period.ts'
import { locale } from '#web/notation.ts'

/** Draws anew what asks for weeks when another day is chosen. */
export const ChosenFirstDay = createContext<FirstDay | null>(null)

let chosen: FirstDay | null = null

/** Sets the day weeks begin on, null for that of the language; done when the preferences of who is signed in are known. */
export function setFirstDay(day: FirstDay | null): void {
  chosen = day
}

/** The day weeks begin on: the one chosen, else that of where the reader's language is spoken, Monday where the browser does not know. */
export function firstDay(): FirstDay {
  return chosen ?? usualFirstDay()
}

type WeekInfo = { firstDay: number }

function usualFirstDay(): FirstDay {
  // younger than the types of TypeScript, and a getter in browsers of before
  const of = new Intl.Locale(locale() ?? navigator.language) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo }
  const first = (of.getWeekInfo?.() ?? of.weekInfo)?.firstDay
  return first === WEEKDAY.sunday ? 'sunday' : first === WEEKDAY.saturday ? 'saturday' : 'monday'
}
