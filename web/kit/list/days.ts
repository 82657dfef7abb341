import { daysFilter, type Filter } from '#web/kit/list/filter.ts'
import { momentAt } from '#web/zone-time.ts'

/** The key a filter of days stands under where the request itself has no days; `toBody` of the list turns them into what it has. */
export const DAYS = '_days'
const LAST = '_last_day'

/** A range of days for a list whose request has moments or a period instead. */
export const rawDaysFilter = (label: string): Filter => daysFilter(label, LAST)

/** Takes the days out of a request: undefined where a day is open or malformed. */
export function takeDays(body: Record<string, unknown>): {
  from: string | undefined
  to: string | undefined
  rest: Record<string, unknown>
} {
  const { [DAYS]: from, [LAST]: to, ...rest } = body
  return { from: dayOf(from), to: dayOf(to), rest }
}

/** The days of a request as moments of a zone: `from` inclusive, `to` exclusive. */
export function daysToMoments(body: Record<string, unknown>, zone: string): Record<string, unknown> {
  const { from, to, rest } = takeDays(body)
  return {
    ...rest,
    ...(from !== undefined && { from: momentAt(`${from} 00:00:00`, zone) }),
    ...(to !== undefined && { to: momentAt(`${dayAfter(to)} 00:00:00`, zone) }),
  }
}

function dayOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(`${value}T00:00:00Z`))
    ? value
    : undefined
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
