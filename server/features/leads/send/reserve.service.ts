import { isOffered } from '#server/rules/lead/states.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import { readConsent } from './cold-consent.ts'
import { limitCold } from './cold-limit.service.ts'
import { findNamed } from './cold-limit.queries.ts'
import { isCounted, type CapWindow } from '#server/features/leads/api-offer/cap-window.queries.ts'
import { readCascade, type Cascade, type Endpoint, type ReadMember } from '#server/features/leads/api-offer/cascade.queries.ts'
import { readSpec } from '#server/features/leads/api-offer/version.queries.ts'
import { tellCap } from '#server/features/leads/api-offer/tell-cap.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { lockName, lockNames } from '#server/platform/pg/lock.ts'
import { behind, inPipeline, together } from '#server/platform/pg/pipeline.ts'
import { nextMember, orderOf, type CascadeMember, type Considered, type LeadFacts } from '#server/rules/lead/cascade.ts'
import { unsoldReason } from '#server/rules/lead/ways-in.ts'
import { sharedName } from '../session/person-names.ts'
import { openLeadVault } from '../session/vault.ts'
import { suppressedBy, suppressedFor, suppressionKeys } from '../suppression/suppressed.service.ts'
import { getContacts } from '../suppression/suppression.queries.ts'
import { fieldsOf, longestCall } from '#server/features/leads/call/lead-values.ts'
import {
  countUnderWay,
  insertSend,
  lockSession,
  placeKey,
  seenBy,
  takePlace,
  takeTurns,
  type LeasedSession,
  type NewSend,
} from './send.queries.ts'
import { hasRoom, type SendParts } from './send-parts.ts'

/** An endpoint with how its system is spoken to. */
export type SpokenTo = Endpoint & { spec: IntegrationSpec }
/** A send that is written and not yet made: places in its caps are taken. */
export type Reserved = {
  kind: 'send'
  member: ReadMember
  endpoint: SpokenTo
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
/** The first round of a lead nobody was asked for yet. */
export function newRound(): Round {
  return { from: 0, turns: null, tried: new Set(), passedOver: new Set() }
}

/** Why nobody could be asked. */
export type NobodyReason = ReturnType<typeof unsoldReason>
/** `lost`: somebody else has it; `again`: what was decided upon has changed meanwhile. */
export type Step = Reserved | { kind: 'nobody'; considered: Considered[]; reason: NobodyReason } | { kind: 'again' } | { kind: 'lost' }

/** A margin for what is written after a call, within which nobody else takes the lead for abandoned. */
const MARGIN = 60_000

/** The last place was taken meanwhile. */
export class Full extends Error {}

/** Decides who is offered a lead next, takes places in the caps and writes the send, in one transaction before any call. */
export async function reserve(parts: SendParts, session: LeasedSession, round: Round): Promise<Step> {
  try {
    return await made(await inPipeline(parts.db, (trx) => decide(trx, parts, session, round)))
  } catch (error) {
    // another lead took the last place: decided anew upon the caps as they are
    if (error instanceof Full) return { kind: 'again' }
    throw error
  }
}

/** `sending`: the send as it will be known once its transaction is through. */
export type Decided = Exclude<Step, Reserved> | (Omit<Reserved, 'send'> & { sending: Promise<Reserved['send']> })

/** A decision whose transaction is through. */
export async function made(decided: Decided): Promise<Step> {
  return 'sending' in decided ? { ...decided, send: await decided.sending } : decided
}

async function decide(trx: Trx, parts: SendParts, session: LeasedSession, round: Round): Promise<Decided> {
  const now = parts.clock.now()
  const [locked, person] = await together(
    trx,
    () => lockSession(trx, session.id),
    async () => (session.test ? null : getContacts(trx, session.person_id)),
  )
  if (!isOffered(locked.status)) return { kind: 'lost' }
  const [cascade, seen, suppressed] = await together(
    trx,
    () => readCascade(trx, session.offer_id, now),
    // the same person is tried again and again
    async () => (person === null ? new Map<number, number>() : meetAdvertisers(trx, person, session)),
    // who was suppressed since it came in is offered no more
    async () => (person === null ? new Set<number>() : suppressionOf(trx, parts.secretKey, session, person, now)),
  )
  const chosen = await choose(trx, parts, session, round, { cascade, seenBy: seen, suppressedBy: suppressed, now })
  if (chosen.kind !== 'send') return chosen
  const { row, until, step, ...reserved } = chosen
  const sending = insertSend(trx, { ...row, session_id: session.id }, { leased_until: until, step })
  await behind(trx, sending)
  return { ...reserved, sending }
}

/** Which advertisers had a person, once nobody else is about to offer it: of two leads of one telephone in two offers the second finds the send of the first. */
export async function meetAdvertisers(
  trx: Trx,
  person: { phone_hash: Buffer | null; email_hash: Buffer | null },
  { id, recold_id }: { id: string | null; recold_id: number | null },
): Promise<Map<number, number>> {
  const names = [person.phone_hash, person.email_hash].flatMap((hash) => sharedName('offered', hash))
  const [, seen] = await together(
    trx,
    () => lockNames(trx, names),
    () => seenBy(trx, person, id, recold_id !== null),
  )
  return seen
}

/** A lead as it is decided about, which may have no number yet. */
export type ToOffer = Omit<LeasedSession, 'id'>
/** What a decision stands on. */
type Known = Pick<LeadFacts, 'seenBy' | 'suppressedBy'> & { cascade: Cascade | undefined; now: number }
/** Who is offered a lead, with its places taken; `row` is the send to be written, `until` when it is over at the latest, `step` why it was chosen. */
type Chosen = Omit<Reserved, 'send'> & { row: Omit<NewSend, 'session_id'>; until: Date; step: Record<string, unknown> }

/** Decides who is offered a lead next and takes places in the caps. */
export async function choose(
  trx: Trx,
  parts: SendParts,
  session: ToOffer,
  round: Round,
  { cascade, now, ...had }: Known,
): Promise<Chosen | Exclude<Step, Reserved>> {
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
  const facts = { ...factsOf(session, now), ...had, consentTo, ...hasOf(parts, session, groups) }
  const { member, trace } = nextWithRoom(parts, orderOf(groups, session.draw), facts, round)
  if (member === null) {
    // a second sale has rules of its own, and who is busy here may take it yet
    const isTold = cold === null && round.passedOver.size === 0
    const reason = isTold
      ? unsoldReason(
          groups.flatMap(({ members }) => members),
          facts,
        )
      : 'nobody_fits'
    return { kind: 'nobody', considered: kept(trace), reason }
  }
  const found = groups.flatMap(({ members }) => members).find(({ id }) => id === member.id)
  if (cascade === undefined || found === undefined || !(await mayBeAsked(trx, found.endpoint))) {
    round.passedOver.add(member.id)
    return { kind: 'again' }
  }
  const { endpoint } = found
  const spec = await readSpec(trx, endpoint)
  const windows = session.test ? [] : await takePlaces(trx, found, now)
  const uuid = crypto.randomUUID()
  return {
    kind: 'send',
    member: found,
    endpoint: { ...endpoint, spec },
    windows,
    type: cascade.type,
    row: {
      uuid,
      person_id: session.person_id,
      product_id: endpoint.id,
      advertiser_id: endpoint.advertiser_id,
      member_id: member.id,
      version_id: endpoint.version_id,
      places: JSON.stringify(windows.map(({ owner, period, starts }) => ({ owner, period, starts: starts.toISOString() }))),
      asked_at: new Date(now),
    },
    until: new Date(now + longestCall(spec) + MARGIN),
    step: { at: new Date(now).toISOString(), considered: kept(trace), send: uuid },
  }
}

/** Takes a lead's places in the caps of a member; answers those it gives back where nobody takes it. Throws `Full`. */
async function takePlaces(trx: Trx, member: ReadMember, now: number): Promise<CapWindow[]> {
  const counted = member.windows.filter(isCounted).toSorted((a, b) => (placeKey(a) < placeKey(b) ? -1 : 1))
  const taken = await together(trx, ...counted.map((window) => async () => ({ window, used: await takePlace(trx, window) })))
  for (const { window, used } of taken) {
    if (used === null) throw new Full()
    await tellCap(trx, now, member, window, { before: used - 1, used })
  }
  // what was sent stays sent, whatever they answer
  return counted.filter(({ measure }) => measure === 'accepted')
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
  session: ToOffer,
  groups: readonly { members: readonly CascadeMember[] }[],
): Pick<LeadFacts, 'has'> {
  if (!groups.some(({ members }) => members.some(({ needs = [] }) => needs.length > 0))) return {}
  return { has: fieldsOf(session, session.sealed === null ? {} : openLeadVault(secretKey).openTold(session.sealed)) }
}

/** Whom a person agreed to be called by, where the consent names them; null = it names nobody in particular, or a test has none. */
async function consentOf(
  trx: Trx,
  { consent, test }: ToOffer,
  groups: readonly { members: readonly CascadeMember[] }[],
): Promise<ReadonlySet<number> | null> {
  const named = consent?.recipients
  if (test || !Array.isArray(named) || named.length === 0) return null
  const ids = [...new Set(groups.flatMap(({ members }) => members.map(({ advertiserId }) => advertiserId)))]
  return readConsent(consent, await findNamed(trx, ids))?.recipients ?? null
}

/** What the lead itself says. */
function factsOf(session: ToOffer, now: number) {
  const subs = Array.isArray(session.told.subs) ? session.told.subs.map(String) : []
  return { at: now, country: session.country, affiliateId: session.affiliate_id, sub1: subs[0] ?? '', draw: session.draw }
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
async function mayBeAsked(trx: Trx, { id, rests_until }: Endpoint): Promise<boolean> {
  // whatever answers again rests no longer
  if (rests_until === null) return true
  await lockName(trx, `probe product ${id}`)
  return (await countUnderWay(trx, id)) === 0
}

/** What of a decision is kept with the session: who was asked already is said by the sends. */
function kept(considered: readonly Considered[]): Considered[] {
  return considered.filter(({ check }) => check !== 'tried')
}
