import type { RecoldPacing, RecoldSchedule } from '#contract/leads/recold-plan.ts'
import { openSpans } from '#server/rules/lead/cascade.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { LONGEST_WAIT, openTakers, placesOn, type Taker } from './takers.ts'
import { openByDay, openWeek, remembered } from './week.ts'
import { zoneOf } from './zones.ts'

/** What a distribution was told; the same of all of it gives the same plan. `takers`: the products, where people name those that take them. */
export type PaceRules = {
  schedule: RecoldSchedule
  pacing: RecoldPacing
  seed: string
  advertiserZone: string
  takers?: readonly Taker[]
}

/** Where a distribution stands. `last` is the latest slot given, sent or to come; counts are of the hour and the day it lies in. */
export type Standing = {
  now: number
  last: number | null
  hour: number
  day: number
  total: number
  byGeo: ReadonlyMap<string, number>
}

/**
 * Somebody who waits; the lower place is asked first. `takers`: the places of the products that may take them, in the order they are
 * asked; without it they are sent whether a product is open or not.
 */
export type Waiting = { place: number; country: string; takers?: readonly number[] }

/**
 * The next in the plan. `capped`: the limit of their country is reached; `end`: nobody more is sent, because all that may be were,
 * the end date is past, no window ever opens, or those who are left fit only products that take nobody by themselves.
 */
export type Planned<Item> = { kind: 'slot'; at: number; item: Item } | { kind: 'capped'; item: Item } | { kind: 'end'; why: PlanEnd }
export type PlanEnd = 'total' | 'ends_at' | 'never_open' | 'targets_closed'

/**
 * Slot after slot for those who wait, in the order of their places: the last one and an interval drawn from the seed, not before now,
 * moved into the next window and to when a product of theirs is open and has a place, then pushed on by the limits of hours and days.
 * Of those whose window and product are open the first is asked. Never a burst: slots that were missed are gone. Pure; ends by itself when nobody is left.
 */
export function* planSlots<Item extends Waiting>(
  rules: PaceRules,
  standing: Standing,
  waiting: readonly Item[],
): Generator<Planned<Item>, void> {
  const { schedule, pacing } = rules
  const market = openTakers(rules.takers ?? [], standing.now)
  const queues = queuesOf(rules, waiting, market)
  const byGeo = new Map(standing.byGeo)
  const hour = counterOf('hour', schedule.time_zone, standing.last, standing.hour)
  const day = counterOf('day', schedule.time_zone, standing.last, standing.day)
  const starts = Math.max(standing.now, schedule.starts_at === null ? 0 : Date.parse(schedule.starts_at))
  const ends = schedule.ends_at === null ? Infinity : Date.parse(schedule.ends_at)
  let { last, total } = standing
  for (;;) {
    for (const queue of queues) {
      for (let head = queue.head(); head !== undefined && isFull(pacing, byGeo, head.country); head = queue.head()) {
        yield { kind: 'capped', item: head }
        queue.take()
      }
    }
    if (queues.every((queue) => queue.head() === undefined)) return
    if (pacing.total !== null && total >= pacing.total) return yield { kind: 'end', why: 'total' }
    let at = Math.max(starts, last === null ? 0 : last + intervalAfter(rules, last))
    for (;;) {
      const next = firstOf(queues, at)
      if (next === null) return yield { kind: 'end', why: opensEver(rules) ? 'targets_closed' : 'never_open' }
      if (next.at >= ends) return yield { kind: 'end', why: 'ends_at' }
      const full = [hour.full(next.at, pacing.per_hour), day.full(next.at, pacing.per_day)].filter((until) => until !== null)
      if (full.length > 0) {
        at = Math.max(...full)
        continue
      }
      const item = next.queue.take()
      if (item.takers !== undefined) market.take(item.takers, next.at)
      hour.count(next.at)
      day.count(next.at)
      total++
      byGeo.set(item.country, (byGeo.get(item.country) ?? 0) + 1)
      last = next.at
      yield { kind: 'slot', at: next.at, item }
      break
    }
  }
}

/** The pause after a slot, in ms: even between the least and the most, the same for the same slot and seed. */
export function intervalAfter({ pacing, seed }: Pick<PaceRules, 'pacing' | 'seed'>, slot: number): number {
  const [least, most] = [pacing.interval_min * 1000, pacing.interval_max * 1000]
  return least + Math.floor(drawOf(seed, slot) * (most - least + 1))
}

/** Whether somebody may be sent at a moment: their window is open. */
export function isOpenFor(
  { schedule, advertiserZone }: Pick<PaceRules, 'schedule' | 'advertiserZone'>,
  country: string,
  at: number,
): boolean {
  if (schedule.hours === null) return true
  const opening = openWeek({ zone: zoneFor(schedule, advertiserZone, country), days: schedule.hours }).after(at)
  return opening !== null && opening.from <= at
}

/** How many are sent on each weekday, Monday first, while people last; an estimate out of windows, intervals and limits, those of products too. */
export function capacityByDay({ schedule, pacing, advertiserZone, takers }: Omit<PaceRules, 'seed'>, now: number): number[] {
  const mean = (pacing.interval_min + pacing.interval_max) * 500
  const days = takers === undefined ? openByWindows(schedule) : openWithTakers(schedule, advertiserZone, takers, now)
  return days.map(({ ms, places }) => {
    const byHours = pacing.per_hour === null ? Infinity : Math.ceil(ms / 3_600_000) * pacing.per_hour
    return Math.min(Math.ceil(ms / mean), byHours, pacing.per_day ?? Infinity, places)
  })
}

function openByWindows({ hours }: RecoldSchedule): { ms: number; places: number }[] {
  const open = hours === null ? Array.from({ length: 7 }, () => 86_400_000) : openByDay(hours)
  return open.map((ms) => ({ ms, places: Infinity }))
}

/** For how long of each day of the week after today its windows and a product are open together, and how many places are left then. */
function openWithTakers(schedule: RecoldSchedule, advertiserZone: string, takers: readonly Taker[], now: number) {
  const zone = zoneFor(schedule, advertiserZone, '')
  const windows = schedule.hours === null ? [] : [{ zone, days: schedule.hours }]
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  return Array.from({ length: 7 }, (_, day) => {
    const date = today.add({ days: ((day + 7 - today.dayOfWeek) % 7) + 1 })
    const [from, until] = [date, date.add({ days: 1 })].map((one) => one.toZonedDateTime(zone).epochMilliseconds)
    const msOf = (some: readonly Taker[]) =>
      openSpans(
        some.map(({ hours }) => [...hours, ...windows]),
        from ?? now,
        until ?? now,
      ).reduce((sum, span) => sum + span.until - span.from, 0)
    return { ms: msOf(takers), places: placesOn(takers.map((one) => ({ caps: one.caps, ms: msOf([one]) }))) }
  })
}

/** The plan of all who wait: its first slots, when the last one is, who has a slot, and how many are left over and why. */
export function planFirst<Item extends Waiting>(rules: PaceRules, standing: Standing, waiting: readonly Item[], first: number) {
  const slots: { at: number; item: Item }[] = []
  const items: Item[] = []
  let [capped, finish]: [number, number | null] = [0, null]
  let end: PlanEnd | null = null
  for (const next of planSlots(rules, standing, waiting)) {
    if (next.kind === 'end') end = next.why
    else if (next.kind === 'capped') capped++
    else {
      items.push(next.item)
      finish = next.at
      if (slots.length < first) slots.push({ at: next.at, item: next.item })
    }
  }
  const planned = items.length
  return { slots, items, planned, capped, left: waiting.length - planned - capped, finish, end }
}

type Queue<Item> = {
  head(): Item | undefined
  take(): Item
  /** Not later than when the head may be sent, from a moment on; null = never. */
  opening(at: number): number | null
  /** Exactly when. */
  settled(at: number): number | null
}

/** Those who wait by the clock their window is in and the products that take them, each in the order of places. */
function queuesOf<Item extends Waiting>(
  { schedule, advertiserZone }: PaceRules,
  waiting: readonly Item[],
  market: ReturnType<typeof openTakers>,
): Queue<Item>[] {
  const alike = Map.groupBy(
    waiting.toSorted((one, other) => one.place - other.place),
    ({ country, takers }) => `${zoneFor(schedule, advertiserZone, country)} ${takers?.join() ?? 'any'}`,
  )
  return [...alike.values()].map((items) => {
    let place = 0
    const [first] = items
    const takers = first?.takers
    const zone = zoneFor(schedule, advertiserZone, first?.country ?? '')
    const window = schedule.hours === null ? (at: number) => at : remembered(openWeek({ zone, days: schedule.hours }))
    let known: number | null = -Infinity
    const settled = (at: number): number | null => {
      for (let moment = at; moment < at + LONGEST_WAIT;) {
        const opens = window(moment)
        const taken = opens === null || takers === undefined ? opens : market.opensFor(takers, opens)
        if (taken === null || taken === opens) return (known = taken)
        moment = taken
      }
      return (known = null)
    }
    return {
      head: () => items[place],
      take() {
        const item = items[place++]
        if (item === undefined) throw new Error('nobody waits in this zone')
        return item
      },
      settled,
      // what is closed is not open sooner for the time that goes by: products only fill
      opening: (at) => (known === null || known > at ? known : settled(at)),
    }
  })
}

function opensEver({ schedule: { hours } }: PaceRules): boolean {
  return hours === null || hours.some((day) => day.length > 0)
}

function zoneFor(schedule: RecoldSchedule, advertiserZone: string, country: string): string {
  if (schedule.windows_in === 'advertiser') return advertiserZone
  return (schedule.windows_in === 'lead' ? zoneOf(country) : null) ?? schedule.time_zone
}

/** Who may be sent first; of several at the same moment whoever has the lower place. */
function firstOf<Item extends Waiting>(queues: readonly Queue<Item>[], at: number): { at: number; queue: Queue<Item> } | null {
  for (;;) {
    let found: { at: number; place: number; queue: Queue<Item> } | null = null
    for (const queue of queues) {
      const head = queue.head()
      const opens = head === undefined ? null : queue.opening(at)
      if (head === undefined || opens === null) continue
      if (found === null || opens < found.at || (opens === found.at && head.place < found.place))
        found = { at: opens, place: head.place, queue }
    }
    // places may have been taken since it was looked at
    if (found === null || found.queue.settled(found.at) === found.at) return found
  }
}

function isFull({ per_geo }: RecoldPacing, byGeo: ReadonlyMap<string, number>, country: string): boolean {
  const limit = per_geo[country]
  return limit !== undefined && (byGeo.get(country) ?? 0) >= limit
}

/** Counts slots of the period that runs. Slots only go forward, so one period is kept. */
function counterOf(period: 'hour' | 'day', zone: string, last: number | null, counted: number) {
  let span = last === null ? { starts: 0, ends: 0 } : periodOf(period, last, zone)
  let used = counted
  const goTo = (at: number) => {
    if (at < span.ends) return
    span = periodOf(period, at, zone)
    used = 0
  }
  return {
    /** When the period is over in which a moment lies, where its limit is reached; null = there is room. */
    full(at: number, limit: number | null): number | null {
      if (limit === null) return null
      goTo(at)
      return used >= limit ? span.ends : null
    },
    count(at: number): void {
      goTo(at)
      used++
    },
  }
}

/** From 0 to below 1, out of a seed and a number. */
function drawOf(seed: string, by: number): number {
  let mixed = 0x811c9dc5
  const text = `${seed} ${by}`
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}
