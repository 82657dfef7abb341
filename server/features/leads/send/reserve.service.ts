import { isOffered } from '#server/rules/lead/states.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import { readConsent } from './cold-consent.ts'
import { limitCold } from './cold-limit.service.ts'
import { findNamed } from './cold-limit.queries.ts'
import { isCounted, type CapWindow } from '#server/features/leads/api-offer/cap-window.queries.ts'
import { readCascade, type ReadMember } from '#server/features/leads/api-offer/cascade.queries.ts'
import { tellCap } from '#server/features/leads/api-offer/tell-cap.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { lockName, lockNames } from '#server/platform/pg/lock.ts'
import { nextMember, orderOf, type CascadeMember, type Considered, type LeadFacts } from '#server/rules/lead/cascade.ts'
import { MOST_FAILURES } from '#server/rules/lead/outcome.ts'
import { openLeadVault } from '../session/vault.ts'
import { suppressedBy, suppressedFor, suppressionKeys } from '../suppression/suppressed.service.ts'
import { getContacts } from '../suppression/suppression.queries.ts'
import { fieldsOf, longestCall } from '#server/features/leads/call/lead-values.ts'
import {
  countUnderWay,
  getEndpoint,
  insertSend,
  lockSession,
  seenBy,
  takePlace,
  takeTurns,
  type Endpoint,
  type LeasedSession,
} from './send.queries.ts'
import { hasRoom, type SendParts } from './send-parts.ts'

/** A send that is written and not yet made: places in its caps are taken. */
export type Reserved = {
  kind: 'send'
  member: ReadMember
  endpoint: Endpoint
  send: { id: string; uuid: string; attempt: number }
  windows: readonly CapWindow[]
  /** The kind of leads of its offer. */
  type: IntegrationType
}
export type Round = {
  /** How many sends there were before it. */
  from: number
  /** Of round robins, whose turn it is; null before the first step. */
  turns: Map<number, number> | null
  tried: Set<number>
  /** Members whose product cannot be asked just now, though nothing in the rules says so. */
  passedOver: Set<number>
}
/** `lost`: somebody else has it; `again`: what was decided upon has changed meanwhile. */
type Step = Reserved | { kind: 'nobody'; considered: Considered[] } | { kind: 'again' } | { kind: 'lost' }

/** A margin for what is written after a call, within which nobody else takes the lead for abandoned. */
const MARGIN = 60_000

class Full extends Error {}

/** Decides who is offered a lead next, takes places in the caps and writes the send, in one transaction before any call. */
export async function reserve(parts: SendParts, session: LeasedSession, round: Round): Promise<Step> {
  const { db, clock } = parts
  const now = clock.now()
  try {
    return await db.transaction().execute(async (trx): Promise<Step> => {
      const locked = await lockSession(trx, session.id)
      if (!isOffered(locked.status)) return { kind: 'lost' }
      const cascade = await readCascade(trx, session.offer_id, now)
      // a test takes nobody's turn
      const turns = !session.test && cascade?.groups.some(({ strategy }) => strategy === 'round_robin')
      round.turns ??= turns ? await takeTurns(trx, session.offer_id) : new Map()
      const cold = session.recold_id === null ? null : await limitCold(trx, session, session.recold_id)
      const groups = (cascade?.groups ?? []).map((group) => ({
        ...group,
        turn: round.turns?.get(group.id) ?? group.turn,
        members: cold === null ? group.members : cold.members(group.members),
      }))
      const consentTo = cold === null ? await consentOf(trx, session, groups) : cold.consentTo
      const facts = { ...(await factsOf(trx, parts.secretKey, session, now)), consentTo, ...hasOf(parts, session, groups) }
      const ordered = orderOf(groups, session.draw)
      const { member, trace } = nextWithRoom(parts, ordered, facts, round)
      if (member === null) return { kind: 'nobody', considered: kept(trace) }
      const found = groups.flatMap(({ members }) => members).find(({ id }) => id === member.id)
      const endpoint = await getEndpoint(trx, member.productId)
      if (cascade === undefined || found === undefined || endpoint === undefined || !(await mayBeAsked(trx, endpoint))) {
        round.passedOver.add(member.id)
        return { kind: 'again' }
      }
      // nor a place in a cap
      const counted = (session.test ? [] : found.windows.filter(isCounted)).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      for (const window of counted) {
        const used = await takePlace(trx, window)
        if (used === null) throw new Full()
        await tellCap(trx, now, found, window, { before: used - 1, used })
      }
      // what was sent stays sent, whatever they answer
      const windows = counted.filter(({ measure }) => measure === 'accepted')
      const places = windows.map(({ owner, period, starts }) => ({ owner, period, starts: starts.toISOString() }))
      const send = await insertSend(
        trx,
        {
          session_id: session.id,
          person_id: session.person_id,
          product_id: endpoint.id,
          advertiser_id: endpoint.advertiser_id,
          member_id: member.id,
          version_id: endpoint.version_id,
          places: JSON.stringify(places),
          asked_at: new Date(now),
        },
        {
          leased_until: new Date(now + longestCall(endpoint.spec) + MARGIN),
          step: { at: new Date(now).toISOString(), considered: kept(trace) },
        },
      )
      return { kind: 'send', member: found, endpoint, send, windows, type: cascade.type }
    })
  } catch (error) {
    // another lead took the last place: decided anew upon the caps as they are
    if (error instanceof Full) return { kind: 'again' }
    throw error
  }
}

/** Places are taken in one order, whoever does. */
function keyOf({ owner, period }: CapWindow): string {
  return `${period} ${owner}`
}

/** The first whose product has room here: who has none is passed over without being asked about. */
function nextWithRoom(parts: SendParts, ordered: readonly CascadeMember[], facts: LeadFacts, round: Round) {
  for (;;) {
    const next = nextMember(ordered, facts, new Set([...round.tried, ...round.passedOver]))
    if (next.member === null || hasRoom(parts, next.member.productId)) return next
    round.passedOver.add(next.member.id)
  }
}

/** What the lead says, where a product cannot do without something. */
function hasOf(
  { secretKey }: SendParts,
  session: LeasedSession,
  groups: readonly { members: readonly CascadeMember[] }[],
): Pick<LeadFacts, 'has'> {
  if (!groups.some(({ members }) => members.some(({ needs = [] }) => needs.length > 0))) return {}
  return { has: fieldsOf(session, session.sealed === null ? {} : openLeadVault(secretKey).openTold(session.sealed)) }
}

/** Whom a person agreed to be called by, where the consent names them; null = it names nobody in particular, or a test has none. */
async function consentOf(
  trx: Trx,
  { consent, test }: LeasedSession,
  groups: readonly { members: readonly CascadeMember[] }[],
): Promise<ReadonlySet<number> | null> {
  const named = consent?.recipients
  if (test || !Array.isArray(named) || named.length === 0) return null
  const ids = [...new Set(groups.flatMap(({ members }) => members.map(({ advertiserId }) => advertiserId)))]
  return readConsent(consent, await findNamed(trx, ids))?.recipients ?? null
}

async function factsOf(trx: Trx, secretKey: string | null, session: LeasedSession, now: number): Promise<Omit<LeadFacts, 'consentTo'>> {
  const subs = Array.isArray(session.told.subs) ? session.told.subs.map(String) : []
  const lead = {
    at: now,
    country: session.country,
    affiliateId: session.affiliate_id,
    sub1: subs[0] ?? '',
    draw: session.draw,
  }
  // the same person is tried again and again
  if (session.test) return { ...lead, seenBy: new Map(), suppressedBy: new Set() }
  const person = await getContacts(trx, session.person_id)
  // of two leads of one telephone in two offers the second finds the send of the first
  await lockNames(
    trx,
    (['phone_hash', 'email_hash'] as const).flatMap((kind) => (person[kind] === null ? [] : [`offered ${person[kind].toString('hex')}`])),
  )
  return {
    ...lead,
    seenBy: await seenBy(trx, session.person_id, session.id, session.recold_id !== null),
    // who was suppressed since it came in is offered no more
    suppressedBy: await suppressionOf(trx, secretKey, session, person, now),
  }
}

type Contacts = Awaited<ReturnType<typeof getContacts>>

async function suppressionOf(trx: Trx, secretKey: string | null, session: LeasedSession, person: Contacts, now: number) {
  if (person.erased_at !== null || person.restricted_at !== null) return 'all'
  const vault = openLeadVault(secretKey)
  const told = session.sealed === null ? {} : vault.openTold(session.sealed)
  const keys = suppressionKeys(vault, told, person)
  return suppressedBy(await suppressedFor(trx, keys, now), session.offer_id)
}

/** After its rest a product that failed is tried by one lead; others wait for what becomes of it. */
async function mayBeAsked(trx: Trx, { id, failures, rests_until }: Endpoint): Promise<boolean> {
  if (failures < MOST_FAILURES || rests_until === null) return true
  await lockName(trx, `probe product ${id}`)
  return (await countUnderWay(trx, id)) === 0
}

/** What of a decision is kept with the session: who was asked already is said by the sends. */
function kept(considered: readonly Considered[]): Considered[] {
  return considered.filter(({ check }) => check !== 'tried')
}
