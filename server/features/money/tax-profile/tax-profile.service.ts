import type { z } from 'zod'
import { companySetting, type Company } from '#contract/money/document.ts'
import { toUnits } from '#contract/money/amount.ts'
import type { InvoiceDetail } from '#contract/money/invoice.ts'
import { taxDecision, type taxProfileApi } from '#contract/money/tax-profile.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { getAffiliate, nameOfAffiliate } from '#server/features/people/affiliate/affiliate.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { ownOnly } from '#server/features/people/auth/own-only.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { missingOf, refuseMissing } from './missing.ts'
import { presentOwn, presentProfile } from './tax-profile.present.ts'
import { getProfile, lockProfile, updateProfile, type ProfileRow } from './tax-profile.queries.ts'

type Own = z.output<typeof taxProfileApi.own.response>
type Told = z.output<typeof taxProfileApi.get.response>
type Decision = z.output<typeof taxProfileApi.decide.body>

/** What an affiliate says of itself. */
export async function readOwn(db: Db, actor: Actor): Promise<Own> {
  const [profile, company] = await Promise.all([getProfile(db, affiliateOf(actor)), getSetting(db, companySetting)])
  return presentOwn(profile, company)
}

/** Changes it: by its owner alone. What was agreed to in another name is agreed to no longer. Throws `conflict`. */
export async function saveOwn(
  db: Db,
  now: number,
  actor: Actor,
  { version, ...said }: z.output<typeof taxProfileApi.saveOwn.body>,
): Promise<Own> {
  const affiliateId = affiliateOf(ownOnly(actor))
  return db.transaction().execute(async (trx) => {
    const before = await lockProfile(trx, affiliateId, new Date(now))
    refuseStale(before, version)
    const isAnother = said.name !== before.name || said.country !== before.country || said.vat_id !== before.vat_id
    const undone = isAnother ? { agreed_text: null, agreed_at: null, agreed_from: null, agreed_by: null } : {}
    // whose category was decided for another country or id is decided anew
    const undecided = said.country !== before.country || said.vat_id !== before.vat_id ? { vat_category: null, vies_day: null } : {}
    const after = await updateProfile(trx, affiliateId, new Date(now), { ...said, ...undone, ...undecided })
    await logged(trx, actor, now, 'tax_profile', { before, after })
    return presentOwn(after, await getSetting(trx, companySetting))
  })
}

/** Agrees to self-billing, to the text that was read. Throws `conflict` where the network's is another one by now, `profile_incomplete`. */
export async function agree(db: Db, now: number, actor: Actor, agreement: string): Promise<Own> {
  const affiliateId = affiliateOf(ownOnly(actor))
  return db.transaction().execute(async (trx) => {
    const company = await getSetting(trx, companySetting)
    if (!company.self_billing || company.agreement !== agreement) throw new AppError('conflict')
    const before = await lockProfile(trx, affiliateId, new Date(now))
    refuseMissing(before.name || (await nameOfAffiliate(trx, affiliateId)), missingOf(before, company).own)
    const after = await updateProfile(trx, affiliateId, new Date(now), {
      agreed_text: agreement,
      agreed_at: new Date(now),
      agreed_from: actor.address,
      agreed_by: actor.accountId,
    })
    await logged(trx, actor, now, 'self_billing_agreed', { before, after })
    return presentOwn(after, company)
  })
}

/** How an affiliate is taxed, as staff see it. Throws `not_found`. */
export async function readProfile(db: Db, actor: Actor, key: string): Promise<Told> {
  const { id } = await affiliateIn(db, actor, key)
  const [profile, company] = await Promise.all([getProfile(db, id), getSetting(db, companySetting)])
  return presentProfile(profile, company)
}

/** Decides how an affiliate is taxed. Throws `not_found`, `conflict`, `invalid_input` where what the category needs is missing. */
export async function decide(db: Db, now: number, actor: Actor, key: string, { version, ...decision }: Decision): Promise<Told> {
  const { id } = await affiliateIn(db, actor, key)
  return db.transaction().execute(async (trx) => {
    const before = await lockProfile(trx, id, new Date(now))
    refuseStale(before, version)
    const fields: FieldErrors = {}
    if (decision.vat_category === 'S' && Number(decision.vat_rate) === 0) fields['vat_rate'] = 'More than zero'
    if (decision.vat_category !== 'S' && Number(decision.vat_rate) !== 0) fields['vat_rate'] = 'Only the standard category has a rate'
    if (decision.vat_category === 'E' && decision.exemption === '') fields['exemption'] = 'Required'
    if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
    const after = await updateProfile(trx, id, new Date(now), decision)
    await logged(trx, actor, now, 'tax_decided', { before, after })
    return presentProfile(after, await getSetting(trx, companySetting))
  })
}

type Mode = NonNullable<InvoiceDetail['mode']>
/** How the invoices of an affiliate are written now, and what of VAT stands on a new one. */
export async function billingModeOf(
  db: DbOrTrx,
  affiliateId: number,
): Promise<{
  mode: Mode
  profile: ProfileRow | undefined
  company: Company
  vat: { vat_category: 'S' | 'AE' | 'E' | 'O'; vat_rate: string }
}> {
  const [profile, company] = await Promise.all([getProfile(db, affiliateId), getSetting(db, companySetting)])
  const mode = company.self_billing && profile?.agreed_text === company.agreement ? 'self_billing' : 'statement'
  const category = mode === 'self_billing' ? (profile?.vat_category ?? null) : null
  const vat = { vat_category: category ?? ('O' as const), vat_rate: category === 'S' ? (profile?.vat_rate ?? '0') : '0' }
  return { mode, profile, company, vat }
}

/** Refuses an invoice that would not be one. Throws `profile_incomplete`, naming what is missing. */
export async function requireMode(trx: Trx, invoice: { affiliate_id: number; vat: string }): Promise<Mode> {
  const { mode, profile, company } = await billingModeOf(trx, invoice.affiliate_id)
  if (mode === 'statement') {
    if (Number(invoice.vat) !== 0)
      throw new AppError('profile_incomplete', {
        fields: { vat_category: 'VAT stands on self-billed invoices only: the affiliate has not agreed to them' },
      })
    return mode
  }
  const missing = missingOf(profile, company)
  refuseMissing(profile?.name || (await nameOfAffiliate(trx, invoice.affiliate_id)), [...missing.own, ...missing.decided])
  refuseMissing(company.name || (await getGeneralSettings(trx)).partner_title, missing.company, 'company.')
  return mode
}

type Vat = { vat_category: string; vat_rate: string }

/** Whether two say the same of VAT; a rate counts with the standard category alone. */
export function isSameVat(one: Vat, other: Vat): boolean {
  return one.vat_category === other.vat_category && (one.vat_category !== 'S' || toUnits(one.vat_rate) === toUnits(other.vat_rate))
}

/** A category and its rate, as people write it. */
export function vatWords({ vat_category, vat_rate }: Vat): string {
  return vat_category === 'S' ? `S ${Number(vat_rate)} %` : vat_category
}

async function affiliateIn(db: Db, actor: Actor, key: string) {
  const affiliate = await getAffiliate(db, actor.scope, key)
  if (affiliate === undefined) throw new AppError('not_found')
  return affiliate
}

async function logged(
  trx: Trx,
  actor: Actor,
  now: number,
  action: string,
  { before, after }: { before: ProfileRow; after: ProfileRow },
): Promise<void> {
  await recordAudit(trx, actor, now, {
    action,
    entity: 'affiliate',
    entityId: after.affiliate_id,
    before: loggedOf(before),
    after: loggedOf(after),
  })
}

/** What of a profile the log tells. */
const LOGGED = { name: true, country: true, vat_id: true, registration: true, ...taxDecision, corrections: true }

function loggedOf(profile: ProfileRow) {
  return { ...pickFields(profile, LOGGED), agreed_at: profile.agreed_at?.toISOString() ?? null }
}
