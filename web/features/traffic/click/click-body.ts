import { dimensionsToFilters } from '#web/click-fields.tsx'
import { takeDays } from '#web/kit/list/days.ts'

/**
 * Turns the filters of the list into the request for clicks: days into a period (30 days where none are chosen, an open
 * end at the edge of what may be asked for), values of dimensions into `filters`.
 */
export function clickBody(body: Record<string, unknown>): Record<string, unknown> {
  const { from, to, rest } = takeDays(body)
  return { ...dimensionsToFilters(rest), period: periodOf(from, to) }
}

function periodOf(from: string | undefined, to: string | undefined) {
  if (from === undefined && to === undefined) return { preset: 'last_30_days' }
  const last = to ?? dayBefore(new Date().toISOString().slice(0, 10), -1)
  return { preset: 'custom', from: from ?? dayBefore(last, 365), to: last }
}

/** A calendar day some days before another (after it, where negative). */
export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
}
