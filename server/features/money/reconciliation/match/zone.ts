import type { FoundZone } from './sides.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Zones differ by whole quarters of an hour. */
const STEP = 15
/** So far from a step a pair still agrees with it: calls take a while. */
const NEAR = 2 * MINUTE
/** No clock is further from UTC. */
const FURTHEST = 14 * 60
const FEWEST_PAIRS = 20
const FEWEST_AGREEING = 0.8
/** Daylight saving. */
const JUMP = 60
/** A jump is believed where it explains more pairs than this: a few late calls on one day are none. */
const JUMP_COST = 5

/** When a line of the file says something happened, by its own clock, and when we heard of it. */
export type TimedPair = { theirs: number; ours: number }

/**
 * By how many minutes the clock of a file is ahead of UTC: the commonest step of 15 minutes where at least 80 % of at least 20
 * pairs lie within two minutes of it. A file with a change to or from daylight saving in it has one offset before and another
 * after, which counts day by day.
 */
export function findZone(pairs: readonly TimedPair[]): FoundZone {
  const byDay = [...Map.groupBy(pairs, ({ theirs }) => Math.floor(theirs / DAY))].toSorted(([a], [b]) => a - b)
  const days = byDay.flatMap(([day, its]) => {
    const offset = commonest(its)
    return offset === null ? [] : [{ day: nameOf(day), offset, pairs: its.length }]
  })
  const base = commonest(pairs)
  if (base === null) return { offset: null, pairs: pairs.length, agreeing: 0, days, jumps: [] }
  const path = likeliest(byDay, base)
  const jumps: FoundZone['jumps'] = []
  let agreeing = 0
  const total = new Map<number, number>()
  for (const [at, [day, its]] of byDay.entries()) {
    const [own, before, after] = [path[at] ?? base, path[at - 1], path[at + 1]]
    if (before !== undefined && before !== own) jumps.push({ day: nameOf(day), from: before, to: own })
    // the clock changes in the night: pairs of both clocks lie on the days it changes between
    const agreed = its.filter((pair) => [own, before, after].some((offset) => offset !== undefined && agrees(pair, offset))).length
    agreeing += agreed
    total.set(own, (total.get(own) ?? 0) + agreed)
  }
  const isSure = pairs.length >= FEWEST_PAIRS && agreeing >= FEWEST_AGREEING * pairs.length
  if (!isSure) return { offset: null, pairs: pairs.length, agreeing, days, jumps: [] }
  return { offset: most(total) ?? base, pairs: pairs.length, agreeing, days, jumps }
}

/**
 * What moments in UTC a time of the file may be: one, or two on the days on which its clock changes. `confirmed` counts before
 * what was found, and moves with the changes that were found.
 */
export function utcOf(zone: FoundZone, confirmed: number | null): (at: number) => number[] {
  const moved = (confirmed ?? zone.offset ?? 0) - (zone.offset ?? 0)
  const jumps = zone.jumps.map(({ day, from, to }) => ({ at: Date.parse(`${day}T00:00:00Z`), from: from + moved, to: to + moved }))
  const [first] = jumps
  return (at) => {
    if (first === undefined) return [at - (confirmed ?? zone.offset ?? 0) * MINUTE]
    const passed = jumps.findLast((jump) => at >= jump.at - DAY)
    if (passed === undefined) return [at - first.from * MINUTE]
    return at < passed.at + DAY ? [at - passed.to * MINUTE, at - passed.from * MINUTE] : [at - passed.to * MINUTE]
  }
}

/** How far the file's clock is ahead at a moment of UTC. */
export function offsetAt(zone: FoundZone, confirmed: number | null): (utc: number) => number {
  const moved = (confirmed ?? zone.offset ?? 0) - (zone.offset ?? 0)
  return (utc) => {
    const passed = zone.jumps.findLast(({ day, to }) => utc + (to + moved) * MINUTE >= Date.parse(`${day}T00:00:00Z`))
    return (passed?.to ?? zone.jumps[0]?.from ?? zone.offset ?? 0) + moved
  }
}

/** Day by day the offset that disagrees with the fewest pairs, each change of it counting as some: of three an hour apart. */
function likeliest(byDay: readonly (readonly [number, readonly TimedPair[]])[], base: number): number[] {
  const states = [base, base - JUMP, base + JUMP]
  let costs = states.map(() => 0)
  const came: number[][] = []
  for (const [, its] of byDay) {
    const from = states.map((to) => {
      const each = states.map((state, at) => (costs[at] ?? 0) + (state === to ? 0 : Math.abs(state - to) === JUMP ? JUMP_COST : Infinity))
      return each.indexOf(Math.min(...each))
    })
    costs = states.map((to, at) => {
      const before = from[at] ?? at
      const changed = before === at ? 0 : JUMP_COST
      return (costs[before] ?? 0) + changed + its.filter((pair) => !agrees(pair, to)).length
    })
    came.push(from)
  }
  const path: number[] = []
  let state = costs.indexOf(Math.min(...costs))
  for (const from of came.toReversed()) {
    path.push(states[state] ?? base)
    state = from[state] ?? state
  }
  return path.toReversed()
}

function agrees({ theirs, ours }: TimedPair, offset: number): boolean {
  return Math.abs(theirs - ours - offset * MINUTE) <= NEAR
}

/** The step most pairs lie near; of two as common the smaller. */
function commonest(pairs: readonly TimedPair[]): number | null {
  const counts = new Map<number, number>()
  for (const pair of pairs) {
    const step = Math.round((pair.theirs - pair.ours) / (STEP * MINUTE)) * STEP
    if (Math.abs(step) <= FURTHEST && agrees(pair, step)) counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  return most(counts)
}

function most(counts: ReadonlyMap<number, number>): number | null {
  const sorted = [...counts].toSorted(([a, m], [b, n]) => n - m || Math.abs(a) - Math.abs(b) || a - b)
  return sorted[0]?.[0] ?? null
}

function nameOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}

/** Minutes a file's clock is ahead of UTC on a day: as somebody said, else as it was found. */
export function offsetOn(zone: FoundZone | null, said: number | null, at: number): number {
  if (said !== null) return said
  const day = new Date(at).toISOString().slice(0, 10)
  return zone?.days.find((one) => one.day === day)?.offset ?? zone?.offset ?? 0
}
