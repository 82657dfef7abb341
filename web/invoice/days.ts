import { day } from '#web/format.ts'
import { locale } from '#web/notation.ts'

/** The period of the run an invoice was made by, from when to when. */
export function periodOf({ period_from, period_to }: { period_from: string | null; period_to: string }): string {
  return period_from === null ? `… – ${day(period_to)}` : daysOf(period_from, period_to)
}

/** The days of what stands on it, as its document names them; null where nothing does. */
export function supplyOf({ supply }: { supply: { from: string; to: string } | null }): string | null {
  if (supply === null) return null
  return supply.from === supply.to ? day(supply.to) : daysOf(supply.from, supply.to)
}

let written: { locale: string | undefined; format: Intl.DateTimeFormat } | undefined

/** From a day to another, what they share said once: 8–22 Nov 2026. */
function daysOf(from: string, to: string): string {
  const now = locale()
  if (written?.locale !== now || written === undefined)
    written = { locale: now, format: new Intl.DateTimeFormat(now, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' }) }
  // a range that ends before it begins is not written by the browser
  return from > to ? `${day(from)} – ${day(to)}` : written.format.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`))
}
