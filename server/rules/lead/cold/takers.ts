import type { CapPeriod } from '#contract/offers/offer-cap.ts'
import type { OpeningHours } from '#server/rules/lead/cascade.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { openWeek, remembered } from './week.ts'

/**
 * A limit of a product or of its place in an offer; those of one key are one, whoever takes a place in it. `counts`: whoever is sent
 * takes one, as if each were accepted; else nothing that is planned fills it, such as a limit of revenue.
 */
export type TakerCap = { key: string; period: CapPeriod; zone: string; limit: number; used: number; counts: boolean }
/** A product in its place of an offer, as far as it says when it takes people. It rests until `from`; open while all its hours are. */
export type Taker = { from: number; hours: readonly OpeningHours[]; caps: readonly TakerCap[] }

/** Windows and products that are not open together within so long are not waited for. */
export const LONGEST_WAIT = 62 * 86_400_000

/**
 * Tells when products take people, and remembers who took a place in their limits. Places are taken in the order of time; between two
 * of them any moment may be asked about. What is sent beside the plan is not known.
 */
export function openTakers(takers: readonly Taker[], now: number) {
  const counters = new Map<string, ReturnType<typeof counterOf>>()
  const all = takers.map((taker) => {
    const caps = taker.caps.map((cap) => {
      const counter = counters.get(cap.key) ?? counterOf(cap, now)
      counters.set(cap.key, counter)
      return counter
    })
    return { from: taker.from, after: openAll(taker.hours), caps, asked: -Infinity, opens: null as number | null }
  })
  type One = (typeof all)[number]

  /** The first moment from `at` on when it takes somebody; null = it does not by itself. */
  const opensAt = (one: One, at: number): number | null => {
    if (one.asked === at) return one.opens
    let moment: number | null = Math.max(at, one.from)
    for (;;) {
      moment = one.after(moment)
      if (moment === null || moment > at + LONGEST_WAIT) return keep(one, at, null)
      const until = one.caps.reduce((latest, cap) => Math.max(latest, cap.fullUntil(moment ?? at)), -Infinity)
      if (until === -Infinity) return keep(one, at, moment)
      if (until === Infinity) return keep(one, at, null)
      moment = until
    }
  }
  return {
    /** When the first of some takes anybody, from a moment on; null = none does by itself. */
    opensFor(of: readonly number[], at: number): number | null {
      let first: number | null = null
      for (const place of of) {
        const one = all[place]
        const opens = one === undefined ? null : opensAt(one, at)
        if (opens === at) return at
        if (opens !== null && (first === null || opens < first)) first = opens
      }
      return first
    },
    /** The first of some that is open takes a place. */
    take(of: readonly number[], at: number): void {
      const place = of.find((one) => opensAt(all[one] ?? nobody(one), at) === at)
      if (place === undefined) throw new Error('nobody takes them at this moment')
      for (const cap of all[place]?.caps ?? []) cap.count(at)
      for (const one of all) one.asked = -Infinity
    },
  }
}

/** How many places the limits of some leave on a day on which each is open for so many ms; those they share are counted once. */
export function placesOn(takers: readonly { caps: Taker['caps']; ms: number }[]): number {
  const left = new Map<string, number>()
  let places = 0
  for (const { caps, ms } of takers) {
    if (ms <= 0) continue
    const roomOf = (cap: TakerCap) => left.get(cap.key) ?? roomOnDay(cap, ms)
    const counted = caps.filter(({ counts }) => counts)
    const takes = counted.reduce((least, cap) => Math.min(least, roomOf(cap)), Infinity)
    if (takes === Infinity) return Infinity
    places += takes
    for (const cap of counted) left.set(cap.key, roomOf(cap) - takes)
  }
  return places
}

function roomOnDay({ period, limit, used }: TakerCap, ms: number): number {
  if (period === 'hour') return limit * Math.ceil(ms / 3_600_000)
  return period === 'total' ? Math.max(0, limit - used) : limit
}

function keep(one: { asked: number; opens: number | null }, at: number, opens: number | null): number | null {
  one.asked = at
  one.opens = opens
  return opens
}

function nobody(place: number): never {
  throw new Error(`there is no product ${place}`)
}

/** When all of several hours are open, from a moment on; null = not within the weeks that are looked at. */
function openAll(hours: readonly OpeningHours[]): (at: number) => number | null {
  const weeks = hours.map((one) => remembered(openWeek(one)))
  return (at) => {
    let moment = at
    for (;;) {
      let next = moment
      for (const week of weeks) {
        const opens = week(next)
        if (opens === null || opens > at + LONGEST_WAIT) return null
        next = opens
      }
      if (next === moment) return moment
      moment = next
    }
  }
}

/** One limit: how far it is filled in the period that runs. */
function counterOf({ period, zone, limit, used, counts }: TakerCap, now: number) {
  let span = { ...periodOf(period, now, zone), used }
  let ahead = span
  /** The period of a moment, without leaving the one that runs. */
  const at = (moment: number) => {
    if (moment < span.ends) return span
    if (moment < ahead.starts || moment >= ahead.ends) ahead = { ...periodOf(period, moment, zone), used: 0 }
    return ahead
  }
  return {
    /** When the period of a moment ends, where it is full then; Infinity: it never begins anew, -Infinity: there is room. */
    fullUntil(moment: number): number {
      const { used: taken, ends } = at(moment)
      if (taken < limit) return -Infinity
      return period === 'total' || limit <= 0 ? Infinity : ends
    },
    count(moment: number): void {
      if (!counts) return
      span = at(moment)
      span.used++
    },
  }
}
