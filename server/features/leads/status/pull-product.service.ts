import type { PullPlace, PullSpot } from '#server/rules/lead/integration/pull-place.ts'
import { openAsking, type Asked, type Asking, type Budget, type Found, type PullParts } from './ask-product.service.ts'
import { listOpen, listOpenDays, type getPullEndpoint } from './status.queries.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Leads older than that are asked about once a week, and after a year not any more. */
const LOOKBACK = 90 * DAY
const SWEEP = 7 * DAY
const OLDEST = 365 * DAY
/** Between two rounds where each pull reaches all that is open. */
const ROUND = 120 * MINUTE
/** So many leads are listed at once, and so many of the newest are asked about by each pull. */
const LISTED = 5_000
const MOST_NEWEST = 20_000

type Endpoint = NonNullable<Awaited<ReturnType<typeof getPullEndpoint>>>
/** How much one pull may ask. */
export type PullLimits = { calls: number; ms: number }
/** What a pull came to, and how far its rounds are. `open`: leads that are not over were asked about. */
export type Pulled = { found: Found; open: boolean; asked: boolean } & {
  round: PullPlace | null
  rounded: boolean
  sweep: PullPlace | null
  swept: boolean
}

/**
 * Asks a product what became of its leads, within the limits of one pull. Half of them go to the newest that are not over, which each pull
 * asks about; a quarter once a week to those older than LOOKBACK; the rest to a round over all younger ones, those that are over too, which
 * goes on where the last pull left it. So each lead of the last 90 days is asked about once in every `leads / (ids at once × calls / 4)`
 * pulls at the latest: at 500 leads a day, a system that takes one id a call and answers within half a second tells of each within two days,
 * one that takes fifty ids within a pull or two.
 */
export async function pullProduct(parts: PullParts, endpoint: Endpoint, limits: PullLimits, isLost: () => boolean): Promise<Pulled> {
  const now = parts.clock.now()
  const asking = openAsking(parts, endpoint.id, endpoint)
  if (asking === null) return { ...NOTHING, round: null, rounded: false, sweep: null, swept: false }
  let calls = limits.calls
  const walkOn = async (part: number, walk: Omit<Walk, 'budget' | 'list'> & Span) => {
    const budget: Budget = { calls: Math.ceil(limits.calls * part), until: parts.clock.now() + limits.ms * part, isLost }
    const given = Math.min(budget.calls, calls)
    budget.calls = given
    const went = await walkOver(asking, { ...walk, budget, list: (after) => listFor(parts, endpoint, walk, after) })
    calls -= given - budget.calls
    return went
  }
  const young = { since: now - LOOKBACK, until: now }
  const newest = await walkOn(1 / 2, { ...young, open: true, place: null, most: MOST_NEWEST, except: new Set() })
  const isSwept = endpoint.sweep === null && endpoint.swept_at !== null && endpoint.swept_at.getTime() > now - SWEEP
  const old = isSwept
    ? null
    : await walkOn(1 / 4, { since: now - OLDEST, until: now - LOOKBACK, open: false, place: endpoint.sweep, except: new Set() })
  const isDue = endpoint.round !== null || !newest.whole || endpoint.rounded_at === null || endpoint.rounded_at.getTime() <= now - ROUND
  const rest = old === null ? 1 / 2 : 1 / 4
  const round = isDue ? await walkOn(rest, { ...young, open: false, place: endpoint.round, except: newest.asked }) : null
  return {
    found: asking.found,
    open: newest.asked.size > 0,
    asked: newest.asked.size + (old?.asked.size ?? 0) + (round?.asked.size ?? 0) > 0,
    round: round === null ? endpoint.round : round.place,
    rounded: round?.whole === true,
    sweep: old === null ? endpoint.sweep : old.place,
    swept: old?.whole === true,
  }
}

const NOTHING = { found: { answered: 0, matched: 0, failed: [], error: '', cut: false }, open: false, asked: false }

type Span = { since: number; until: number; open: boolean }
type Walk = {
  list(after: PullSpot | null): Promise<Asked[]>
  place: PullPlace | null
  budget: Budget
  /** Asked about by this pull already. */
  except: ReadonlySet<string>
  most?: number
}
/** `whole`: its end was reached, and something was answered on the way if anything was asked. */
type Walked = { place: PullPlace | null; whole: boolean; asked: Set<string> }

/** Asks about the leads of a list from a place on, part by part, as far as the budget goes. */
async function walkOver(asking: Asking, { list, place, budget, except, most = Number.POSITIVE_INFINITY }: Walk): Promise<Walked> {
  const asked = new Set<string>()
  const answered = asking.found.answered
  const left = place?.half ?? null
  let spot = place?.spot ?? null
  if (left !== null) {
    const half = await asking.goOn(left, budget)
    if (half !== null) return { place: { spot, half }, whole: false, asked }
    spot = left.to
  }
  for (let seen = 0; seen < most;) {
    const listed = await list(spot)
    seen += listed.length
    const leads = listed.filter((one) => !except.has(keyOf(one)))
    const went = await asking.ask(leads, budget)
    for (const one of leads.slice(0, went.asked)) asked.add(keyOf(one))
    const isThrough = went.asked === leads.length
    const last = isThrough ? listed.at(-1) : leads[went.asked - 1]
    if (last !== undefined) spot = spotOf(last)
    const to = went.half === null ? undefined : leads[went.half.through - 1]
    if (went.half !== null && to !== undefined) {
      const { values, pages } = went.half
      return { place: { spot, half: { values, pages, to: spotOf(to) } }, whole: false, asked }
    }
    if (!isThrough || went.away) break
    if (listed.length < LISTED) return { place: null, whole: asked.size === 0 || asking.found.answered > answered, asked }
  }
  return { place: spot === null ? null : { spot, half: null }, whole: false, asked }
}

/** Leads a product is asked about, the newest first, after a spot; where it is asked for days, a lead that stands for all of its day. */
async function listFor({ db }: PullParts, { id, spec }: Endpoint, { since, until, open }: Span, after: PullSpot | null): Promise<Asked[]> {
  const span = { since: new Date(since), until: new Date(until) }
  if (spec.pull?.by !== 'window') {
    const known = spec.pull?.id_is === 'lead_id' ? 'uuid' : 'external_id'
    return listOpen(db, id, span, { after, open, known }, LISTED)
  }
  const before = after === null ? until : Math.min(until, Date.parse(after.at) - 1)
  const days = await listOpenDays(db, id, { ...span, until: new Date(before) }, open)
  return days.map((asked_at) => ({ id: null, uuid: '', external_id: null, asked_at }))
}

function keyOf({ uuid, asked_at }: Asked): string {
  return uuid === '' ? asked_at.toISOString() : uuid
}

function spotOf({ id, asked_at }: Asked): PullSpot {
  return { at: asked_at.toISOString(), id }
}
