import type { FoundZone } from './match/sides.ts'

/** Minutes a file's clock is ahead of UTC on a day: as somebody said, else as it was found. */
export function offsetOn(zone: FoundZone | null, said: number | null, at: number): number {
  if (said !== null) return said
  const day = new Date(at).toISOString().slice(0, 10)
  return zone?.days.find((one) => one.day === day)?.offset ?? zone?.offset ?? 0
}
