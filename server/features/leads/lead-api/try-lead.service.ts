import type { CallOutput } from '#contract/endpoint.ts'
import { INTEGRATION_TYPES } from '#contract/leads/integration-type.ts'
import { CONSENT_MISSING, type RefusalCode } from '#contract/leads/integrity.ts'
import type { leadApi, LeadInput } from '#contract/leads/lead.ts'
import { findAddress as findByTables } from '#server/features/leads/integrity/address-facts.ts'
import { assessLeads } from '#server/features/leads/integrity/assess.service.ts'
import { refusalFor } from '#server/features/leads/integrity/refusal.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { codesOf } from '#server/rules/lead/integrity/judge.ts'
import { lacksConsent, refuseClosed, refuseStrangeClick, refuseWithoutConsent } from '../session/may-send.ts'
import { readAll, type LeadParts } from '../session/receive.service.ts'
import { openLeadVault } from '../session/vault.ts'
import { readCascade } from '../api-offer/cascade.queries.ts'
import { fieldsOf } from '../call/lead-values.ts'
import { firstOpening } from '../send/settle.service.ts'
import type { Given } from '../session/at-once.ts'
import { openlyOf, toldOf } from '../session/told.ts'
import { nextMember, orderOf } from '#server/rules/lead/cascade.ts'
import { neededOf, unsoldReason } from '#server/rules/lead/ways-in.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { LeadOwner } from './lead-owner.ts'

const HOUR = 3_600_000

/** Whether a lead would be offered to somebody: what of it is wrong is thrown as by `receiveLead`; keeps nothing. */
export async function tryLead(
  { db, secretKey, findAddress = findByTables }: LeadParts,
  now: number,
  owner: LeadOwner,
  input: LeadInput,
): Promise<CallOutput<typeof leadApi.check>> {
  const vault = openLeadVault(secretKey)
  const [read] = await readAll(db, { ...owner, origin: 'api' }, [input], vault)
  if (read === undefined || read instanceof AppError) throw read ?? new Error('a lead was not read')
  const { offer, checked } = read
  const { affiliateId } = owner
  refuseClosed(offer, now, input.country)
  refuseWithoutConsent(offer, input)
  refuseStrangeClick(input.click_id, { affiliateId, offerId: offer.id }, await loadClickKeys(db, now))
  const asked = { ...read, ...checked, offerId: offer.id, affiliateId, integrity: offer.integrity }
  const [assessed] = await assessLeads(db, { vault, findAddress }, now, [asked])
  if (assessed === undefined) throw new Error('a lead was not assessed')
  if (assessed.verdict === 'rejected') throw refusalFor(assessed.parts)
  const held = new Set<RefusalCode | typeof CONSENT_MISSING>(codesOf(assessed.parts, 'hold').map(({ code }) => code))
  if (lacksConsent(offer, input)) held.add(CONSENT_MISSING)
  return {
    ...(await takesOf(db, now, affiliateId, read)),
    phone: checked.phone === '' ? null : checked.phone,
    held: [...held],
  }
}

/** Whether somebody would be asked to take it, by what its affiliate may know beforehand. */
async function takesOf(db: Db, now: number, affiliateId: number, { input, offer, checked }: Omit<Given, 'place'>) {
  const cascade = await readCascade(db, offer.id, now)
  const groups = cascade?.groups ?? []
  const members = groups.flatMap((group) => group.members)
  const session = {
    uuid: '',
    click_id: '',
    affiliate_id: affiliateId,
    offer_id: offer.id,
    told: openlyOf(input),
    traffic_type: 'warm' as const,
  }
  const lead = {
    at: now,
    country: input.country ?? '',
    affiliateId,
    sub1: input.sub1 ?? '',
    has: fieldsOf({ ...session, received_at: new Date(now), consent: input.consent ?? null }, toldOf(input, checked, offer)),
    // whom it was offered to and who agreed to be called by whom would tell who the advertisers are, and who is known to them
    seenBy: new Map<number, number>(),
    consentTo: null,
    draw: 0,
  }
  const needed = neededOf(members, affiliateId, lead.country, offer.type)
  const named = {
    required: [...INTEGRATION_TYPES[offer.type].required, ...needed],
    missing: needed.filter((name) => (name !== 'consent' ? !lead.has.has(name) : input.consent === undefined)),
  }
  const { member, trace } = nextMember(orderOf(groups, lead.draw), lead, new Set())
  if (member !== null) return { ...named, takes: 'now' as const, reason: null }
  const opens = firstOpening(trace, now, now + (cascade?.waitHours ?? 0) * HOUR)
  return { ...named, takes: opens === null ? ('nobody' as const) : ('later' as const), reason: unsoldReason(members, lead) }
}
