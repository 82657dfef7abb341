import { describe, expect, test } from 'vitest'
import { seededRandom, type Random } from '#server/demo/random.ts'
import {
  nextMember,
  openSpans,
  opensAt,
  orderOf,
  type CascadeGroup,
  type CascadeMember,
  type LeadFacts,
} from '#server/rules/lead/cascade.ts'

/**
 * The cascade a second time, by plain code written from the reference alone: `reference/lead-platforms.md` §3, design 1 to 4. It
 * shares nothing with `cascade.ts`; hours are read off the clocks of `Intl`, quarter by quarter.
 */
type Why = 'state' | 'geo' | 'affiliate' | 'sub' | 'hours' | 'cap' | 'repeat' | 'consent' | 'tried'

/** Every reason a member may not be asked, in no order. */
function reasons(member: CascadeMember, lead: LeadFacts, tried: ReadonlySet<number>): Set<Why> {
  const why = new Set<Why>()
  if (tried.has(member.id)) why.add('tried')
  if (member.state !== 'active') why.add('state')
  if (member.geos.length && !new Set(member.geos).has(lead.country)) why.add('geo')
  const closedTo = (mode: string, listed: boolean) => (mode === 'only' && !listed) || (mode === 'except' && listed)
  if (closedTo(member.affiliates.mode, member.affiliates.ids.has(lead.affiliateId))) why.add('affiliate')
  if (closedTo(member.subs.mode, member.subs.values.has(lead.sub1))) why.add('sub')
  // of a place in an offer and of its product: one that is closed closes both
  for (const hours of member.hours) if (!isOpen(hours, lead.at)) why.add('hours')
  for (const cap of member.caps) if (!(cap.used < cap.limit)) why.add('cap')
  const had = lead.seenBy.get(member.advertiserId)
  if (had !== undefined) {
    const days = (lead.at - had) / 86_400_000
    if (member.repeatDays === null || days < member.repeatDays) why.add('repeat')
  }
  if (lead.consentTo && !lead.consentTo.has(member.advertiserId)) why.add('consent')
  return why
}

type Hours = CascadeMember['hours'][number]

/**
 * Read off a clock on the wall there: it opens when that clock first shows the beginning, and closes when it first shows the end, on
 * that day or, where the end is no later, on the next. Where a minute comes twice the first one counts; one that is left out comes as
 * long after the last one before it as it would have.
 */
function isOpen({ zone, days }: Hours, at: number): boolean {
  const today = dateOf(zone, at)
  return [today - DAY, today].some((date) =>
    (days[(new Date(date).getUTCDay() + 6) % 7] ?? []).some(
      ({ from, until }) => firstShown(zone, date, from) <= at && at < firstShown(zone, until > from ? date : date + DAY, until),
    ),
  )
}

const DAY = 86_400_000
const QUARTER = 900_000

/** When a clock there first shows a minute of a date; all there are are whole quarters. */
function firstShown(zone: string, date: number, minute: number): number {
  const shows = date + minute * 60_000
  const known = shown.get(zone) ?? new Map<number, number>()
  shown.set(zone, known)
  const found = known.get(shows)
  if (found !== undefined) return found
  // no clock is further than this from UTC
  let last = 0
  for (let at = shows - 15 * 3_600_000; at <= shows + 13 * 3_600_000; at += QUARTER) {
    const wall = wallAt(zone, at)
    if (wall === shows) last = at
    if (wall >= shows) {
      if (wall > shows) last = at - QUARTER + (shows - wallAt(zone, at - QUARTER))
      break
    }
  }
  known.set(shows, last)
  return last
}
const shown = new Map<string, Map<number, number>>()

/** Midnight of the date a clock there shows, written as if it were of UTC. */
function dateOf(zone: string, at: number): number {
  const wall = wallAt(zone, at)
  return wall - (wall % DAY)
}

/** What a clock there shows, written as if it were of UTC. */
function wallAt(zone: string, at: number): number {
  const known = walls.get(zone) ?? new Map<number, number>()
  walls.set(zone, known)
  const found = known.get(at)
  if (found !== undefined) return found
  const read = Object.fromEntries(
    clockIn(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = read
  const wall = Date.UTC(year, month - 1, day, hour, minute)
  known.set(at, wall)
  return wall
}
const walls = new Map<string, Map<number, number>>()

const clocks = new Map<string, Intl.DateTimeFormat>()
function clockIn(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...parts, hourCycle: 'h23' })
  clocks.set(zone, made)
  return made
}

// by half an hour, and at midnight, clocks change too
const ZONES = ['Europe/Kyiv', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Cairo', 'UTC']
const CHANGES = [
  '2026-04-04T15:00Z',
  '2026-04-23T22:00Z',
  '2026-10-03T15:30Z',
  '2026-10-25T01:00Z',
  '2026-10-29T21:00Z',
  '2026-11-01T06:00Z',
  '2027-03-14T07:00Z',
  '2027-03-28T01:00Z',
  '2027-04-03T15:00Z',
].map((moment) => Date.parse(moment))
const GEOS = ['DE', 'PL', 'IT']

/** A span that begins by a quarter of the day and ends at any other, as often as not in the first ones, where clocks change. */
function drawSpan(random: Random, latest: number): { from: number; until: number } {
  const from = random.whole(0, latest) * 15
  const until = random.whole(1, random.chance(0.5) ? Math.min(96, latest + 4) : 96) * 15
  return { from, until: until === from ? from + 15 : until }
}

function drawMember(random: Random, id: number): CascadeMember {
  const some = <Value>(values: readonly Value[]) => values.filter(() => random.chance(0.4))
  const mode = () => random.pick(['all', 'all', 'only', 'except'] as const)
  const spans = () => some([1, 2]).map(() => drawSpan(random, 95))
  return {
    id,
    productId: id,
    advertiserId: random.whole(1, 5),
    state: random.chance(0.85) ? 'active' : random.pick(['paused', 'untested', 'suspended'] as const),
    weight: random.whole(0, 5),
    geos: random.chance(0.5) ? [] : some(GEOS),
    affiliates: { mode: mode(), ids: new Set(some([1, 2, 3])) },
    subs: { mode: mode(), values: new Set(some(['a', 'b'])) },
    hours: [{}, { of: 'product' as const }].flatMap((of) =>
      random.chance(0.6) ? [] : [{ ...of, zone: random.pick(ZONES), days: Array.from({ length: 7 }, spans) }],
    ),
    caps: [{}, { of: 'product' as const }].flatMap((of) =>
      random.chance(0.6) ? [] : [{ ...of, name: 'day', limit: random.whole(1, 4), used: random.whole(0, 5) }],
    ),
    repeatDays: random.pick([null, 0, 3, 30]),
    sent: random.whole(0, 100),
    accepted: 0,
    onReject: random.pick(['next', 'stop'] as const),
  }
}

function drawLead(random: Random, at: number): LeadFacts {
  return {
    at,
    country: random.pick([...GEOS, 'FR']),
    affiliateId: random.whole(1, 4),
    sub1: random.pick(['a', 'b', 'c', '']),
    seenBy: new Map([1, 2, 3, 4, 5].flatMap((id) => (random.chance(0.2) ? [[id, at - random.whole(0, 40) * 86_400_000] as const] : []))),
    consentTo: random.chance(0.8) ? null : new Set([1, 2, 3].filter(() => random.chance(0.6))),
    draw: random.next(),
  }
}

/** Quarters of hours around the moments clocks change at, by day and by night, and of a whole year. */
function drawMoment(random: Random): number {
  const change = random.pick(CHANGES)
  if (random.chance(0.2)) return change + random.whole(-16, 16) * QUARTER
  return random.chance(0.3) ? change + random.whole(-200, 200) * QUARTER : Date.UTC(2026, 0, 1) + random.whole(0, 35_000) * QUARTER
}

describe('the cascade beside a second one', () => {
  test('opens and closes as the clocks there show, at each quarter around each of their changes', () => {
    const random = seededRandom(5)
    for (let round = 0; round < 400; round++) {
      const change = random.pick(CHANGES)
      const spans = () => [drawSpan(random, 20)].filter(() => random.chance(0.9))
      const hours = { zone: random.pick(ZONES), days: Array.from({ length: 7 }, spans) }
      const moments = Array.from({ length: 64 }, (_none, quarter) => change + (quarter - 40) * QUARTER)
      for (const at of moments) {
        const said = `${JSON.stringify(hours)} at ${new Date(at).toISOString()}`
        expect(opensAt(hours, at) === at, said).toBe(isOpen(hours, at))
        expect(openSpans([[hours]], at, at + QUARTER), said).toEqual(isOpen(hours, at) ? [{ from: at, until: at + QUARTER }] : [])
      }
      const at = random.pick(moments)
      const opens = opensAt(hours, at)
      opensLater([hours], at, opens === null ? undefined : new Date(opens).toISOString())
    }
  })

  test('asks whom plain code would ask, and names a reason that holds for everybody before', () => {
    const random = seededRandom(12)
    const rounds = 3000
    let asked = 0
    let opened = 0
    let changing = 0
    for (let round = 0; round < rounds; round++) {
      const at = drawMoment(random)
      const members = Array.from({ length: random.whole(0, 6) }, (_none, id) => drawMember(random, id + 1))
      const lead = drawLead(random, at)
      const tried = new Set(members.flatMap(({ id }) => (random.chance(0.15) ? [id] : [])))
      const why = members.map((member) => reasons(member, lead, tried))
      if (members.some(({ hours }) => hours.some(({ zone }) => isNearChange(zone, at)))) changing++
      const first = why.findIndex((one) => one.size === 0)
      const { member, trace } = nextMember(members, lead, tried)
      expect(member?.id ?? null, `round ${round}`).toBe(members[first]?.id ?? null)
      expect(trace.map(({ memberId }) => memberId)).toEqual(members.slice(0, first < 0 ? members.length : first + 1).map(({ id }) => id))
      for (const [place, { passed, check, detail }] of trace.entries()) {
        if (passed) asked++
        else expect(why[place]).toContain(check)
        const { hours = [], caps = [] } = members[place] ?? {}
        const named = <One extends { of?: 'product' }>(of: readonly One[]) => of.find((one) => one.of === detail['of'])
        if (check === 'cap') expect(named(caps)).toMatchObject({ limit: detail['limit'], used: detail['used'] })
        if (check !== 'hours') continue
        const closed = named(hours)
        expect(closed !== undefined && !isOpen(closed, at)).toBe(true)
        if (round % 7 > 0) continue
        opensLater(hours, at, detail['opens_at'])
        opened++
      }
    }
    expect(opened).toBeGreaterThan(50)
    expect(changing).toBeGreaterThan(rounds / 20)
    expect(asked).toBeGreaterThan(rounds / 6)
  })

  test('keeps groups in their order and each member once, turns round robins, ranks by rate, and shares by weight', () => {
    const random = seededRandom(7)
    const shares = new Map<number, number>()
    const explored = { first: 0, all: 0 }
    for (let round = 0; round < 4000; round++) {
      const of = (ids: number[], more: Partial<CascadeGroup>): CascadeGroup => ({
        strategy: 'priority',
        turn: round,
        leastSample: 50,
        explore: 20,
        ...more,
        members: ids.map((id) => ({ ...drawMember(random, id), weight: id, sent: id === 33 ? 10 : 100, accepted: id })),
      })
      const groups = [
        of([13, 11, 12], {}),
        of([1, 2, 3], { strategy: 'weight' }),
        of([21, 22, 23], { strategy: 'round_robin' }),
        of([31, 32, 33], { strategy: 'best_rate' }),
      ]
      const draw = random.next()
      const order = orderOf(groups, draw).map(({ id }) => id)
      expect(orderOf(groups, draw).map(({ id }) => id)).toEqual(order)
      expect(order.slice(0, 3)).toEqual([13, 11, 12])
      expect(order.slice(3, 6).toSorted()).toEqual([1, 2, 3])
      expect(order.slice(6, 9)).toEqual([21, 22, 23, 21, 22, 23].slice(round % 3, (round % 3) + 3))
      expect(order.slice(9).filter((id) => id !== 33)).toEqual([32, 31])
      const first = order[3] ?? 0
      shares.set(first, (shares.get(first) ?? 0) + 1)
      explored.all++
      if (order[9] === 33) explored.first++
    }
    for (const [id, count] of shares) expect(Math.abs(count / 4000 - id / 6)).toBeLessThan(0.03)
    expect(Math.abs(explored.first / explored.all - 0.2)).toBeLessThan(0.03)
  })
})

/** Goes on by quarters of an hour until all are open, and holds what was told to that. */
function opensLater(hours: readonly Hours[], at: number, told: unknown): void {
  const ahead = Array.from({ length: 8 * 96 }, (_none, quarter) => at + quarter * QUARTER)
  const first = ahead.find((moment) => hours.every((one) => isOpen(one, moment)))
  expect(told).toBe(first === undefined ? undefined : new Date(first).toISOString())
}

/** Whether the clocks of a zone change within four hours: some are left out or come twice, and spans that began the day before reach there. */
function isNearChange(zone: string, at: number): boolean {
  const ahead = (moment: number) => wallAt(zone, moment) - moment
  return ahead(at - 4 * 3_600_000) !== ahead(at + 4 * 3_600_000)
}
