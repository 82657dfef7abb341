import type { LEAD_CHECKS } from '#contract/leads/lead-simulation.ts'

/** A member of an offer: a product in its place, as it stands when the lead is decided about. */
export type CascadeMember = {
  id: number
  productId: number
  advertiserId: number
  /** credit_blocked: its advertiser has used up its credit; untested: its advertiser's system never accepted a test; suspended: its breaker is open. */
  state: 'active' | 'paused' | 'credit_blocked' | 'untested' | 'suspended'
  weight: number
  /** ISO 3166; none = any. */
  geos: readonly string[]
  affiliates: { mode: 'all' | 'only' | 'except'; ids: ReadonlySet<number> }
  subs: { mode: 'all' | 'only' | 'except'; values: ReadonlySet<string> }
  /** Fields of a lead its system refuses to do without, by the names of the lead API; absent = nobody has looked. */
  needs?: readonly string[]
  /** All of them must be open; none = open at any time. */
  hours: readonly OpeningHours[]
  /** `of`: of the product over all offers; absent = of its place in this one. */
  caps: readonly { name: string; of?: 'product'; limit: number; used: number }[]
  /** Of its newest answers so many were rejections; it is passed over above `most` percent. Absent = however many. */
  rejections?: { answers: number; rejected: number; most: number } | undefined
  /** For so many days a person this advertiser had is not offered to it again; null = for ever. */
  repeatDays: number | null
  /** Accepted of sent leads so far, for `best_rate`. */
  sent: number
  accepted: number
  /** What comes after a rejection here: the next one, or nobody. */
  onReject: 'next' | 'stop'
}

/** From and until in minutes of the day; until below from goes on past midnight. By weekday, Monday first; a day without is closed. `of` as of caps. */
export type OpeningHours = { of?: 'product'; zone: string; days: readonly (readonly { from: number; until: number }[])[] }

export type CascadeGroup = {
  strategy: 'priority' | 'weight' | 'round_robin' | 'best_rate'
  members: readonly CascadeMember[]
  /** How many leads came to this group before: whose turn it is. */
  turn: number
  /** Of `best_rate`: with fewer leads sent a member's rate says nothing, and it goes first for `explore` of 100 leads. */
  leastSample: number
  explore: number
}

export type LeadFacts = {
  /** Epoch ms. */
  at: number
  country: string
  affiliateId: number
  sub1: string
  /** Advertisers that had this person, and when last, epoch ms. */
  seenBy: ReadonlyMap<number, number>
  /** Advertisers the person agreed to; null = the consent names none in particular, or none is needed. */
  consentTo: ReadonlySet<number> | null
  /** Advertisers the person must not be offered to; all = nobody may be asked. Absent = none. */
  suppressedBy?: ReadonlySet<number> | 'all'
  /** The fields the lead has, by the names of the lead API; absent = it is only thought of. */
  has?: ReadonlySet<string>
  /** From 0 to below 1: drawn once for a session, so that its way can be followed again. */
  draw: number
}

export type CascadeCheck = (typeof LEAD_CHECKS)[number]
/** What was found about a member, with the figures of that moment. */
export type Considered = {
  memberId: number
  passed: boolean
  check: CascadeCheck | null
  detail: Readonly<Record<string, string | number>>
}

/** The order in which members are offered a lead: group after group, within a group by its strategy. Pure: the same draw gives the same order. */
export function orderOf(groups: readonly CascadeGroup[], draw: number): CascadeMember[] {
  return groups.flatMap((group, place) => inGroup(group, split(draw, place)))
}

/**
 * Who is offered the lead next, and why not those before: the plain statement of the rules. `tried` = who was asked for this session
 * already. Null = nobody is left. The trace names every member in order up to the one that is taken.
 */
export function nextMember(
  ordered: readonly CascadeMember[],
  lead: LeadFacts,
  tried: ReadonlySet<number>,
): { member: CascadeMember | null; trace: Considered[] } {
  const trace: Considered[] = []
  for (const member of ordered) {
    const blocked = blockOf(member, lead, tried)
    trace.push({ memberId: member.id, passed: blocked === null, check: blocked?.check ?? null, detail: blocked?.detail ?? {} })
    if (blocked === null) return { member, trace }
  }
  return { member: null, trace }
}

type Blocked = Pick<Considered, 'check' | 'detail'>
const DAY = 86_400_000
/** Fewer answers say nothing of how many it rejects. */
const LEAST_ANSWERS = 20

/** The first reason a member is not offered a lead; null = it is. */
export function blockOf(member: CascadeMember, lead: LeadFacts, tried: ReadonlySet<number>): Blocked | null {
  if (tried.has(member.id)) return { check: 'tried', detail: {} }
  const stopped = stopOf(member)
  if (stopped !== null) return stopped
  if (member.geos.length > 0 && !member.geos.includes(lead.country)) return { check: 'geo', detail: { country: lead.country } }
  if (!letsAffiliate(member, lead.affiliateId)) return { check: 'affiliate', detail: {} }
  if (!lets(member.subs.mode, member.subs.values.has(lead.sub1))) return { check: 'sub', detail: { sub1: lead.sub1 } }
  const missing = lead.has === undefined ? [] : (member.needs ?? []).filter((name) => lead.has?.has(name) !== true)
  if (missing.length > 0) return { check: 'fields', detail: { missing: missing.join(', ') } }
  const still = standstillAt(member, lead.at)
  if (still !== null) return still
  const seen = lead.seenBy.get(member.advertiserId)
  if (seen !== undefined && (member.repeatDays === null || lead.at - seen < member.repeatDays * DAY)) {
    return { check: 'repeat', detail: { seen_at: new Date(seen).toISOString() } }
  }
  if (lead.suppressedBy === 'all' || lead.suppressedBy?.has(member.advertiserId)) return { check: 'suppressed', detail: {} }
  if (lead.consentTo !== null && !lead.consentTo.has(member.advertiserId)) return { check: 'consent', detail: {} }
  return null
}

/** Why a member takes no lead at a moment, whatever the lead is; null = it takes some. */
export function standstillOf(member: Pick<CascadeMember, 'state' | 'hours' | 'caps' | 'rejections'>, at: number): Blocked | null {
  return stopOf(member) ?? standstillAt(member, at)
}

function stopOf({ state }: Pick<CascadeMember, 'state'>): Blocked | null {
  if (state === 'credit_blocked') return { check: 'credit_blocked', detail: {} }
  return state === 'active' ? null : { check: 'state', detail: { state } }
}

function standstillAt(member: Pick<CascadeMember, 'hours' | 'caps' | 'rejections'>, at: number): Blocked | null {
  const closed = member.hours.find((hours) => opensAt(hours, at) !== at)
  if (closed !== undefined) {
    const opens = allOpenAt(member.hours, at)
    const { zone, of } = closed
    return { check: 'hours', detail: { zone, ...(of && { of }), ...(opens !== null && { opens_at: new Date(opens).toISOString() }) } }
  }
  const full = member.caps.find(({ limit, used }) => used >= limit)
  if (full !== undefined) return { check: 'cap', detail: full }
  const { answers, rejected, most } = member.rejections ?? { answers: 0, rejected: 0, most: 100 }
  if (answers >= LEAST_ANSWERS && rejected * 100 > most * answers) return { check: 'rejections', detail: { answers, rejected, most } }
  return null
}

/** Whether a member takes leads of an affiliate. */
export function letsAffiliate({ affiliates: { mode, ids } }: Pick<CascadeMember, 'affiliates'>, affiliateId: number): boolean {
  return lets(mode, ids.has(affiliateId))
}

function lets(mode: 'all' | 'only' | 'except', named: boolean): boolean {
  return mode === 'all' || (mode === 'only') === named
}

function inGroup({ strategy, members, turn, leastSample, explore }: CascadeGroup, draw: number): CascadeMember[] {
  switch (strategy) {
    case 'priority':
      return [...members]
    case 'round_robin': {
      const first = members.length === 0 ? 0 : turn % members.length
      return [...members.slice(first), ...members.slice(0, first)]
    }
    case 'weight':
      return drawn(members, draw)
    case 'best_rate': {
      const young = members.filter(({ sent }) => sent < leastSample)
      const known = members.filter(({ sent }) => sent >= leastSample)
      // rates are compared as fractions: no rounding decides
      const ranked = known.toSorted((a, b) => b.accepted * a.sent - a.accepted * b.sent || a.id - b.id)
      const others = drawn(young, split(draw, 1))
      return draw * 100 < explore ? [...others, ...ranked] : [...ranked, ...others]
    }
  }
}

/** One after the other by their weights, without putting back; those of weight 0 come last, in their places. */
function drawn(members: readonly CascadeMember[], draw: number): CascadeMember[] {
  const left = members.filter(({ weight }) => weight > 0)
  const order: CascadeMember[] = []
  for (let round = 0; left.length > 0; round++) {
    let point = split(draw, round + 100) * left.reduce((sum, { weight }) => sum + weight, 0)
    let at = 0
    for (; at < left.length - 1; at++) {
      point -= left[at]?.weight ?? 0
      if (point < 0) break
    }
    order.push(...left.splice(at, 1))
  }
  return [...order, ...members.filter(({ weight }) => weight <= 0)]
}

/** Another draw out of one: nothing but the draw of a session decides. */
function split(draw: number, by: number): number {
  let mixed = (Math.floor(draw * 2 ** 32) ^ Math.imul(by + 1, 0x9e3779b1)) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}

/** The moment from which an advertiser takes leads: `at` itself where it is open, else when it opens within eight days; null = it never does. */
export function opensAt({ zone, days }: OpeningHours, at: number): number | null {
  const now = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  let next: number | null = null
  for (let ahead = -1; ahead <= 8; ahead++) {
    const date = now.toPlainDate().add({ days: ahead })
    for (const { from, until } of days[date.dayOfWeek - 1] ?? []) {
      const opens = momentOf(date, from, zone)
      const closes = momentOf(until <= from ? date.add({ days: 1 }) : date, until, zone)
      if (opens <= at && at < closes) return at
      // one that lies in what a change of clocks leaves out does not come that day
      if (opens > at && opens < closes && (next === null || opens < next)) next = opens
    }
    // whatever a later day opens at is later
    if (ahead >= 0 && next !== null) return next
  }
  return next
}

/** The same of several hours that must be open at once: the first moment all of them are. */
export function allOpenAt(all: readonly OpeningHours[], at: number): number | null {
  const [only] = all
  if (only !== undefined && all.length === 1) return opensAt(only, at)
  if (all.every((hours) => opensAt(hours, at) === at)) return at
  return openSpans([all], at, at + 8 * DAY)[0]?.from ?? null
}

type Moments = { from: number; until: number }

/** When any of several takes leads between two moments, each while all of its hours are open; those that touch joined. */
export function openSpans(all: readonly (readonly OpeningHours[])[], from: number, until: number): Moments[] {
  return joined(all.flatMap((hours) => hours.reduce<Moments[]>((open, one) => common(open, spansOf(one, from, until)), [{ from, until }])))
}

/** What two lists of moments have in common, each in its order. */
function common(some: readonly Moments[], others: readonly Moments[]): Moments[] {
  return some.flatMap((one) =>
    others
      .map((other) => ({ from: Math.max(one.from, other.from), until: Math.min(one.until, other.until) }))
      .filter((both) => both.from < both.until),
  )
}

function spansOf({ zone, days }: OpeningHours, from: number, until: number): Moments[] {
  const first = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).toPlainDate().subtract({ days: 1 })
  const count = Math.ceil((until - from) / DAY) + 2
  const dates = Array.from({ length: count }, (_, ahead) => first.add({ days: ahead }))
  return joined(
    dates.flatMap((date) =>
      (days[date.dayOfWeek - 1] ?? []).map((span) => ({
        from: Math.max(momentOf(date, span.from, zone), from),
        until: Math.min(momentOf(span.until <= span.from ? date.add({ days: 1 }) : date, span.until, zone), until),
      })),
    ),
  )
}

function joined(spans: readonly Moments[]): Moments[] {
  const all: Moments[] = []
  for (const span of spans.filter((one) => one.from < one.until).toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1)
    if (last !== undefined && span.from <= last.until) last.until = Math.max(last.until, span.until)
    else all.push({ ...span })
  }
  return all
}

/** A minute of a day as that zone's clocks show it; one a change of clocks leaves out is the one after it. */
function momentOf(date: Temporal.PlainDate, minute: number, zone: string): number {
  const day = minute >= 1440 ? date.add({ days: 1 }) : date
  const time = Temporal.PlainTime.from({ hour: Math.floor(minute / 60) % 24, minute: minute % 60 })
  return day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds
}
