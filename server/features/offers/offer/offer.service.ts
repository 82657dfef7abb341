import type { z } from 'zod'
import { ACTIVATION_WARNINGS, type ActivationWarning, type offerUpdate } from '#contract/offers/offer-fields.ts'
import { toUnits, type Currency } from '#contract/money/amount.ts'
import { decimalPlaces, finerText, type capChange } from '#contract/offers/offer-cap.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import { refuseTakenExternalId } from '#server/platform/pg/external-id.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import type { Scope } from '#server/access/scope.ts'
import { findAdvertiserId } from '#server/features/people/advertiser/advertiser.queries.ts'
import { currencyDecimals } from '#server/features/money/currency/currency.queries.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { recordAudit, type AuditedChange } from '#server/features/people/audit/audit.service.ts'
import { lockCaps } from '#server/features/traffic/cap/cap.queries.ts'
import { recountCaps } from '#server/features/traffic/cap/cap.service.ts'
import {
  affiliatesIn,
  affiliatesOfMembers,
  leadsOf,
  pricesIn,
  productsFor,
  refuseUnsold,
} from '#server/features/leads/api-offer/lead-parts.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { tellPayouts } from '../partner-offer/payout-notification.service.ts'
import { landingIdsOf, listOfferLandings } from '../landing/offer-landing.queries.ts'
import { affiliateIdsOf, listPayoutRules } from './goal.queries.ts'
import { findOfferId, insertOffer, lockOffer, updateOffer } from './offer.queries.ts'
import { checkOffer, refuseDead, refuseDoubtful, refuseUnready, refuseWidened, type OfferForm } from './offer-check.ts'
import { moveOffers } from './offer-status.service.ts'
import { readOfferForm, replaceParts, type OfferIds } from './saved-offer.service.ts'

export type MadeOffer = { id: number; uuid: string }

/** Makes an offer as a draft. Throws `invalid_input`, `unknown_reference`. */
export async function createOffer(db: Db, now: number, actor: Actor, input: OfferForm): Promise<MadeOffer> {
  const form = checkOffer(input)
  return db.transaction().execute((trx) => makeDraft(trx, now, actor, form, actor.scope, 'create'))
}

/**
 * Replaces an offer one may change, with its landings, goals and payout rows; its status stays. What newly looks like a mistake in an active
 * one has to be confirmed. Throws `not_found`, `conflict`, `status_not_allowed`, `base_rule_missing`, `offer_incomplete`, `offer_doubtful`,
 * `invalid_input`, `unknown_reference`.
 */
export async function changeOffer(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { version, confirm, ...input }: Pick<z.output<typeof offerUpdate>, 'version' | 'confirm'> & OfferForm,
): Promise<void> {
  const form = checkOffer(input)
  await db.transaction().execute(async (trx) => {
    const offer = await lockOfferWithCaps(trx, actor.scope, key)
    // of another type it has another form
    if (offer === undefined || (offer.type === 'api') !== (form.leads !== undefined)) throw new AppError('not_found')
    refuseStale(offer, version)
    if (offer.status === 'archived') throw new AppError('status_not_allowed')
    await replaceOffer(trx, now, actor, offer, form, actor.scope, 'update', confirm)
  })
}

/**
 * Gives one cap of an offer one may change another limit, while it has the expected one, and resumes or pauses the offer with it. Throws `not_found`, `conflict`,
 * `status_not_allowed`, and whatever saving the offer throws.
 */
export async function changeCap(db: Db, now: number, actor: Actor, key: string, change: z.output<typeof capChange>): Promise<void> {
  const { offer: status } = change
  await db.transaction().execute(async (trx) => {
    const offer = await lockOfferWithCaps(trx, actor.scope, key)
    if (offer === undefined) throw new AppError('not_found')
    if (offer.status === 'archived') throw new AppError('status_not_allowed')
    const form = await readOfferForm(trx, offer.id)
    const at = form.caps.findIndex((cap) => cap.period === change.period && cap.scope === change.scope && cap.measure === change.measure)
    const cap = form.caps[at]
    if (cap === undefined || toUnits(cap.limit) !== toUnits(change.expected)) throw new AppError('conflict')
    if (change.measure === 'payout') await refuseFiner(trx, form.currency, change.limit)
    const caps = form.caps.with(at, { ...cap, limit: change.limit })
    await replaceOffer(trx, now, actor, offer, { ...form, caps }, { kind: 'all' }, 'update')
    if (status === undefined) return
    // it was active until the cap paused it, whatever there is to confirm about that
    const expected = status === 'active' ? 'paused' : 'active'
    await moveOffers(trx, now, actor, { uuids: [offer.uuid], status, expected, confirm: ACTIVATION_WARNINGS })
  })
}

/** Refuses a limit of more decimals than its currency has. Throws `invalid_input`. */
async function refuseFiner(trx: Trx, currency: Currency, limit: string): Promise<void> {
  const most = await currencyDecimals(trx, currency)
  if (decimalPlaces(limit) > most) throw new AppError('invalid_input', { fields: { limit: finerText(most) } })
}

/** Locks an offer one may change so that its caps may change too: no conversion of it is being written meanwhile. */
export async function lockOfferWithCaps(trx: Trx, scope: Scope, key: string): ReturnType<typeof lockOffer> {
  const id = await findOfferId(trx, scope, key)
  if (id === undefined) return undefined
  await lockCaps(trx, id)
  return lockOffer(trx, scope, String(id))
}

/**
 * Saves a form over an offer locked by `lockOfferWithCaps`. `trusted` are the affiliates and landings the form may newly refer to; what the offer
 * refers to already stays allowed. Another advertiser must be in the actor's own scope, whoever had chosen it before.
 * `confirmed` is what may look like a mistake: all of it where an earlier state is taken back.
 */
export async function replaceOffer(
  trx: Trx,
  now: number,
  actor: Actor,
  offer: { id: number; type: 'direct' | 'api'; status: string; updated_at: Date; version: number; advertiser_id: number | null },
  form: OfferForm,
  trusted: Scope,
  action: 'update' | 'undo',
  confirmed: readonly ActivationWarning[] = ACTIVATION_WARNINGS,
): Promise<void> {
  if (offer.status === 'active') refuseUnready({ ...form, type: offer.type })
  const before = await readOfferForm(trx, offer.id)
  const doubted = doubtedOf(offer, before, await listOfferLandings(trx, [offer.id]), await membersOf(trx, offer))
  // taking a change back may: everybody is what the row was for
  if (action === 'update') {
    refuseWidened(before, form)
    refuseDead(before, form)
  }
  const advertiserId = await advertiserFor(trx, form.advertiser_uuid === before.advertiser_uuid ? { kind: 'all' } : actor.scope, form)
  const known = (await listPayoutRules(trx, [offer.id])).flatMap((rule) => rule.affiliate_ids)
  const ids = await idsFor(trx, trusted, form, known, { offerId: offer.id, advertiserId })
  await requireCurrency(trx, form.currency)
  if (action === 'update') await refuseTakenExternalId(trx, 'offer', form.external_id, { id: offer.id, external_id: before.external_id })
  await updateOffer(trx, now, offer, form, advertiserId)
  await replaceParts(trx, offer.id, form, ids, now)
  const after = await readOfferForm(trx, offer.id)
  if (offer.status === 'active') {
    const members = await membersOf(trx, offer)
    if (offer.type === 'api') refuseUnsold(members)
    refuseDoubtful(doubtedOf(offer, after, await listOfferLandings(trx, [offer.id]), members), confirmed, doubted)
  }
  const counted = ({ caps, time_zone: zone, currency }: OfferForm) => ({ caps, zone, currency })
  if (!sameJson(counted(before), counted(after))) await recountCaps(trx, offer.id, now)
  await recordAudit(trx, actor, now, [
    { action, entity: 'offer', entityId: offer.id, before, after },
    ...(form.advertiser_uuid === before.advertiser_uuid || advertiserId === null ? [] : movesOf(offer, advertiserId)),
  ])
  if (offer.status !== 'draft') await tellPayouts(trx, now, actor.accountId, offer, before, after)
  await announce(trx, 'offer', [offer.id])
}

/** What the logs of two advertisers say of an offer that left one for the other. */
function movesOf({ id: offer_id, advertiser_id: from }: { id: number; advertiser_id: number | null }, to: number): AuditedChange[] {
  return [
    ...(from === null ? [] : [{ action: 'offer_left', entity: 'advertiser' as const, entityId: from, before: { offer_id } }]),
    { action: 'offer_came', entity: 'advertiser', entityId: to, after: { offer_id } },
  ]
}

/** Makes a draft with the same landings, goals and payout rows as an offer one may change. Throws `not_found`. */
export async function duplicateOffer(db: Db, now: number, actor: Actor, key: string): Promise<MadeOffer> {
  return db.transaction().execute(async (trx) => {
    const source = await lockOffer(trx, actor.scope, key)
    if (source === undefined) throw new AppError('not_found')
    const form = await readOfferForm(trx, source.id)
    // links of another platform lead to the one they led to
    const copy = {
      ...form,
      external_id: '',
      title: `${form.title.slice(0, 140)} (copy)`,
      goals: form.goals.map(({ uuid: _uuid, ...goal }) => goal),
    }
    return makeDraft(trx, now, actor, copy, { kind: 'all' }, 'duplicate', source.id)
  })
}

async function makeDraft(
  trx: Trx,
  now: number,
  actor: Actor,
  form: OfferForm,
  trusted: Scope,
  action: 'create' | 'duplicate',
  sourceId: number | null = null,
): Promise<MadeOffer> {
  const advertiserId = await advertiserFor(trx, trusted, form)
  const ids = await idsFor(trx, trusted, form, [], { offerId: sourceId, advertiserId })
  await requireCurrency(trx, form.currency)
  await refuseTakenExternalId(trx, 'offer', form.external_id, null)
  const offer = await insertOffer(trx, now, form, advertiserId)
  const goals = form.goals.map(({ uuid: _uuid, ...goal }) => goal)
  await replaceParts(trx, offer.id, { ...form, goals }, ids, now)
  await recordAudit(trx, actor, now, { action, entity: 'offer', entityId: offer.id, after: await readOfferForm(trx, offer.id) })
  await announce(trx, 'offer', [offer.id])
  return offer
}

async function advertiserFor(trx: DbOrTrx, trusted: Scope, form: OfferForm): Promise<number | null> {
  if (form.leads !== undefined || form.advertiser_uuid === null) return null
  const id = await findAdvertiserId(trx, trusted, form.advertiser_uuid)
  if (id === undefined) throw new AppError('unknown_reference', { fields: { advertiser_uuid: 'Choose an advertiser of yours' } })
  return id
}

/** The affiliates and landings a form names: those in scope, and those the offer has already. Throws `unknown_reference`. */
async function idsFor(
  trx: DbOrTrx,
  trusted: Scope,
  form: OfferForm,
  known: number[],
  where: { offerId: number | null; advertiserId: number | null },
): Promise<OfferIds> {
  const rows = form.goals.flatMap((goal) => goal.rules.flatMap((rule) => rule.affiliate_uuids))
  const terms = affiliatesIn(form.leads)
  const had = where.offerId === null ? [] : await affiliatesOfMembers(trx, where.offerId)
  const affiliates = await affiliateIdsOf(trx, trusted, [...new Set([...rows, ...terms])], [...known, ...had])
  const { leads, currency, goals } = form
  const products =
    leads === undefined ? new Map<string, number>() : await productsFor(trx, trusted, leads, { id: where.offerId, currency, goals })
  const landingUuids = form.landings.map((landing) => landing.landing_uuid)
  const landings = await landingIdsOf(trx, trusted, landingUuids, where)
  const fields: FieldErrors = {}
  form.landings.forEach(({ landing_uuid }, index) => {
    if (!landings.has(landing_uuid)) fields[`landings.${index}.landing_uuid`] = 'This offer may not have this landing: remove it'
  })
  form.goals.forEach((goal, index) =>
    goal.rules.forEach((rule, position) => {
      if (rule.affiliate_uuids.some((uuid) => !affiliates.has(uuid)))
        fields[`goals.${index}.rules.${position}.affiliate_uuids`] = 'Choose affiliates of yours'
      if (rule.landing_uuids.some((uuid) => landings.get(uuid)?.type === 'prelanding'))
        fields[`goals.${index}.rules.${position}.landing_uuids`] = 'Payouts go by landings, not by pre-landings'
    }),
  )
  form.leads?.groups.forEach((group, at) =>
    group.members.forEach((member, place) => {
      if (member.affiliates.affiliate_uuids.some((uuid) => !affiliates.has(uuid)))
        fields[`groups.${at}.members.${place}.affiliates.affiliate_uuids`] = 'Choose affiliates of yours'
    }),
  )
  if (Object.keys(fields).length > 0) throw new AppError('unknown_reference', { fields })
  return { affiliates, landings, products }
}

/** What may look like a mistake of an offer; of one of leads what its products pay. */
function doubtedOf(
  { type }: { type: 'direct' | 'api' },
  form: OfferForm,
  landings: Awaited<ReturnType<typeof listOfferLandings>>,
  members: Parameters<typeof pricesIn>[0],
): Parameters<typeof refuseDoubtful>[0] {
  return { ...form, type, landings, prices: pricesIn(members) }
}

/** Whom an offer gives its leads to as it is stored; nobody where it takes none. */
async function membersOf(trx: Trx, { id, type }: { id: number; type: 'direct' | 'api' }) {
  return type === 'api' ? (await leadsOf(trx, [id]))(id) : []
}
