import { sayCallReason } from '#contract/leads/call-reason.ts'
import { isOffered, isVerdict } from '#server/rules/lead/states.ts'
import { isCounted } from '#server/features/leads/api-offer/cap-window.queries.ts'
import type { NewEntry } from '#server/features/leads/entry/entry.queries.ts'
import { roundsOf } from './cold-limit.service.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { bookLead, clickOf, reportedFor, type LeadReport } from '#server/features/leads/status/book.service.ts'
import { tellCredit } from '#server/features/network/notification/tell.queries.ts'
import { beginPulling } from '#server/features/leads/status/status.queries.ts'
import { lookAhead } from '#server/features/traffic/conversion/apply-report.service.ts'
import type { ConversionClick } from '#server/features/traffic/conversion/draft.service.ts'
import type { ReportedFor } from '#server/features/traffic/conversion/plan-report.service.ts'
import type { Db, Tables, Trx } from '#server/platform/pg/database.ts'
import { inPipeline, readInPipeline, together } from '#server/platform/pg/pipeline.ts'
import type { Outcome } from '#contract/leads/integration-spec.ts'
import type { LeadStatus } from '#contract/leads/lead.ts'
import type { Considered } from '#server/rules/lead/cascade.ts'
import { afterOutcome, afterSend, nextRound, type Tried } from '#server/rules/lead/outcome.ts'
import type { NobodyReason, Reserved } from './reserve.service.ts'
import type { Sent } from '#server/features/leads/call/run-calls.service.ts'
import type { SendParts } from './send-parts.ts'
import {
  answerSend,
  answerTaken,
  askOfPassedOn,
  freePassedOn,
  freePlace,
  listSends,
  lockBreaker,
  lockSession,
  lookBeside,
  loseSend,
  onRejectOf,
  STATUS_OF,
  updateBreaker,
  updateSession,
  waitHoursOf,
  type LeasedSession,
} from './send.queries.ts'

/** What a lead is by an answer. */
export type Became = { status: LeadStatus; reason: string; changed_at: Date }

const HOUR = 3_600_000
/** Without the id, which stays the other lead's. */
const UNCLEAR = { status: 'ambiguous', outcome: 'ambiguous', external_id: null } as const
const STOPPED = { passed: false, check: 'state' as const, detail: { state: 'suspended' } }
/** The first time a product is asked what became of its leads. */
const FIRST_PULL = 5 * 60_000
/** A lead is looked at again so soon where a product has as many under way as it gets at once. */
const BUSY = 3_000
/** Members that are full or rest are looked at again after so long, where the offer keeps leads. */
const LOOK_AGAIN = 15 * 60_000

/**
 * Writes what a send came to, and what follows for the lead; books its acceptance in the same transaction. Taken under an id that another
 * lead has there it is unclear: a system that knows somebody already answers so, and what it says of that id is said of the other. Of an
 * accepted one that says where its person goes on `entry` leads there, and it was `entered`. `became`: what the lead is by it, where it ends so. `booking`: what `prepareBooking` found.
 */
export async function settleSend(
  parts: SendParts,
  session: LeasedSession,
  reserved: Reserved,
  { judged, calls }: Sent,
  booking: () => Promise<LeadBooking | null>,
  entry: NewEntry | null,
): Promise<{ follows: 'done' | 'next' | 'stop'; entered: boolean; became: Became | null }> {
  const { db, clock, secretKey } = parts
  const { member, endpoint, send, windows } = reserved
  const vault = openLeadVault(secretKey)
  const booked = judged.outcome === 'accepted' ? await booking() : null
  const capped = member.windows.some((window) => !isCounted(window))
  const now = clock.now()
  const { external_id, redirect_url, price } = judged.extracted
  const heard = {
    // what a system asks for and the lead lacks is no answer of theirs
    status: (calls.at(-1)?.missing.length ?? 0) > 0 ? ('invalid' as const) : STATUS_OF[judged.outcome],
    outcome: judged.outcome,
    reason: judged.reason.slice(0, 500),
    external_id: external_id ?? null,
    redirect: redirect_url === undefined ? null : vault.sealText(redirect_url),
    price: readPrice(price),
    http_status: calls.at(-1)?.answer?.status ?? null,
    call: vault.sealText(JSON.stringify(calls)),
    answered_at: new Date(now),
  }
  const taken = external_id !== undefined && judged.outcome === 'accepted' && !session.test
  let breaker: BreakerRow | undefined
  let [entered, became, passedOn]: [boolean, Became | null, boolean] = [false, null, false]
  const settle = async (trx: Trx): Promise<boolean> => {
    const [locked, { erased, called, ...seen }, ahead] = await together(
      trx,
      () => lockSession(trx, session.id),
      () => lookBeside(trx, { sessionId: session.id, sendId: send.id, productId: endpoint.id, externalId: taken ? external_id : null }),
      async () => (booked === null ? undefined : lookAhead(trx, booked.of)),
    )
    breaker = seen
    const answer = erased ? { ...heard, reason: '', redirect: null, call: null } : heard
    if (judged.outcome !== 'accepted' && judged.outcome !== 'ambiguous') {
      if (!(await answerSend(trx, send.id, answer))) return false
      await together(trx, ...windows.map((window) => () => freePlace(trx, window)))
      // somebody took it for lost: a round of its own follows, unless it ends with them
      if (locked.status === 'ambiguous' && !session.test)
        await updateSession(
          trx,
          session.id,
          afterSend({ memberId: member.id, outcome: judged.outcome, onReject: member.onReject }) === 'stop'
            ? { ...(await endOf(trx, session.id, await listSends(trx, session.id))), ...ended(now) }
            : { status: 'queued', reason: '', next_try_at: new Date(now), leased_until: null, decided_at: null, changed_at: new Date(now) },
        )
      // it may be in other hands by now
      return locked.status !== 'ambiguous'
    }
    const pullAt = endpoint.spec.pull === null || session.test ? null : new Date(now + FIRST_PULL)
    // whoever took it for lost has asked a person already
    if (member.onTimeout === 'next' && isTimeout(calls) && locked.status !== 'ambiguous') {
      passedOn = await answerSend(trx, send.id, { ...answer, status: 'error', passed_on: true, reason: sayCallReason('passed_on') })
      // they may have it: what becomes of it is asked for
      if (passedOn && pullAt !== null) await beginPulling(trx, endpoint.id, pullAt)
      return passedOn
    }
    const outcome = called ? 'ambiguous' : judged.outcome
    const decided = { ...named({ status: outcome, reason: '' }, session.test), changed_at: new Date(now) }
    const said = { ...answer, ...(called && { ...UNCLEAR, reason: sayCallReason('other_lead', { id: external_id ?? '' }).slice(0, 500) }) }
    const leadsOn = entry !== null && outcome === 'accepted' && said.redirect !== null
    const [written] = await together(
      trx,
      () =>
        answerTaken(
          trx,
          { id: send.id, answer: said },
          { id: session.id, ...decided },
          { productId: endpoint.id, pullAt, entry: leadsOn ? entry : null },
        ),
      async () =>
        booked !== null &&
        ahead !== undefined &&
        !called &&
        bookLead(trx, session, sentTo(reserved), booked.click, ACCEPTED, now, { of: booked.of, ahead, erased, capped }),
    )
    if (!written) throw new Settled()
    if (outcome === 'accepted' && send.attempt > 1) await freePassedOn(trx, session.id)
    ;[entered, became] = [leadsOn, decided]
    return true
  }
  const settled = await inPipeline(db, settle).catch((error: unknown) => {
    if (error instanceof Settled) return false
    throw error
  })
  await noteBreaker(db, endpoint.id, judged.outcome, now, breaker)
  const follows = afterSend({ memberId: member.id, outcome: judged.outcome, onReject: member.onReject, passedOn })
  return { follows: !settled || follows === 'sold' || follows === 'ask' ? 'done' : follows, entered, became }
}

/** Whether the lead itself went out and no answer came in time. */
function isTimeout(calls: Sent['calls']): boolean {
  return calls.at(-1)?.answer?.error === 'timed_out'
}

const ACCEPTED = { goal: 'accepted', status: 'approved', amount: null } as const satisfies LeadReport

/**
 * What is booked of a lead should they take it: asked while they think, and by what its offer says then. Null where there is nothing to book.
 */
export async function prepareBooking(parts: SendParts, session: LeasedSession, reserved: Reserved): Promise<LeadBooking | null> {
  if (session.test) return null
  const { type, member } = reserved
  const click = await clickOf(parts, session)
  if (click === null) return null
  const said = { type, prices: member.prices }
  const of = await readInPipeline(parts.db, (trx) => reportedFor(trx, session, sentTo(reserved), click.at, ACCEPTED, said))
  if (of === undefined) return null
  return { of, click, early: click.at !== session.received_at.getTime() && parts.clock.now() - click.at < STORED_WITHIN }
}
/** A click is among those that can be found after so long at the latest, if nothing is wrong. */
const STORED_WITHIN = 5_000
/** `early`: its click may have been looked for before it was stored. */
type LeadBooking = { of: ReportedFor; click: ConversionClick; early: boolean }

/** A send as bookings know it. */
function sentTo({ send: { uuid }, endpoint: { advertiser_id }, member }: Reserved) {
  return { uuid, advertiser_id, member_id: member.id }
}

/** What a send came to is known already: nothing of what follows from it is written again. */
class Settled extends Error {}

/** A send whose answer nobody kept: the process that made it died. They may have the lead, so it is offered to nobody else. */
export async function settleKilled(db: Db, sessionId: string, sendId: string, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { test } = await lockSession(trx, sessionId)
    const lost = await loseSend(trx, sendId, sayCallReason('stopped'))
    if (lost) await updateSession(trx, sessionId, { ...named({ status: 'ambiguous', reason: 'stopped' }, test), ...ended(now) })
  })
}

/**
 * Nobody took a lead in a round: it waits for the next one, or nobody will. `from` = how many sends there were before the round;
 * `busy`: somebody may yet take it who had as many leads under way as we send at once. `reason`: why nobody could be asked.
 */
export async function endRound(
  parts: SendParts,
  session: LeasedSession,
  from: number,
  considered: readonly Considered[],
  { busy = false, reason }: { busy?: boolean; reason?: NobodyReason } = {},
): Promise<void> {
  const { db, clock } = parts
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    const locked = await lockSession(trx, session.id)
    if (!isOffered(locked.status)) return
    const sends = await listSends(trx, session.id)
    const behaviour = await onRejectOf(trx, session.offer_id)
    const tried: Tried[] = sends
      .slice(from)
      .flatMap(({ member_id, outcome, passed_on: passedOn }) =>
        member_id === null || outcome === null
          ? []
          : [{ memberId: member_id, outcome: outcome as Outcome, onReject: behaviour.get(member_id) ?? 'next', passedOn }],
      )
    // whose account was refused is stopped until a person mends it: the lead waits as it does for one that rests
    const stopped = tried.flatMap(({ memberId, outcome }) => (outcome === 'config_error' ? [{ memberId, ...STOPPED }] : []))
    const givenUp = session.recold_id !== null && locked.attempts + 1 >= (await roundsOf(trx, session.recold_id))
    const next = givenUp ? null : nextRound(tried, locked.attempts, now, await waitsUntil(trx, session, [...considered, ...stopped], now))
    if (busy && next === null && !session.test) {
      // our own limit ends no lead: it is no round either
      const soon = { status: 'queued' as const, reason: 'waits', next_try_at: new Date(now + BUSY), leased_until: null }
      return updateSession(trx, session.id, { ...soon, changed_at: new Date(now) })
    }
    const trace = JSON.stringify([...locked.trace, { at: new Date(now).toISOString(), considered, send: null }])
    if (next !== null && !session.test) {
      const queued = { status: 'queued' as const, reason: 'waits', attempts: locked.attempts + 1, next_try_at: new Date(next.at) }
      return updateSession(trx, session.id, { ...queued, trace, leased_until: null, changed_at: new Date(now) })
    }
    return updateSession(trx, session.id, { ...named(await endOf(trx, session.id, sends, reason), session.test), trace, ...ended(now) })
  })
}

/** Nobody has a session in hand any more, or is to. */
export function ended(now: number) {
  const at = new Date(now)
  return { next_try_at: null, leased_until: null, decided_at: at, changed_at: at }
}

/** A test stays one: what it came to is its reason. */
function named(said: { status: LeadStatus; reason: string }, test: boolean): { status: LeadStatus; reason: string } {
  return test ? { status: 'test', reason: said.status } : said
}

/** What becomes of a lead nobody took: where somebody may have it a person decides. */
export async function endOf(
  trx: Trx,
  sessionId: string,
  sends: readonly { status: Tables['lead_send']['status'] }[],
  why?: NobodyReason,
): Promise<{ status: LeadStatus; reason: string }> {
  return (await askOfPassedOn(trx, sessionId)) ? { status: 'ambiguous', reason: '' } : finalOf(sends, why)
}

/** What nobody took is called after what those who were asked said of it, or after why nobody could be. */
export function finalOf(
  sends: readonly { status: Tables['lead_send']['status'] }[],
  why: NobodyReason = 'nobody_fits',
): {
  status: 'duplicate' | 'rejected' | 'unsold'
  reason: string
} {
  const all = (status: string) => sends.length > 0 && sends.every((send) => send.status === status)
  if (all('duplicate')) return { status: 'duplicate', reason: 'known_to_advertiser' }
  if (sends.length > 0 && sends.every(({ status }) => isVerdict(status))) return { status: 'rejected', reason: 'rejected' }
  return { status: 'unsold', reason: sends.length === 0 ? why : 'nobody_took_it' }
}

/** When the first member that is only closed, full or resting may take it, where the offer keeps it for so long; null = it is not kept. */
async function waitsUntil(trx: Trx, session: LeasedSession, considered: readonly Considered[], now: number): Promise<number | null> {
  return firstOpening(considered, now, session.received_at.getTime() + (await waitHoursOf(trx, session.offer_id)) * HOUR)
}

/** The same, where it is kept until a moment. */
export function firstOpening(considered: readonly Considered[], now: number, until: number): number | null {
  const moments = considered.flatMap(({ check, detail }) => {
    if (check === 'hours') return typeof detail.opens_at === 'string' ? [Date.parse(detail.opens_at)] : []
    return check === 'cap' || (check === 'state' && detail.state === 'suspended') ? [now + LOOK_AGAIN] : []
  })
  const first = Math.min(...moments)
  return first <= until ? first : null
}

/** Only what changes is written: a product that works is not locked for each of its leads. `seen`: how it did a moment ago. */
async function noteBreaker(db: Db, productId: number, outcome: Outcome, now: number, seen: BreakerRow | undefined): Promise<void> {
  if (seen === undefined || isUnchanged(seen, outcome, now)) return
  await db.transaction().execute(async (trx) => {
    const locked = await lockBreaker(trx, productId)
    const { failures, restsUntil, blocked } = afterOutcome(breakerOf(locked), limitsOf(locked), outcome, now)
    const rests_until = restsUntil === null ? null : new Date(restsUntil)
    const { advertiser_id, advertiser_uuid, advertiser, title } = await updateBreaker(trx, productId, { failures, rests_until, blocked })
    const kind =
      blocked && !locked.blocked ? 'product_refused' : rests_until !== null && locked.rests_until === null ? 'product_failing' : null
    if (kind === null) return
    // once for each time it is stopped: the next one begins after it has worked
    const notice = {
      kind,
      status: advertiser_uuid,
      reason: `${advertiser} · ${title}`,
      count: failures,
      once: `${kind} ${productId} ${now}`,
    } as const
    await tellCredit(trx, now, notice, advertiser_id)
  })
}

type BreakerRow = { failures: number; rests_until: Date | null; blocked: boolean; breaker_failures: number; breaker_minutes: number }

function breakerOf({ failures, rests_until, blocked }: BreakerRow) {
  return { failures, restsUntil: rests_until?.getTime() ?? null, blocked }
}

function limitsOf({ breaker_failures, breaker_minutes }: BreakerRow) {
  return { failures: breaker_failures, minutes: breaker_minutes }
}

function isUnchanged(row: BreakerRow, outcome: Outcome, now: number): boolean {
  const before = breakerOf(row)
  const after = afterOutcome(before, limitsOf(row), outcome, now)
  return before.failures === after.failures && before.restsUntil === after.restsUntil && before.blocked === after.blocked
}

/** What an answer says it pays, where that is an amount. */
function readPrice(text: string | undefined): string | null {
  return text !== undefined && /^\d{1,10}(\.\d{1,8})?$/.test(text) ? text : null
}
