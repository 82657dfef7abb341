import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecoldPacing, RecoldSchedule } from '#contract/leads/recold-plan.ts'
import {
  capacityByDay,
  intervalAfter,
  isOpenFor,
  planFirst,
  planSlots,
  type PaceRules,
  type Planned,
  type Standing,
  type Waiting,
} from './pacing.ts'
import type { TakerCap } from './takers.ts'
import { zoneOf } from './zones.ts'
import type { OpeningHours } from '#server/rules/lead/cascade.ts'

const schedule = (more: Partial<RecoldSchedule> = {}): RecoldSchedule => ({
  starts_at: null,
  ends_at: null,
  windows_in: 'fixed',
  time_zone: 'UTC',
  hours: null,
  ...more,
})
const pacing = (more: Partial<RecoldPacing> = {}): RecoldPacing => ({
  interval_min: 600,
  interval_max: 1800,
  per_hour: null,
  per_day: null,
  total: null,
  per_geo: {},
  order: 'oldest',
  attempts: 3,
  ...more,
})
const rules = (when: Partial<RecoldSchedule> = {}, pace: Partial<RecoldPacing> = {}, seed = '7'): PaceRules => ({
  schedule: schedule(when),
  pacing: pacing(pace),
  seed,
  advertiserZone: 'UTC',
})
const fresh = (now: number): Standing => ({ now, last: null, hour: 0, day: 0, total: 0, byGeo: new Map() })
const people = (many: number, countries = ['IT']): Waiting[] =>
  Array.from({ length: many }, (_, place) => ({ place, country: countries[place % countries.length] ?? '' }))
const everyDay = (...spans: { from: number; until: number }[]) => Array.from({ length: 7 }, () => spans)
const slotsOf = (planned: Iterable<Planned<Waiting>>) => [...planned].flatMap((one) => (one.kind === 'slot' ? one : []))

/** All that happens in these plans happens at a quarter of an hour of every zone. */
const QUARTER = 900_000
/** What the clocks of a zone show in a quarter of an hour: asked once for each. */
const shown = new Map<string, Map<number, { day: number; minute: number; hourKey: string; dayKey: string }>>()
function clock(zone: string, at: number) {
  const quarter = Math.floor(at / QUARTER)
  const ofZone = shown.get(zone) ?? new Map<number, { day: number; minute: number; hourKey: string; dayKey: string }>()
  shown.set(zone, ofZone)
  const known = ofZone.get(quarter)
  if (known !== undefined) return known
  const there = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER).toZonedDateTimeISO(zone)
  const dayKey = there.toPlainDate().toString()
  // an hour that comes twice is two hours
  const seen = {
    day: there.dayOfWeek - 1,
    minute: there.hour * 60 + there.minute,
    dayKey,
    hourKey: `${dayKey} ${there.hour} ${there.offset}`,
  }
  ofZone.set(quarter, seen)
  return seen
}

function showsOpen(hours: OpeningHours['days'] | null, zone: string, at: number): boolean {
  if (hours === null) return true
  const { day, minute } = clock(zone, at)
  const inside = (span: { from: number; until: number }) => span.from <= minute && minute < (span.until <= span.from ? 1440 : span.until)
  const fromYesterday = (span: { from: number; until: number }) => span.until <= span.from && minute < span.until
  return (hours[day] ?? []).some(inside) || (hours[(day + 6) % 7] ?? []).some(fromYesterday)
}

/** The same plan by looking at every quarter of an hour: nothing but what clocks show and what was counted. */
function plainPlan(asked: PaceRules, now: number, waiting: readonly Waiting[], until: number) {
  const { schedule: when, pacing: pace } = asked
  const left = [...waiting]
  const counts = new Map<string, number>()
  const used = (key: string) => counts.get(key) ?? 0
  const slots: { at: number; place: number }[] = []
  let at = Math.max(now, when.starts_at === null ? 0 : Date.parse(when.starts_at))
  const zone = (country: string) => (when.windows_in === 'lead' ? (zoneOf(country) ?? when.time_zone) : when.time_zone)
  while (at < until) {
    const heads = [...new Set(left.map(({ country }) => country))]
      .filter((country) => used(`geo ${country}`) < (pace.per_geo[country] ?? Infinity))
      .flatMap((country) => left.find((one) => one.country === country) ?? [])
    if (heads.length === 0 || slots.length >= (pace.total ?? Infinity)) break
    if (when.ends_at !== null && at >= Date.parse(when.ends_at)) break
    const { hourKey, dayKey } = clock(when.time_zone, at)
    const room = used(hourKey) < (pace.per_hour ?? Infinity) && used(dayKey) < (pace.per_day ?? Infinity)
    // products are asked in their order; a limit two of them share is one
    const takerOf = ({ takers }: Waiting) =>
      takers
        ?.map((place) => asked.takers?.[place])
        .find(
          (one) =>
            one !== undefined &&
            at >= one.from &&
            one.hours.every((hours) => showsOpen(hours.days, hours.zone, at)) &&
            one.caps.every((cap) => used(periodKey(cap, at)) + (periodKey(cap, at) === periodKey(cap, now) ? cap.used : 0) < cap.limit),
        )
    const open = room
      ? heads.filter((one) => showsOpen(when.hours, zone(one.country), at) && (one.takers === undefined || takerOf(one) !== undefined))
      : []
    const next = open.toSorted((one, other) => one.place - other.place)[0]
    if (next === undefined) {
      at = (Math.floor(at / QUARTER) + 1) * QUARTER
      continue
    }
    const places = (takerOf(next)?.caps ?? []).filter(({ counts: fills }) => fills).map((cap) => periodKey(cap, at))
    for (const key of [hourKey, dayKey, `geo ${next.country}`, ...places]) counts.set(key, used(key) + 1)
    slots.push({ at, place: next.place })
    left.splice(left.indexOf(next), 1)
    at += intervalAfter(asked, at)
  }
  return slots
}

function periodKey({ key, period, zone }: TakerCap, at: number): string {
  return `${key} ${period} ${period === 'total' ? '' : period === 'hour' ? clock(zone, at).hourKey : clock(zone, at).dayKey}`
}

const span = fc
  .tuple(fc.integer({ min: 0, max: 47 }), fc.integer({ min: 1, max: 48 }))
  .filter(([from, until]) => from !== until)
  .map(([from, until]) => ({ from: from * 30, until: until * 30 }))
const limit = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: null, freq: 2 })
const week = fc.array(fc.array(span, { maxLength: 2 }), { minLength: 7, maxLength: 7 })
/** Two limits of their own, and one they share. */
const caps = fc.array(
  fc.record({
    key: fc.constantFrom('own', 'shared'),
    period: fc.constantFrom('hour' as const, 'day' as const, 'total' as const),
    limit: fc.integer({ min: 1, max: 40 }),
    used: fc.integer({ min: 0, max: 3 }),
    counts: fc.boolean(),
  }),
  { maxLength: 2 },
)
const takers = fc.option(
  fc.tuple(
    ...['Europe/Kyiv', 'America/Lima'].map((zone, place) =>
      fc.record({ days: fc.option(week, { nil: null }), caps, rests: fc.integer({ min: 0, max: 50 }) }).map((one) => ({
        rests: one.rests,
        hours: one.days === null ? [] : [{ zone, days: one.days }],
        // a limit is one thing, whoever names it
        caps: one.caps.map((cap): TakerCap => {
          if (cap.key === 'own') return { ...cap, zone, key: `own ${place} ${JSON.stringify(cap)}` }
          return { ...cap, zone: 'UTC', key: `shared ${cap.period}`, limit: 9, used: 2, counts: true }
        }),
      })),
    ),
  ),
  { nil: null, freq: 3 },
)
const asked = fc.record({
  takers,
  now: fc.constantFrom('2026-03-10T03:04:05.678Z', '2026-10-12T22:59:59Z', '2026-09-20T12:00:00Z', '2026-11-01T00:30:00Z'),
  zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'),
  windows_in: fc.constantFrom('fixed' as const, 'lead' as const),
  hours: fc.option(fc.array(fc.array(span, { maxLength: 2 }), { minLength: 7, maxLength: 7 }), { nil: null, freq: 6 }),
  least: fc.integer({ min: 60, max: 7200 }),
  more: fc.integer({ min: 0, max: 20_000 }),
  per_hour: limit(1, 3),
  per_day: limit(1, 12),
  total: limit(1, 150),
  italians: limit(0, 30),
  seed: fc.integer({ min: 0, max: 99 }),
  ends: fc.option(fc.integer({ min: 1, max: 28 }), { nil: null, freq: 2 }),
})

/** Whom the products take: some both, some one of them, some whoever is asked whenever. */
const TAKERS: Readonly<Record<string, { takers: number[] }>> = { IT: { takers: [0, 1] }, US: { takers: [1] }, JP: { takers: [0] } }

test('a plan over a month, around changes of clocks, is the one that looking at every quarter of an hour gives', () => {
  fc.assert(
    fc.property(asked, (one) => {
      const now = Date.parse(one.now)
      const until = now + 30 * 86_400_000
      const paced = rules(
        {
          windows_in: one.windows_in,
          time_zone: one.zone,
          hours: one.hours,
          ends_at: one.ends === null ? null : new Date(now + one.ends * 86_400_000).toISOString(),
        },
        {
          interval_min: one.least,
          interval_max: one.least + one.more,
          per_hour: one.per_hour,
          per_day: one.per_day,
          total: one.total,
          per_geo: one.italians === null ? {} : { IT: one.italians },
        },
        String(one.seed),
      )
      const told = {
        ...paced,
        ...(one.takers !== null && {
          takers: one.takers.map(({ rests, ...taker }) => ({ ...taker, from: Math.ceil(now / QUARTER) * QUARTER + rests * QUARTER })),
        }),
      }
      const waiting = people(200, ['IT', 'US', 'JP', 'AU']).map((each) => ({
        ...each,
        ...(one.takers !== null && TAKERS[each.country]),
      }))
      const planned = slotsOf(planSlots(told, fresh(now), waiting)).filter(({ at }) => at < until)
      expect(planned.map(({ at, item }) => ({ at, place: item.place }))).toEqual(plainPlan(told, now, waiting, until))
    }),
    { numRuns: 40 },
  )
})

test.each([
  // an hour left out: from half past two nothing but the rest of it is open
  ['Europe/Berlin', '2026-03-28T23:00:00Z', ['2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z']],
  // and one that comes twice: open each time the clocks show it
  ['Europe/Berlin', '2026-10-24T22:00:00Z', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-26T01:30:00Z']],
  ['America/New_York', '2026-03-08T05:00:00Z', ['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z']],
  ['America/New_York', '2026-11-01T04:00:00Z', ['2026-11-01T07:30:00Z', '2026-11-02T07:30:00Z']],
  ['Australia/Sydney', '2026-10-03T14:00:00Z', ['2026-10-03T16:00:00Z', '2026-10-04T15:30:00Z']],
  ['Australia/Sydney', '2026-04-04T13:00:00Z', ['2026-04-04T15:30:00Z', '2026-04-04T16:30:00Z', '2026-04-05T16:30:00Z']],
  // half an hour forward and back
  ['Australia/Lord_Howe', '2026-10-03T13:30:00Z', ['2026-10-03T15:30:00Z', '2026-10-04T15:30:00Z']],
  ['Australia/Lord_Howe', '2026-04-04T13:00:00Z', ['2026-04-04T16:00:00Z', '2026-04-05T16:00:00Z']],
])('the window from 2:30 to 3:30 around a change of clocks in %s, from %s', (time_zone, from, opens) => {
  const told = rules({ time_zone, hours: everyDay({ from: 150, until: 210 }) }, { interval_min: 1740, interval_max: 1740 })
  const planned = slotsOf(planSlots(told, fresh(Date.parse(from)), people(8))).map(({ at }) => at)
  // each opening begins with a slot
  for (const open of opens) expect(planned, open).toContain(Date.parse(open))
  for (const at of planned) expect(showsOpen(told.schedule.hours, time_zone, at)).toBe(true)
})

test('after a long pause the plan goes on from now, one after the other: what was missed is not made up for', () => {
  const told = rules({}, { interval_min: 60, interval_max: 90 })
  const now = Date.parse('2026-11-21T10:00:00Z')
  const planned = slotsOf(planSlots(told, { ...fresh(now), last: now - 86_400_000, hour: 40, day: 900, total: 900 }, people(50)))
  expect(planned[0]?.at).toBe(now)
  const gaps = planned.slice(1).map(({ at }, before) => at - (planned[before]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60_000)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(90_000)
})

test('the same seed gives the same plan, another one another; a plan that is taken up in its middle goes on as it was', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  const told = rules({ hours: everyDay({ from: 540, until: 1080 }) }, { per_hour: 2, per_day: 9 })
  const whole = slotsOf(planSlots(told, fresh(now), people(60))).map(({ at }) => at)
  expect(slotsOf(planSlots(told, fresh(now), people(60))).map(({ at }) => at)).toEqual(whole)
  expect(slotsOf(planSlots({ ...told, seed: '8' }, fresh(now), people(60))).map(({ at }) => at)).not.toEqual(whole)
  for (const taken of [1, 7, 31]) {
    const before = whole.slice(0, taken)
    const last = before.at(-1) ?? 0
    const since = (length: number) =>
      before.filter((at) => new Date(at).toISOString().slice(0, length) === new Date(last).toISOString().slice(0, length)).length
    const standing = { now, last, hour: since(13), day: since(10), total: taken, byGeo: new Map([['IT', taken]]) }
    expect(slotsOf(planSlots(told, standing, people(60).slice(taken))).map(({ at }) => at)).toEqual(whole.slice(taken))
  }
})

test('the preview says what cannot be: an end date too near, a limit below the number of people, windows that never open', () => {
  const now = Date.parse('2026-11-21T00:00:00Z')
  const slow = { interval_min: 3600, interval_max: 3600 }
  const short = planFirst(rules({ ends_at: '2026-11-22T00:00:00Z' }, slow), fresh(now), people(100), 20)
  expect([short.slots.length, short.planned, short.left, short.end]).toEqual([20, 24, 76, 'ends_at'])
  expect(short.finish).toBe(Date.parse('2026-11-21T23:00:00Z'))
  expect(planFirst(rules({}, { total: 5 }), fresh(now), people(6), 20)).toMatchObject({ planned: 5, left: 1, end: 'total' })
  expect(planFirst(rules({ hours: everyDay() }), fresh(now), people(6), 20)).toMatchObject({
    planned: 0,
    left: 6,
    finish: null,
    end: 'never_open',
  })
  const some = planFirst(rules({}, { per_geo: { IT: 2, US: 0 } }), fresh(now), people(9, ['IT', 'US', 'DE']), 20)
  expect(some).toMatchObject({ planned: 5, capped: 4, left: 0, end: null })
  expect(planFirst(rules(), fresh(now), [], 20)).toMatchObject({ planned: 0, finish: null, end: null })
})

test('how many a day: windows by interval, no more than limits of hours and days let through', () => {
  const open = { hours: [...Array.from({ length: 5 }, () => [{ from: 540, until: 1080 }]), [], []] }
  const now = Date.parse('2026-11-21T00:00:00Z')
  expect(capacityByDay(rules(open, { interval_min: 300, interval_max: 900 }), now)).toEqual([54, 54, 54, 54, 54, 0, 0])
  expect(capacityByDay(rules(open, { per_hour: 2 }), now)[0]).toBe(18)
  expect(capacityByDay(rules(open, { per_hour: 2, per_day: 10 }), now)[0]).toBe(10)
  expect(capacityByDay(rules(), now)[6]).toBe(72)
  // products: one takes people in the morning, the other on Mondays; of both no more than five a day
  const morning = { zone: 'UTC', days: everyDay({ from: 480, until: 600 }) }
  const mondays = { zone: 'UTC', days: [[{ from: 0, until: 1440 }], [], [], [], [], [], []] }
  const five: TakerCap = { key: 'p', period: 'day', zone: 'UTC', limit: 5, used: 0, counts: true }
  const takers = [morning, mondays].map((hours) => ({ from: 0, hours: [hours], caps: [] }))
  expect(capacityByDay({ ...rules(open), takers }, now)).toEqual([27, 3, 3, 3, 3, 0, 0])
  expect(capacityByDay({ ...rules(open), takers: takers.map((one) => ({ ...one, caps: [five] })) }, now)).toEqual([5, 3, 3, 3, 3, 0, 0])
})

test('people are asked by their own clocks: of a country with several zones by the one in the middle', () => {
  expect(['IT', 'US', 'BR', 'JP', 'XX', ''].map(zoneOf)).toEqual([
    'Europe/Rome',
    'America/Chicago',
    'America/Sao_Paulo',
    expect.stringMatching(/^(Asia\/Tokyo|Japan)$/),
    null,
    null,
  ])
  const told = rules({ windows_in: 'lead', time_zone: 'UTC', hours: everyDay({ from: 540, until: 1080 }) })
  const at = Date.parse('2026-11-23T15:00:00Z')
  expect(['US', 'IT', 'JP', ''].map((country) => isOpenFor(told, country, at))).toEqual([true, true, false, true])
})

test('ten thousand are planned by looking at each period and each window once, not at each for every person', () => {
  const told = rules(
    { time_zone: 'Europe/Berlin', hours: everyDay({ from: 540, until: 1200 }) },
    { interval_min: 20, interval_max: 60, per_hour: 80 },
  )
  const asked = { hour: 0, zone: 0 }
  const [toZone, next] = [Temporal.Instant.prototype.toZonedDateTimeISO, Temporal.ZonedDateTime.prototype.getTimeZoneTransition]
  Temporal.Instant.prototype.toZonedDateTimeISO = function (zone) {
    asked.hour++
    return toZone.call(this, zone)
  }
  Temporal.ZonedDateTime.prototype.getTimeZoneTransition = function (direction: never) {
    asked.zone++
    // of both shapes it may be called by
    return next.call(this, direction)
  }
  try {
    const plan = planFirst(told, fresh(Date.parse('2026-11-21T00:00:00Z')), people(10_000), 20)
    expect(plan.planned).toBe(10_000)
    const hours = ((plan.finish ?? 0) - Date.parse('2026-11-21T00:00:00Z')) / 3_600_000
    expect(asked.hour).toBeLessThan(hours * 1.2 + 50)
    expect(asked.zone).toBeLessThan(10)
  } finally {
    Temporal.Instant.prototype.toZonedDateTimeISO = toZone
    Temporal.ZonedDateTime.prototype.getTimeZoneTransition = next
  }
})
