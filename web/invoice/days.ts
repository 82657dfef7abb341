import { day } from '#web/format.ts'

/** The period of the run an invoice was made by, from when to when. */
export function periodOf({ period_from, period_to }: { period_from: string | null; period_to: string }): string {
  return `${period_from === null ? '…' : day(period_from)} – ${day(period_to)}`
}

/** The days of what stands on it, as its document names them; null where nothing does. */
export function supplyOf({ supply }: { supply: { from: string; to: string } | null }): string | null {
  if (supply === null) return null
  return supply.from === supply.to ? day(supply.to) : `${day(supply.from)} – ${day(supply.to)}`
}
