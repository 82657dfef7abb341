import { randomBytes, randomInt } from 'node:crypto'
import { INTEGRATION_TYPES } from '#contract/leads/integration-type.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { leadApi, LeadInput } from '#contract/leads/lead.ts'
import { findAddress as findByTables, type FindAddress } from '#server/features/leads/integrity/address-facts.ts'
import { assessLead } from '#server/features/leads/integrity/assess.service.ts'
import { refusalFor } from '#server/features/leads/integrity/refusal.ts'
import { suppressedBy, suppressedFor, suppressionKeys } from '#server/features/leads/suppression/suppressed.service.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { mintClickId, readClickId, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { describeUserAgent } from '#server/rules/click/user-agent.ts'
import { codesOf } from '#server/rules/lead/integrity/judge.ts'
import { passesTarget } from '#server/rules/offer/target.ts'
import { checkLead, type CheckedLead } from './check-lead.ts'
import {
  findExternal,
  findLeadOffer,
  findRecent,
  hadPerson,
  insertSession,
  isClickUsed,
  keepPerson,
  sessions,
  type LeadOffer,
  type SessionRow,
} from './session.queries.ts'
import { KEY_ID, openLeadVault, type Told } from './vault.ts'

/** `findAddress`: what is known of addresses; absent = what the tables say. */
export type LeadParts = { db: Db; secretKey: string | null; findAddress?: FindAddress }
/** `known`: it was sent in before, with the same id and the same person. */
export type Received = { session: SessionRow; known: boolean }

const DAY = 86_400_000
/** Who receives a lead offers it at once; after so long a worker does, who then finds it unclaimed. */
const GRACE = 5_000

/**
 * Takes a lead in: checks it, finds its person and keeps it, in one transaction. Sent again under the same id it is answered as it
 * stands; with another person that is `lead_id_taken`. The same person again within `sameWithin` ms is the same lead.
 * Of origin `test` staff try an offer, whatever its status. Throws `invalid_input`
 * with each wrong field, `lead_offer_closed`, and `lead_refused` where a check of its offer refuses it: then it is kept all the same.
 */
export async function receiveLead(
  { db, secretKey, findAddress = findByTables }: LeadParts,
  now: number,
  from: { affiliateId: number; origin: 'api' | 'landing' | 'test'; landingId?: number | null; sameWithin?: number },
  input: LeadInput,
): Promise<Received> {
  const vault = openLeadVault(secretKey)
  const keys = await loadClickKeys(db, now)
  const received = await db.transaction().execute(async (trx): Promise<Received> => {
    const { offer, checked } = await read(trx, from, input)
    const hashes = {
      phone_hash: checked.phone === '' ? null : vault.hash('phone', checked.phone),
      email_hash: checked.email === '' ? null : vault.hash('email', checked.email),
    }
    if (input.external_id !== undefined) {
      await lockName(trx, `lead ${from.affiliateId} ${input.external_id}`)
      const known = await findExternal(trx, from.affiliateId, input.external_id)
      if (known !== undefined) {
        if (!isSame(known, hashes, offer.id)) throw new AppError('lead_id_taken', { fields: { external_id: 'Another lead has this id' } })
        return { session: known, known: true }
      }
    }
    if (from.sameWithin !== undefined) {
      const [phone, email] = [hashes.phone_hash, hashes.email_hash].map((hash) => hash?.toString('base64') ?? '')
      await lockName(trx, `lead form ${from.affiliateId} ${offer.id} ${phone} ${email}`)
      const asked = { affiliateId: from.affiliateId, offerId: offer.id, since: new Date(now - from.sameWithin) }
      const known = await findRecent(trx, asked, hashes)
      if (known !== undefined) return { session: known, known: true }
    }
    // what was taken in is answered whatever became of the offer since
    if (from.origin !== 'test') refuseClosed(offer, now, input.country)
    refuseStrangeClick(input.click_id, { ...from, offerId: offer.id }, keys)
    const test = input.test === true || from.origin === 'test'
    const told = toldOf(input, checked, offer)
    const assessed = await assessLead(trx, { vault, findAddress, locks: !test }, now, {
      ...checked,
      offerId: offer.id,
      affiliateId: from.affiliateId,
      integrity: offer.integrity,
      input,
    })
    const suppressed = await suppressedFor(trx, suppressionKeys(vault, told), now)
    const person = await keepPerson(
      trx,
      {
        ...hashes,
        key_id: KEY_ID,
        sealed: vault.sealTold(told),
        country: input.country ?? '',
        language: input.language ?? '',
        gender: input.gender ?? 'unknown',
        test,
        suppressed_at: suppressed.contact && !test ? new Date(now) : null,
      },
      now,
    )
    // the row of the person is locked: of two leads of one at once the second waits, and is then the repeated one
    const since = offer.repeat_days === null ? null : new Date(now - offer.repeat_days * DAY)
    const repeated = !test && offer.repeat_days !== 0 && (await hadPerson(trx, offer.id, person.id, since))
    const [status, reason] = test
      ? // what staff try goes the whole way
        ([from.origin === 'test' ? 'received' : 'test', ''] as const)
      : person.suppressed_at !== null || suppressedBy(suppressed, offer.id) === 'all'
        ? (['rejected', 'suppressed'] as const)
        : assessed.verdict === 'rejected'
          ? (['rejected', codesOf(assessed.parts, 'reject')[0]?.code ?? ''] as const)
          : repeated
            ? (['duplicate', 'repeat'] as const)
            : assessed.verdict === 'held'
              ? (['held', codesOf(assessed.parts, 'hold')[0]?.code ?? ''] as const)
              : (['received', ''] as const)
    const open = status === 'received' || status === 'held'
    const clickId = await clickIdOf(trx, now, keys, { ...from, offerId: offer.id }, input.click_id)
    const inserted = await insertSession(trx, {
      person_id: person.id,
      affiliate_id: from.affiliateId,
      offer_id: offer.id,
      landing_id: from.landingId ?? null,
      click_id: clickId,
      external_id: input.external_id ?? null,
      origin: from.origin,
      test,
      status,
      reason,
      told: JSON.stringify(openlyOf(input)),
      sealed: vault.sealTold(told),
      consent: input.consent === undefined ? null : JSON.stringify(input.consent),
      country: input.country ?? '',
      integrity: JSON.stringify(assessed.parts),
      integrity_verdict: assessed.verdict,
      integrity_score: assessed.score,
      ip_hash: assessed.ip,
      device_hash: assessed.device,
      draw: randomInt(2 ** 32) / 2 ** 32,
      next_try_at: status === 'received' ? new Date(now + GRACE) : null,
      received_at: new Date(now),
      decided_at: open ? null : new Date(now),
      changed_at: new Date(now),
    })
    return { session: await sessions(trx).where('s.id', '=', inserted.id).executeTakeFirstOrThrow(), known: false }
  })
  refuseFound(received.session)
  return received
}

/** Refuses what a check refused, whenever it is sent: by a code, and the field it is about. */
function refuseFound({ status, integrity, integrity_verdict }: Pick<SessionRow, 'status' | 'integrity' | 'integrity_verdict'>): void {
  if (status === 'rejected' && integrity_verdict === 'rejected') throw refusalFor(integrity)
}

/** Whether a lead would be taken: what of it is wrong is thrown as by `receiveLead`; keeps nothing. */
export async function tryLead(
  { db, secretKey, findAddress = findByTables }: LeadParts,
  now: number,
  affiliateId: number,
  input: LeadInput,
): Promise<CallOutput<typeof leadApi.check>> {
  const { offer, checked } = await read(db, { affiliateId, origin: 'api' }, input)
  refuseClosed(offer, now, input.country)
  refuseStrangeClick(input.click_id, { affiliateId, offerId: offer.id }, await loadClickKeys(db, now))
  const asked = { ...checked, offerId: offer.id, affiliateId, integrity: offer.integrity, input }
  const { parts, verdict } = await assessLead(db, { vault: openLeadVault(secretKey), findAddress, locks: false }, now, asked)
  if (verdict === 'rejected') throw refusalFor(parts)
  return {
    phone: checked.phone === '' ? null : checked.phone,
    required: [...INTEGRATION_TYPES[offer.type].required],
    held: [...new Set(codesOf(parts, 'hold').map(({ code }) => code))],
  }
}

/** The offer a lead is for and the lead as it is compared; whether the offer takes it now is asked by `refuseClosed`. */
async function read(
  db: Db | Trx,
  { affiliateId, origin }: { affiliateId: number; origin: string },
  input: LeadInput,
): Promise<{ offer: LeadOffer; checked: CheckedLead }> {
  const offer = await findLeadOffer(db, input.offer_uuid, affiliateId)
  // whoever may not know an offer does not learn that it is there; staff try theirs before it is active
  if (offer === undefined || (origin !== 'test' && !hasAccess(offer))) throw new AppError('lead_offer_closed')
  const checked = checkLead(input, offer.type)
  if ('mistakes' in checked) throw new AppError('invalid_input', { fields: checked.mistakes })
  return { offer, checked }
}

function refuseClosed(offer: LeadOffer, now: number, country = ''): void {
  if (!isRunning(offer, now)) throw new AppError('lead_offer_closed')
  if (!passesTarget(offer.targeting.geo, country))
    throw new AppError('invalid_input', { fields: { country: 'This offer takes no leads of this country' } })
}

/** As of links: who is let in. */
function hasAccess({ privacy, access }: LeadOffer): boolean {
  if (access === 'rejected' || access === 'blocked') return false
  return privacy === 'public' || access === 'approved'
}

function isRunning({ status, start_at, stop_at }: LeadOffer, now: number): boolean {
  if (status !== 'active') return false
  return (start_at === null || start_at.getTime() <= now) && (stop_at === null || now < stop_at.getTime())
}

type Hashes = { phone_hash: Buffer | null; email_hash: Buffer | null }

function isSame(known: SessionRow, hashes: Hashes, offerId: number): boolean {
  const alike = (a: Buffer | null, b: Buffer | null) => (a === null || b === null ? a === b : a.equals(b))
  return known.offer_id === offerId && alike(known.phone_hash, hashes.phone_hash) && alike(known.email_hash, hashes.email_hash)
}

const PERSONAL = [
  'first_name',
  'last_name',
  'country',
  'language',
  'gender',
  'birth_date',
  'city',
  'zip',
  'address',
  'ip',
  'user_agent',
  'comment',
] as const

/** What is sealed: all that is said of the person. */
export function toldOf(input: LeadInput, { phone, email }: CheckedLead, { type }: Pick<LeadOffer, 'type'>): Told {
  const password = input.password ?? (INTEGRATION_TYPES[type].needsPassword ? newPassword() : '')
  const own = Object.fromEntries(PERSONAL.map((name) => [name, input[name] ?? '']))
  const fields = Object.fromEntries(Object.entries(input.fields ?? {}).map(([name, value]) => [`fields.${name}`, value]))
  return { ...own, phone, email, password, ...fields }
}

/** What says nothing of who it is. */
export function openlyOf(input: LeadInput): Record<string, unknown> {
  const { os, browser, device } = describeUserAgent(input.user_agent ?? '')
  const subs = Array.from({ length: 10 }, (_, at) => input[`sub${at + 1}` as 'sub1'] ?? '')
  const { tz = '', landing_url = '', funnel = '', source = '' } = input
  return { subs, source, tz, landing_url, funnel, os, browser, device }
}

/** Long enough for anybody's rules: letters of both kinds, digits, a sign. */
function newPassword(): string {
  return `Aa7-${randomBytes(9).toString('base64url')}`
}

type Whose = { affiliateId: number; offerId: number }

/** Refuses a click that is not that affiliate's of that offer, in the same words whosever it is: a stranger's is as unknown as none. */
function refuseStrangeClick(asked = '', { affiliateId, offerId }: Whose, keys: ClickIdKeys): void {
  if (asked === '') return
  const parts = readClickId(asked.toLowerCase(), keys)
  if (parts?.affiliateId !== affiliateId || parts.offerId !== offerId)
    throw new AppError('invalid_input', {
      fields: { click_id: 'This is no click of yours on this offer: send a click id of ours, and one of your own as a sub' },
    })
}

/** The click it came by; where there is none, or another lead has it already, one is made for it. */
async function clickIdOf(trx: Trx, now: number, keys: ClickIdKeys, { affiliateId, offerId }: Whose, asked = ''): Promise<string> {
  const id = asked.toLowerCase()
  if (id !== '') {
    await lockName(trx, `lead click ${id}`)
    if (!(await isClickUsed(trx, id))) return id
  }
  return mintClickId({ at: now, offerId, affiliateId, random: randomInt(2 ** 32) }, keys)
}
