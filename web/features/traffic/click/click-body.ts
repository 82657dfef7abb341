import { filterBy, isFilter, type DimensionId } from '#contract/traffic/dimension.ts'
import { takeDays } from '#web/kit/list/days.ts'

/** The key a filter by a dimension stands under in the address of the list. */
export const filterKey = (dimension: DimensionId): `_${string}` => `_${dimension}`

/**
 * Turns the filters of the list into the request for clicks: days into a period (30 days where none are chosen, an open
 * end at the edge of what may be asked for), values of dimensions into `filters`.
 */
export function clickBody(body: Record<string, unknown>): Record<string, unknown> {
  const { from, to, rest } = takeDays(body)
  const others: Record<string, unknown> = {}
  const filters: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(rest)) {
    const dimension = key.startsWith('_') ? key.slice(1) : ''
    if (!isFilter(dimension)) others[key] = value
    else filters[dimension] = filterBy(dimension, value as string[]) // filters of lists hold texts
  }
  return { ...others, period: periodOf(from, to), filters }
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
