import { z } from 'zod'

/** From and until in minutes of the day: until below from goes on past midnight, 1440 is its end. */
export const openSpan = z
  .object({ from: z.int().min(0).max(1439), until: z.int().min(1).max(1440) })
  .refine(({ from, until }) => from !== until, 'Opens and closes at the same minute')

/** By weekday, Monday first, a day without is closed. */
export const openingHours = z.array(z.array(openSpan).max(6)).length(7)
export type OpeningDays = z.output<typeof openingHours>

/** Whether hours never open; null = open at any time. */
export function neverOpens(hours: OpeningDays | null): boolean {
  return hours !== null && hours.every((day) => day.length === 0)
}
export const NEVER_OPEN = 'It would never be open: pause it instead'
