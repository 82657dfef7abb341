import { randomInt, randomUUID } from 'node:crypto'
import { CONSENT_MISSING } from '#contract/leads/integrity.ts'
import type { LeadInput } from '#contract/leads/lead.ts'
import { findAddress as findByTables, type FindAddress } from '#server/features/leads/integrity/address-facts.ts'
import { assessLeads, hashesOf, type Assessed } from '#server/features/leads/integrity/assess.service.ts'
import type { Hashes } from '#server/features/leads/integrity/integrity.queries.ts'
import { refusalFor } from '#server/features/leads/integrity/refusal.ts'
import { suppressedBy, suppressedForMany, suppressionKeys, type Suppressed } from '#server/features/leads/suppression/suppressed.service.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { lockNames } from '#server/platform/pg/lock.ts'
import { behind, inPipeline, together } from '#server/platform/pg/pipeline.ts'
import { mintClickId, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { maskPerson } from '#server/rules/lead/mask-person.ts'
import { codesOf } from '#server/rules/lead/integrity/judge.ts'
import type { LeasedSession } from '../send/send.queries.ts'
import { locksOf, wavesOf, type Given, type LeadFrom } from './at-once.ts'
import { checkLead } from './check-lead.ts'
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
 * Who is offered a lead first, decided in the transaction that keeps it: asked beside what else is read of the lead, then once it is to be
 * kept; what it answers stands in its row, and `write` writes the send behind that. Null = nobody is.
 */
export type OfferFirst = (trx: Trx, offerId: number, contacts: Pick<Hashes, 'phone' | 'email'>) => Promise<ChooseFirst>
type ChooseFirst = (
  session: Omit<LeasedSession, 'id'>,
  suppressed: Suppressed,
) => Promise<{ leased_until: Date; trace: unknown[]; write(): Promise<void> } | null>

const DAY = 86_400_000
/** Who receives a lead offers it at once; after so long a worker does, who then finds it unclaimed. */
const GRACE = 5_000
/** Where its receiver died before it wrote a send, a lead is free again after so long. */
export const LEASE = 60_000

/**
 * Takes a lead in: checks it, finds its person and keeps it, in one transaction. Sent again under the same id it is answered as it
 * stands; with another person that is `lead_id_taken`. Of origin `test` staff try an offer, whatever its status. Throws `invalid_input`
 * with each wrong field, `lead_offer_closed`, and `lead_refused` where a check of its offer refuses it: then it is kept all the same.
 * `offering`: one that is leased is offered first as it says.
 */
export async function receiveLead(
  parts: LeadParts,
  now: number,
  from: LeadFrom,
  input: LeadInput,
  offering?: OfferFirst,
): Promise<Received> {
  const [answer] = await receiveLeads(parts, now, from, [input], offering)
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
  offering?: OfferFirst,
): Promise<(Received | AppError)[]> {
  const vault = openLeadVault(secretKey)
  const keys = await loadClickKeys(db, now)
  const answers: Answers = new Map()
  await inPipeline(db, async (trx) => {
    const read = await readAll(trx, from, inputs, vault)
    for (const [place, one] of read.entries()) if (one instanceof AppError) answers.set(place, one)
    const given = read.flatMap((one, place) => (one instanceof AppError ? [] : [{ ...one, place }]))
    // all at once and before any row: two batches that share people never wait for each other in a circle
    const names = given.flatMap((one) => locksOf(one, from, given.length > 1))
    // what is asked behind the locks is answered once they are held
    await behind(trx, lockNames(trx, names))
    for (const wave of wavesOf(given, from))
      for (const [place, answer] of await takeIn(trx, { vault, keys, findAddress, offering }, now, from, wave)) answers.set(place, answer)
  })
  return Promise.all(
    inputs.map(async (_input, place) => {
      const answer = answers.get(place)
      return refusedOr(typeof answer === 'function' ? await answer() : answer)
    }),
  )
}

/** By the places of leads; of one that is kept, what says so once its transaction is through. */
type Answers = Map<number, Received | AppError | (() => Promise<Received>)>

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

type Tools = { vault: LeadVault; keys: ClickIdKeys; findAddress: FindAddress; offering?: OfferFirst | undefined }

/** Keeps leads that share neither person, id nor click; answers each by its place. */
async function takeIn(
  trx: Trx,
  { vault, keys, findAddress, offering }: Tools,
  now: number,
  from: LeadFrom,
  wave: readonly Given[],
): Promise<Answers> {
  const answers: Answers = new Map()
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
  const told = open.map(({ input, checked, offer }) => toldOf(input, checked, offer))
  const sealed = told.map((one) => vault.sealTold(one))
  const [assessed, persons, suppressed, used, choose] = await together(
    trx,
    () =>
      assessLeads(
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
      ),
    () =>
      keepPersons(
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
      ),
    // behind the persons, who are locked by then: whoever suppresses or forgets one waits, or was first
    () =>
      suppressedForMany(
        trx,
        told.map((one) => suppressionKeys(vault, one)),
        now,
      ),
    () =>
      usedClicks(
        trx,
        open.flatMap(({ input }) => (input.click_id === undefined || input.click_id === '' ? [] : [input.click_id.toLowerCase()])),
      ),
    // behind the persons too
    async () => (open[0] === undefined || open[0].test ? undefined : offering?.(trx, open[0].offer.id, open[0].hashes)),
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
  // who leases a lead sends it alone
  const [[alone], [listed]] = [rows, suppressed]
  const first =
    choose === undefined || alone === undefined || listed === undefined || alone.leased_until === null
      ? null
      : await choose(offered(alone), listed)
  const inserting = insertSessions(
    trx,
    first === null ? rows : rows.map((row) => ({ ...row, leased_until: first.leased_until, trace: first.trace })),
  )
  await behind(trx, inserting)
  await first?.write()
  for (const [at, { place, offer, hashes }] of open.entries()) answers.set(place, () => kept(rows[at], inserting, offer, hashes))
  return answers
}

/** A session of this moment as it is offered. */
function offered(row: Written) {
  return { ...row, attempts: 0, traffic_type: 'warm' as const, recold_id: null }
}

type Written = ReturnType<typeof rowOf>

/** A lead that is kept, by the number it gets. */
async function kept(
  row: Written | undefined,
  inserting: ReturnType<typeof insertSessions>,
  offer: LeadOffer,
  hashes: Hashes,
): Promise<Received> {
  const id = row && (await inserting).get(row.click_id)
  if (row === undefined || id === undefined) throw new Error('a lead was not written')
  const contacts = { phone_hash: hashes.phone, email_hash: hashes.email }
  const session: SessionRow = { ...row, id, call_status: null, offer_uuid: offer.uuid, ...contacts }
  const leased = row.leased_until === null ? null : { ...offered(row), id }
  return { session, known: false, leased }
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
    uuid: randomUUID(),
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
