import type { LeadInput } from '#contract/leads/lead.ts'
import { productWindowsOf, windowsOf as memberWindows } from '#server/features/leads/api-offer/cap-window.queries.ts'
import { hoursOf, type MemberRow } from '#server/features/leads/api-offer/cascade.queries.ts'
import { firstOpening, finalOf } from '#server/features/leads/send/settle.service.ts'
import { STATUS_OF } from '#server/features/leads/send/send.queries.ts'
import { openlyOf, toldOf } from '#server/features/leads/session/told.ts'
import { nextMember, orderOf, type Considered } from '#server/rules/lead/cascade.ts'
import { judgeAnswer, type Answer } from '#server/rules/lead/integration/read-answer.ts'
import { afterSend, nextRound } from '#server/rules/lead/outcome.ts'
import { DEVICES } from '../devices.ts'
import { AFFILIATES } from '../people.ts'
import { linesOf } from '../places.ts'
import { uuidOf, weighted, zipf, type Random } from '../random.ts'
import { seasonOf } from '../season.ts'
import type { MadeProduct } from './make.ts'
import type { Seller } from './offers.ts'
import type { Counter, Drawn, DrawnOffer, DrawnPerson, DrawnSend, DrawnSession } from './drawn.ts'
import { drawPerson } from './person.ts'
import { namesRecipients, openSecondSales } from './second-sale.ts'
import { BROKEN, SYSTEMS, type Verdict } from './systems.ts'
import { isCountedAgain } from '#server/rules/lead/states.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** When people fill in forms, by the hour of UTC. */
const HOURS = [14, 8, 5, 4, 6, 12, 24, 38, 52, 62, 66, 64, 66, 66, 68, 70, 76, 88, 98, 100, 90, 70, 46, 26]
/** So many affiliates send leads: the largest. */
const SENDERS = 9
/** For so long those who have a limit say that their day is full, and so many leads come then beside the others: some always wait. */
const LATE = 100 * 60_000
const LATE_LEADS = 16

type Parts = {
  offers: readonly DrawnOffer[]
  products: ReadonlyMap<number, MadeProduct>
  /** Ids in the order of the demo's list. */
  affiliates: readonly number[]
  from: number
  now: number
  count: number
}

/** Draws a month of leads and lets the product's own rules decide about each: whom it is offered, what an answer means, what follows. */
export function drawLeads(random: Random, parts: Parts): Drawn {
  const { now } = parts
  const sessions: DrawnSession[] = []
  const waiting: DrawnSession[] = []
  const people: DrawnPerson[] = []
  const market = openMarket(random, parts)
  const runDue = (until: number) => {
    for (;;) {
      const next = waiting.toSorted((a, b) => (a.nextTryAt ?? 0) - (b.nextTryAt ?? 0))[0]
      if (next === undefined || (next.nextTryAt ?? 0) >= until) return
      waiting.splice(waiting.indexOf(next), 1)
      offer(next, next.nextTryAt ?? 0)
    }
  }
  const offer = (session: DrawnSession, at: number) => {
    market.offer(session, at)
    if (session.status === 'queued') waiting.push(session)
  }
  const again = openSecondSales(random, now)
  const sellAgain = (until: number) => {
    for (const session of again.due(until, sessions)) {
      runDue(session.receivedAt)
      sessions.push(session)
      offer(session, session.receivedAt + random.whole(2, 9))
      market.remember(session)
    }
  }
  for (const session of arrivals(random, parts, people)) {
    sellAgain(session.receivedAt)
    runDue(session.receivedAt)
    sessions.push(session)
    if (session.status !== 'received') continue
    if (market.hadPerson(session)) Object.assign(session, { status: 'duplicate', reason: 'repeat', decidedAt: session.receivedAt })
    else offer(session, session.receivedAt + random.whole(2, 9))
    market.remember(session)
  }
  sellAgain(now - 120_000)
  runDue(now - 120_000)
  return { sessions, people, counters: market.counters, sales: again.sales }
}

/** Leads as they come in, in order of time. */
function* arrivals(random: Random, { offers, affiliates, from, now, count }: Parts, people: DrawnPerson[]): Generator<DrawnSession> {
  const drawOffer = weighted(offers.map((offer) => [{ offer, geoOf: weighted(sharesOf(offer.plan.geos)) }, offer.plan.weight] as const))
  const drawHour = weighted(HOURS.map((weight, hour) => [hour, weight] as const))
  const ranks = zipf(SENDERS, 0.9)
  const drawSender = weighted(ranks.map((weight, rank) => [rank, weight] as const))
  const drawDevice = weighted(DEVICES)
  const days = Math.floor((now - from) / DAY)
  const late = Array.from({ length: LATE_LEADS }, () => now - random.whole(120_000, LATE))
  const drawn = Array.from({ length: count }, () => {
    // a little more every day
    const day = Math.floor(days * Math.sqrt(0.25 + 0.75 * random.next()) * 2 - days)
    return from + Math.max(0, day) * DAY + drawHour(random) * HOUR + random.whole(0, HOUR - 1)
  })
  // the first day begins whenever the month does: nobody sends ahead
  const moments = [...drawn.filter((at) => at < now - 60_000), ...late].toSorted((a, b) => a - b)
  let number = 100_000 + random.whole(0, 90_000)
  for (const at of moments) {
    const { offer, geoOf } = drawOffer(random)
    const rank = drawSender(random)
    const country = geoOf(random)
    const device = drawDevice(random)
    const earlier = random.chance(0.05) ? people.at(-random.whole(1, Math.min(400, people.length || 1))) : undefined
    const again = earlier?.person.country === country && !earlier.test ? earlier : undefined
    const test = again === undefined && random.chance(0.012)
    const person = again?.person ?? drawPerson(random, country)
    const email = offer.plan.type === 'nutra_cod' ? '' : person.email
    const input: LeadInput = {
      ...person,
      offer_uuid: offer.uuid,
      email,
      ip: random.pick(linesOf(country)).drawAddress(random.next),
      user_agent: device.userAgent,
      landing_url: `https://${offer.plan.vertical}-${random.whole(1, 4)}.example/${country.toLowerCase()}`,
      source: random.pick(AFFILIATES[rank]?.traffic_sources ?? ['other']),
      sub1: random.pick(seasonOf(at).campaigns),
      sub2: `ad${random.whole(1, 30)}`,
    }
    const told = toldOf(input, { phone: person.phone, email }, offer.plan)
    // the same contacts are one person; a form without an e-mail makes another one of whom it knows by both, once
    const known = again && people.find((one) => one.phone === again.phone && one.email === email && !one.test)
    const who: DrawnPerson = known ?? { told, phone: person.phone, email, person, test, first: at, last: at }
    who.last = at
    if (known === undefined) people.push(who)
    const session: DrawnSession = {
      uuid: uuidOf(random),
      person: who,
      offer,
      affiliateId: affiliates[rank] ?? 0,
      externalId: random.chance(0.8) ? `L-${(number += random.whole(1, 40))}` : null,
      origin: random.chance(0.22) ? 'landing' : 'api',
      status: test ? 'test' : 'received',
      reason: '',
      told: openlyOf(input),
      sealedTold: told,
      consent: { given_at: new Date(at - random.whole(500, 4000)).toISOString() },
      draw: random.next(),
      trace: [],
      attempts: 0,
      nextTryAt: null,
      receivedAt: at,
      decidedAt: test ? at : null,
      changedAt: at,
      sends: [],
      bits: random.bits(),
      cold: null,
    }
    if (namesRecipients(session)) session.consent.recipients = recipientsOf(offer)
    yield session
  }
}

/** The advertisers of an offer, as a form names them. */
function recipientsOf({ plan }: DrawnOffer): string[] {
  return [...new Set(plan.groups.flatMap(({ sellers }) => sellers.map(({ advertiser }) => advertiser)))]
}

/** What the rules decide upon, kept while the month goes by as the database keeps it. */
function openMarket(random: Random, { products, now }: Parts) {
  const counters = new Map<string, Counter>()
  const seen = new Map<DrawnPerson, DrawnSession[]>()
  const rates = new Map<number, { sent: number; accepted: number }>()

  const windowsOf = (row: MemberRow, at: number) =>
    [...memberWindows(row, at), ...productWindowsOf(row, at)].map(({ owner, of, period, starts, zone, limit }) => {
      const key = `${owner} ${period} ${starts.getTime()}`
      const counter = counters.get(key) ?? { owner, period, starts: starts.getTime(), used: 0 }
      counters.set(key, counter)
      return { counter, cap: { limit, name: `${period} ${zone}`, ...(of === 'product' && { of }) } }
    })

  const seenBy = (session: DrawnSession) => {
    const had = new Map<number, number>()
    for (const other of seen.get(session.person) ?? [])
      for (const { status, product, askedAt } of other.sends)
        if (other !== session && (status === 'accepted' || status === 'duplicate' || status === 'ambiguous'))
          had.set(product.advertiserId, Math.max(askedAt, had.get(product.advertiserId) ?? 0))
    return had
  }

  const decide = (session: DrawnSession, turns: ReadonlyMap<number, number>, tried: ReadonlySet<number>, at: number) => {
    const groups = session.offer.groups.map(({ members, ...group }) => ({
      ...group,
      turn: turns.get(group.id) ?? group.turn,
      members: members.map((row) => ({
        id: row.id,
        productId: row.product_id,
        advertiserId: row.advertiser_id,
        state: 'active' as const,
        weight: row.weight,
        geos: row.terms.geos,
        affiliates: { mode: row.terms.affiliates.mode, ids: new Set(row.terms.affiliates.ids) },
        subs: { mode: row.terms.subs.mode, values: new Set(row.terms.subs.values) },
        hours: hoursOf(row),
        caps: windowsOf(row, at).map(({ counter, cap }) => ({ ...cap, used: counter.used })),
        // who had somebody is not offered them a second time
        repeatDays: session.cold === null ? row.terms.repeat_days : null,
        sent: rates.get(row.id)?.sent ?? 0,
        accepted: rates.get(row.id)?.accepted ?? 0,
        onReject: row.terms.on_reject,
      })),
    }))
    const country = session.person.person.country
    const subs = session.told['subs'] as string[] // as `openlyOf` made it
    const facts = { at, country, affiliateId: session.affiliateId, sub1: subs[0] ?? '', seenBy: seenBy(session), consentTo: null }
    return nextMember(orderOf(groups, session.draw), { ...facts, draw: session.draw }, tried)
  }

  /** A round of offering a lead, as `sendLead` makes one. */
  const offer = (session: DrawnSession, began: number): void => {
    let at = began
    const from = session.sends.length
    const turns = new Map(session.offer.groups.flatMap((group) => (group.strategy === 'round_robin' ? [[group.id, group.turn++]] : [])))
    const verdicts = session.sends.filter(({ status }) => status === 'rejected' || status === 'duplicate')
    const tried = new Set(verdicts.map(({ member }) => member.id))
    let considered: readonly Considered[] = []
    for (;;) {
      const { member, trace } = decide(session, turns, tried, at)
      considered = trace.filter(({ check }) => check !== 'tried')
      const row = session.offer.groups.flatMap(({ members }) => members).find(({ id }) => id === member?.id)
      const product = row === undefined ? undefined : products.get(row.product_id)
      if (row === undefined || product === undefined) break
      const send = sendTo(session, row, product, at)
      session.trace.push({ at: new Date(at).toISOString(), considered: [...considered], send: send.uuid })
      at = send.answeredAt
      tried.add(row.id)
      const follows = afterSend({ memberId: row.id, outcome: send.judged.outcome, onReject: row.terms.on_reject })
      if (follows === 'sold' || follows === 'ask') {
        return void Object.assign(session, { ...ended(at), status: follows === 'sold' ? 'accepted' : 'ambiguous', reason: '' })
      }
      considered = []
      if (follows === 'stop') break
    }
    const asked = session.sends.slice(from)
    const told = asked.map(({ member, judged }) => ({ memberId: member.id, outcome: judged.outcome, onReject: member.terms.on_reject }))
    const opens = firstOpening(considered, at, session.receivedAt + session.offer.plan.wait * HOUR)
    const next = nextRound(told, session.attempts, at, opens)
    session.trace.push({ at: new Date(at).toISOString(), considered: [...considered], send: null })
    if (next === null) return void Object.assign(session, { ...finalOf(session.sends), ...ended(at) })
    Object.assign(session, { status: 'queued', reason: 'waits', attempts: session.attempts + 1, nextTryAt: next.at, changedAt: at })
  }

  const sendTo = (session: DrawnSession, member: MemberRow, product: MadeProduct, at: number): DrawnSend => {
    const { seller, spec } = product
    const verdict = verdictOf(random, seller.says, at > now - LATE)
    const system = SYSTEMS[seller.system]
    const said =
      verdict === 'broken'
        ? BROKEN
        : verdict === 'silent'
          ? null
          : system.answer(verdict, { id: system.newId(random.bits()), why: random.pick(system.refusals) })
    const answer: Answer =
      said === null
        ? { status: null, failure: 'timeout', headers: {}, body: '' }
        : { status: said.status, failure: '', headers: { 'content-type': said.type }, body: said.body }
    const judged = judgeAnswer(answer, spec.response)
    const took = said === null ? spec.request.timeout_ms : Math.min(15_000, Math.ceil(random.logNormal(620, 0.6)))
    const send: DrawnSend = {
      uuid: uuidOf(random),
      member,
      product,
      status: STATUS_OF[judged.outcome],
      judged,
      answer,
      attempt: session.sends.length + 1,
      askedAt: at,
      answeredAt: at + took,
    }
    session.sends.push(send)
    const isKept = judged.outcome === 'accepted' || judged.outcome === 'ambiguous'
    if (isKept) for (const { counter } of windowsOf(member, at)) counter.used++
    const rate = rates.get(member.id) ?? { sent: 0, accepted: 0 }
    rates.set(member.id, { sent: rate.sent + 1, accepted: rate.accepted + (judged.outcome === 'accepted' ? 1 : 0) })
    return send
  }

  return {
    counters,
    offer,
    /** As `hadPerson` of what is received. */
    hadPerson({ person, offer, receivedAt }: DrawnSession): boolean {
      const { repeat } = offer.plan
      if (repeat === 0) return false
      return (seen.get(person) ?? []).some(
        (other) =>
          other.offer === offer && isCountedAgain(other.status) && (repeat === null || other.receivedAt > receivedAt - repeat * DAY),
      )
    },
    remember(session: DrawnSession) {
      seen.set(session.person, [...(seen.get(session.person) ?? []), session])
    },
  }
}

function ended(at: number) {
  return { nextTryAt: null, decidedAt: at, changedAt: at }
}

function verdictOf(random: Random, { rejected, duplicate, full }: Seller['says'], isLate: boolean): Verdict {
  if (isLate && full > 0) return 'full'
  let drawn = random.next() * 100
  for (const [verdict, share] of Object.entries({ rejected, duplicate, full, broken: 1.2, silent: 0.9 }))
    if ((drawn -= share) < 0) return verdict as Verdict // the keys stand above
  return 'accepted'
}

/** `IT 40 ES 60` as shares. */
function sharesOf(text: string): (readonly [string, number])[] {
  const words = text.split(' ')
  return words.flatMap((word, at) => (at % 2 === 0 ? [[word, Number(words[at + 1])] as const] : []))
}
