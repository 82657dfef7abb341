import type { FoundZone, MatchSettings } from './sides.ts'
import { offsetAt } from './zone.ts'

const DAY = 86_400_000
const MINUTE = 60_000
/** Zones reach from −12 to +12 hours and a bit: a midnight is that of the nearer side. */
const HALF = DAY / 2

/** Where a moment lies: in the period by our clock, and in the days of it by the clock of the file. */
export type Period = {
  sideOf(at: number): 'before' | 'in' | 'after'
  isTheirs(at: number): boolean
  /** Of a time as the file writes it. */
  isWritten(wall: number): boolean
  /** Minutes the file is ahead at a moment. */
  offset(at: number): number
}

/** The period on both clocks: it begins and ends at midnights of the network's zone, and the report is about the same days by its own. */
export function periodOf({ period: { from, to }, offset }: MatchSettings, zone: FoundZone): Period {
  const [first, end] = [midnight(from), midnight(to)]
  const ahead = offsetAt(zone, offset)
  const sideOf: Period['sideOf'] = (at) => (at < from ? 'before' : at < to ? 'in' : 'after')
  const isWritten = (wall: number) => wall >= first && wall < end
  const isKnown = zone.offset !== null || offset !== null
  return { sideOf, isWritten, isTheirs: (at) => (isKnown ? isWritten(at + ahead(at) * MINUTE) : sideOf(at) === 'in'), offset: ahead }
}

/** The day that begins at a moment in whatever zone, as midnight of UTC. */
function midnight(at: number): number {
  const into = ((at % DAY) + DAY) % DAY
  return into >= HALF ? at - into + DAY : at - into
}
