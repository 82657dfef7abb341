import { randomInt } from 'node:crypto'
import { CONSENT_MISSING } from '#contract/leads/integrity.ts'
import type { LeadInput } from '#contract/leads/lead.ts'
import { findAddress as findByTables, type FindAddress } from '#server/features/leads/integrity/address-facts.ts'
import { assessLeads, hashesOf, namesOf, type Assessed } from '#server/features/leads/integrity/assess.service.ts'
import type { Hashes } from '#server/features/leads/integrity/integrity.queries.ts'
import { refusalFor } from '#server/features/leads/integrity/refusal.ts'
import { suppressedBy, suppressedForMany, suppressionKeys, type Suppressed } from '#server/features/leads/suppression/suppressed.service.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { lockNames } from '#server/platform/pg/lock.ts'
import { mintClickId, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { maskPerson } from '#server/rules/lead/mask-person.ts'
import { codesOf } from '#server/rules/lead/integrity/judge.ts'
import type { LeasedSession } from '../send/send.queries.ts'
import { checkLead, type CheckedLead } from './check-lead.ts'
import { hasAccess, lacksConsent, refuseClosed, refuseStrangeClick, refuseWithoutConsent } from './may-send.ts'
import {
  findExternals,
  findLeadOffers,
  findRecent,
  hadPersons,
  insertSessions,
  keepPersons,
  notePersons,
  usedClicks,
  type KeptPerson,
  type LeadOffer,
  type SessionRow,
} from './session.queries.ts'
import { brokenFields, openlyOf, toldOf } from './told.ts'
import { KEY_ID, openLeadVault, type LeadVault, type Told } from './vault.ts'

/** `findAddress`: what is known of addresses; absent = what the tables say. */
export type LeadParts = { db: Db; secretKey: string | null; findAddress?: FindAddress }
/**
 * `known`: it was sent in before, with the same id and the same person. `leased`: what is offered of it, where its receiver has it in
 * hand; null = nobody has.
 */
export type Received = { session: SessionRow; known: boolean; leased: LeasedSession | null }
/**
 * By whom and how a lead comes. `sameWithin`: the same person again within so many ms is the same lead. `lease`: who receives it offers
 * it at once, and has it in hand from the start.
 */
export type LeadFrom = {
  affiliateId: number
  origin: 'api' | 'landing' | 'test'
  landingId?: number | null
  sameWithin?: number
  lease?: boolean
  /** The offers a key is bound to; absent or none = any. */
  offerIds?: readonly number[]
}

const DAY = 86_400_000
/** Who receives a lead offers it at once; after so long a worker does, who then finds it unclaimed. */
const GRACE = 5_000
/** Where its receiver died before it wrote a send, a lead is free again after so long. */
export const LEASE = 60_000

/**
 * Takes a lead in: checks it, finds its person and keeps it, in one transaction. Sent again under the same id it is answered as it
 * stands; with another person that is `lead_id_taken`. Of origin `test` staff try an offer, whatever its status. Throws `invalid_input`
 * with each wrong field, `lead_offer_closed`, and `lead_refused` where a check of its offer refuses it: then it is kept all the same.
 */
export async function receiveLead(parts: LeadParts, now: number, from: LeadFrom, input: LeadInput): Promise<Received> {
  const [answer] = await receiveLeads(parts, now, from, [input])
  if (answer === undefined) throw new Error('a lead was not answered')
  if (answer instanceof AppError) throw answer
  return answer
}

/**
 * Takes leads in as `receiveLead` does, each judged by itself and in their order: what one of them is refused by stands in its place.
 * All are written in one transaction with a statement per table, so that many cost one commit; when it fails none is kept.
 */
export async function receiveLeads(
  { db, secretKey, findAddress = findByTables }: LeadParts,
  now: number,
  from: LeadFrom,
  inputs: readonly LeadInput[],
): Promise<(Received | AppError)[]> {
  const vault = openLeadVault(secretKey)
  const keys = await loadClickKeys(db, now)
  const answers = new Map<number, Received | AppError>()
  await db.transaction().execute(async (trx) => {
    const read = await readAll(trx, from, inputs, vault)
    for (const [place, one] of read.entries()) if (one instanceof AppError) answers.set(place, one)
    const given = read.flatMap((one, place) => (one instanceof AppError ? [] : [{ ...one, place }]))
    // all at once and before any row: two batches that share people never wait for each other in a circle
    await lockNames(
      trx,
      given.flatMap((one) => locksOf(one, from, given.length > 1)),
    )
    for (const wave of wavesOf(given, from))
      for (const [place, answer] of await takeIn(trx, { vault, keys, findAddress }, now, from, wave)) answers.set(place, answer)
  })
  return inputs.map((_input, place) => refusedOr(answers.get(place)))
}

/** A lead as it was sent, of an offer its affiliate may know, with nothing wrong in it. */
type Given = { place: number; input: LeadInput; offer: LeadOffer; checked: CheckedLead; hashes: Hashes; test: boolean }

/** Leads as they were sent with what they are of, or what each is refused by before anything is written. */
export async function readAll(
  db: DbOrTrx,
  { affiliateId, origin, offerIds = [] }: Pick<LeadFrom, 'affiliateId' | 'origin' | 'offerIds'>,
  inputs: readonly LeadInput[],
  vault: LeadVault,
): Promise<(Omit<Given, 'place'> | AppError)[]> {
  const offers = await findLeadOffers(db, [...new Set(inputs.map(({ offer_uuid: key }) => key))], affiliateId)
  return inputs.map((input) => {
    const broken = brokenFields(input)
    if (Object.keys(broken).length > 0) return new AppError('bad_request', { fields: broken })
    const offer = offers.get(input.offer_uuid.toLowerCase())
    // whoever may not know an offer does not learn that it is there; staff try theirs before it is active
    if (offer === undefined || (origin !== 'test' && !hasAccess(offer))) return new AppError('lead_offer_closed')
    if (offerIds.length > 0 && !offerIds.includes(offer.id)) return new AppError('key_offers')
    const checked = checkLead(input, offer.type)
    if ('mistakes' in checked) return new AppError('invalid_input', { fields: checked.mistakes })
    const test = input.test === true || origin === 'test'
    return { input, offer, checked, hashes: hashesOf(vault, { ...checked, input }), test }
  })
}

/** What others may send at the same moment that must wait for this. Of many at once people are locked by name, before their rows are. */
function locksOf(given: Given, from: LeadFrom, many: boolean): string[] {
  const { input, offer, hashes, test } = given
  const person = ['phone', 'email'] as const
  const name = (kind: keyof Hashes) => (hashes[kind] === null ? [] : [`lead ${kind} ${hashes[kind].toString('hex')}`])
  const spelt = (kind: keyof Hashes) => hashes[kind]?.toString('base64') ?? ''
  return [
    ...(input.external_id === undefined ? [] : [`lead ${from.affiliateId} ${input.external_id}`]),
    ...(from.sameWithin === undefined ? [] : [`lead form ${from.affiliateId} ${offer.id} ${spelt('phone')} ${spelt('email')}`]),
    ...(input.click_id === undefined || input.click_id === '' ? [] : [`lead click ${input.click_id.toLowerCase()}`]),
    // two of one telephone come one after the other, whatever their e-mail addresses
    ...(many || (!test && offer.repeat_days !== 0) ? person.flatMap(name) : []),
    ...(test ? [] : namesOf({ ...given, ...given.checked, offerId: offer.id, affiliateId: from.affiliateId, integrity: offer.integrity })),
  ]
}

/** Leads that know nothing of each other, in as few rounds as there are; a later one finds what the earlier ones became. */
function wavesOf(given: readonly Given[], from: LeadFrom): Given[][] {
  const waves: { taken: Set<string>; leads: Given[] }[] = []
  let first = 0
  for (const one of given) {
    const { input, hashes } = one
    const names = [
      ...(input.external_id === undefined ? [] : [`id ${input.external_id}`]),
      ...(input.click_id === undefined || input.click_id === '' ? [] : [`click ${input.click_id.toLowerCase()}`]),
      ...(['phone', 'email'] as const).flatMap((kind) => (hashes[kind] === null ? [] : [`${kind} ${hashes[kind].toString('hex')}`])),
      ...(from.sameWithin === undefined ? [] : ['form']),
    ]
    const met = waves.findLastIndex(({ taken }) => names.some((name) => taken.has(name)))
    first = met + 1
    const wave = waves[first] ?? { taken: new Set<string>(), leads: [] }
    waves[first] = wave
    for (const name of names) wave.taken.add(name)
    wave.leads.push(one)
  }
  return waves.map(({ leads }) => leads)
}

type Tools = { vault: LeadVault; keys: ClickIdKeys; findAddress: FindAddress }

/** Keeps leads that share neither person, id nor click; answers each by its place. */
async function takeIn(
  trx: Trx,
  { vault, keys, findAddress }: Tools,
  now: number,
  from: LeadFrom,
  wave: readonly Given[],
): Promise<Map<number, Received | AppError>> {
  const answers = new Map<number, Received | AppError>()
  const known = await findKnown(trx, now, from, wave)
  const open = wave.filter((one) => {
    const { input, offer, hashes, place } = one
    const session = known.get(place)
    if (session !== undefined) {
      const taken = new AppError('lead_id_taken', { fields: { external_id: 'Another lead has this id' } })
      answers.set(place, isSame(session, hashes, offer.id) ? { session, known: true, leased: null } : taken)
      return false
    }
    try {
      // what was taken in is answered whatever became of the offer since
      if (from.origin !== 'test') {
        refuseClosed(offer, now, input.country)
        refuseWithoutConsent(offer, input)
      }
      refuseStrangeClick(input.click_id, { affiliateId: from.affiliateId, offerId: offer.id }, keys)
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      answers.set(place, error)
      return false
    }
  })
  if (open.length === 0) return answers
  const assessed = await assessLeads(
    trx,
    { vault, findAddress },
    now,
    open.map(({ offer, checked, ...one }) => ({
      ...one,
      ...checked,
      offerId: offer.id,
      affiliateId: from.affiliateId,
      integrity: offer.integrity,
    })),
  )
  const told = open.map(({ input, checked, offer }) => toldOf(input, checked, offer))
  const sealed = told.map((one) => vault.sealTold(one))
  const persons = await keepPersons(
    trx,
    open.map(({ input, hashes, test }, at) => ({
      phone_hash: hashes.phone,
      email_hash: hashes.email,
      key_id: KEY_ID,
      sealed: sealed[at] ?? null,
      country: input.country ?? '',
      language: input.language ?? '',
      gender: input.gender ?? 'unknown',
      test,
    })),
    now,
  )
  // asked once the persons are locked: whoever suppresses or forgets one waits, or was first
  const suppressed = await suppressedForMany(
    trx,
    told.map((one) => suppressionKeys(vault, one)),
    now,
  )
  await notePersons(
    trx,
    open.flatMap(({ test }, at) => {
      const [person, found] = [persons[at], suppressed[at]]
      return person === undefined || found === undefined || test || !found.contact ? [] : [{ id: person.id, forget: found.erased }]
    }),
    new Date(now),
  )
  // of two leads of one telephone or e-mail address at once the second waited, and is the repeated one
  const asked = open.flatMap(({ offer, test }, at) => {
    const since = offer.repeat_days === null ? null : new Date(now - offer.repeat_days * DAY)
    const person = persons[at]
    return test || offer.repeat_days === 0 || person === undefined ? [] : [{ personId: person.id, offerId: offer.id, since }]
  })
  const had = await hadPersons(trx, asked)
  const used = await usedClicks(
    trx,
    open.flatMap(({ input }) => (input.click_id === undefined || input.click_id === '' ? [] : [input.click_id.toLowerCase()])),
  )
  const rows = open.map((one, at) => {
    const [person, found, seal, listed] = [persons[at], assessed[at], sealed[at], suppressed[at]]
    if (person === undefined || found === undefined || seal === undefined || listed === undefined) throw new Error('a lead has no person')
    return rowOf(
      one,
      { told: told[at] ?? {}, person, found, seal, suppressed: listed, repeated: had.has(`${person.id} ${one.offer.id}`), used, keys },
      now,
      from,
    )
  })
  const inserted = await insertSessions(trx, rows)
  for (const [at, { place, offer, hashes }] of open.entries()) {
    const row = rows[at]
    const made = row === undefined ? undefined : inserted.get(row.click_id)
    if (row === undefined || made === undefined) throw new Error('a lead was not written')
    const session: SessionRow = {
      ...row,
      ...made,
      call_status: null,
      offer_uuid: offer.uuid,
      phone_hash: hashes.phone,
      email_hash: hashes.email,
    }
    const leased = row.leased_until === null ? null : { ...row, ...made, attempts: 0, traffic_type: 'warm' as const, recold_id: null }
    answers.set(place, { session, known: false, leased })
  }
  return answers
}

/** Leads that were sent before: under the same id, or by the same press of a form's button. */
async function findKnown(trx: Trx, now: number, { affiliateId, sameWithin }: LeadFrom, wave: readonly Given[]) {
  const known = new Map<number, SessionRow>()
  const named = await findExternals(
    trx,
    affiliateId,
    wave.flatMap(({ input }) => input.external_id ?? []),
  )
  for (const { place, input, offer, hashes } of wave) {
    const found = input.external_id === undefined ? undefined : named.get(input.external_id)
    const asked = { affiliateId, offerId: offer.id, since: new Date(now - (sameWithin ?? 0)) }
    const session = found ?? (sameWithin === undefined ? undefined : await findRecent(trx, asked, hashes))
    if (session !== undefined) known.set(place, session)
  }
  return known
}

type Found = {
  told: Told
  person: KeptPerson
  found: Assessed
  seal: Buffer
  suppressed: Suppressed
  repeated: boolean
  used: Set<string>
  keys: ClickIdKeys
}

/** A session as it is written. */
function rowOf(
  { input, offer, test }: Given,
  { told, person, found, seal, suppressed, repeated, used, keys }: Found,
  now: number,
  from: LeadFrom,
) {
  const [status, reason] = test
    ? // what staff try goes the whole way
      ([from.origin === 'test' ? 'received' : 'test', ''] as const)
    : person.suppressed_at !== null || person.restricted_at !== null || suppressedBy(suppressed, offer.id) === 'all'
      ? (['rejected', 'suppressed'] as const)
      : found.verdict === 'rejected'
        ? (['rejected', codesOf(found.parts, 'reject')[0]?.code ?? ''] as const)
        : repeated
          ? (['duplicate', 'repeat'] as const)
          : found.verdict === 'held'
            ? (['held', codesOf(found.parts, 'hold')[0]?.code ?? ''] as const)
            : lacksConsent(offer, input)
              ? (['held', CONSENT_MISSING] as const)
              : (['received', ''] as const)
  const click = input.click_id?.toLowerCase() ?? ''
  // the click it came by; where there is none, or another lead has it already, one is made for it
  let clickId = click
  while (clickId === '' || used.has(clickId))
    clickId = mintClickId({ at: now, offerId: offer.id, affiliateId: from.affiliateId, random: randomInt(2 ** 32) }, keys)
  used.add(clickId)
  // who was forgotten is not kept again
  const forgotten = suppressed.erased && !test
  return {
    person_id: person.id,
    affiliate_id: from.affiliateId,
    offer_id: offer.id,
    landing_id: from.landingId ?? null,
    click_id: clickId,
    external_id: forgotten && tells(input.external_id, told) ? null : (input.external_id ?? null),
    origin: from.origin,
    test,
    status,
    reason,
    told: openlyOf(forgotten ? { ...input, landing_url: '' } : input),
    sealed: forgotten ? null : seal,
    consent: forgotten ? null : (input.consent ?? null),
    country: input.country ?? '',
    integrity: forgotten ? found.parts.map((part) => ({ ...part, detail: {} })) : found.parts,
    integrity_verdict: found.verdict,
    integrity_score: found.score,
    ip_hash: forgotten ? null : found.ip,
    device_hash: forgotten ? null : found.device,
    draw: randomInt(2 ** 32) / 2 ** 32,
    next_try_at: status === 'received' ? new Date(now + GRACE) : null,
    leased_until: status === 'received' && from.lease === true ? new Date(now + LEASE) : null,
    received_at: new Date(now),
    decided_at: status === 'received' || status === 'held' ? null : new Date(now),
    changed_at: new Date(now),
  }
}

/** Whether an id of the affiliate's own holds who it is. */
function tells(externalId = '', told: Told): boolean {
  return maskPerson(told)(externalId) !== externalId
}

/** What a check refused is refused whenever it is sent: by a code, and the field it is about. */
function refusedOr(answer: Received | AppError | undefined): Received | AppError {
  if (answer === undefined) throw new Error('a lead was not answered')
  if (answer instanceof AppError) return answer
  const { status, integrity, integrity_verdict } = answer.session
  return status === 'rejected' && integrity_verdict === 'rejected' ? refusalFor(integrity) : answer
}

function isSame(known: SessionRow, hashes: Pick<Hashes, 'phone' | 'email'>, offerId: number): boolean {
  const alike = (a: Buffer | null, b: Buffer | null) => (a === null || b === null ? a === b : a.equals(b))
  return known.offer_id === offerId && alike(known.phone_hash, hashes.phone) && alike(known.email_hash, hashes.email)
}
