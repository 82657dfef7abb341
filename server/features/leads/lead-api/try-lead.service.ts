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
import type { LeadOwner } from './lead-owner.ts'

/** Whether a lead would be taken: what of it is wrong is thrown as by `receiveLead`; keeps nothing. */
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
    phone: checked.phone === '' ? null : checked.phone,
    required: [...INTEGRATION_TYPES[offer.type].required],
    held: [...held],
  }
}
