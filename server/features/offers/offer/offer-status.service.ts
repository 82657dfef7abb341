import { ERRORS } from '#contract/errors.ts'
import type { StatusChange } from '#contract/fields.ts'
import { OFFER_TRANSITIONS, type ActivationWarning, type OfferStatus } from '#contract/offers/offer-fields.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { newToken } from '#server/platform/secret.ts'
import { recordAudit, statusChanges } from '#server/features/people/audit/audit.service.ts'
import { tellApproved } from '#server/features/network/notification/tell.queries.ts'
import { leadsOf, pricesIn, refuseUnsold } from '#server/features/leads/api-offer/lead-parts.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { listOfferLandings } from '../landing/offer-landing.queries.ts'
import { listGoals, listPayoutRules } from './goal.queries.ts'
import { deleteOffer, lockOffer, lockOffers, setOfferStatus, setPostbackToken } from './offer.queries.ts'
import { readOfferForm } from './saved-offer.service.ts'
import { refuseDoubtful, refuseUnready } from './offer-check.ts'

type Locked = Awaited<ReturnType<typeof lockOffers>>[number]
type Refused = { uuid: string; id: number; name: string; reason: string }
type OfferMove = StatusChange<OfferStatus> & { confirm: readonly ActivationWarning[] }
type Moved = { changed: number; refused: Refused[] }

/**
 * Moves offers one may change to a status; those that have it already, or not the expected one, are passed over. With a single offer a refusal is
 * thrown (`not_found`, `status_not_allowed`, `base_rule_missing`, `offer_incomplete`, `offer_doubtful`); with several the others go on.
 */
export function changeOfferStatus(db: Db, now: number, actor: Actor, move: OfferMove): Promise<Moved> {
  return db.transaction().execute((trx) => moveOffers(trx, now, actor, move))
}

/** The same within a transaction of something else. */
export async function moveOffers(trx: Trx, now: number, actor: Actor, { uuids, status, expected, confirm }: OfferMove): Promise<Moved> {
  const offers = await lockOffers(trx, actor.scope, uuids)
  if (uuids.length === 1 && offers.length === 0) throw new AppError('not_found')
  const refused: Refused[] = []
  const moved: Locked[] = []
  const activated = status === 'active' ? offers.map(({ id }) => id) : []
  const goals = await goalsOf(trx, activated)
  const leads = await leadsOf(trx, activated)
  const landings = Map.groupBy(await listOfferLandings(trx, activated), (row) => row.offer_id)
  for (const offer of offers) {
    if (offer.status === status || (expected !== undefined && offer.status !== expected)) continue
    try {
      refuseMove(offer, goals(offer.id), status)
      if (status === 'active') {
        const own = leads(offer.id)
        if (offer.type === 'api') refuseUnsold(own)
        const parts = { goals: goals(offer.id), landings: landings.get(offer.id) ?? [], prices: pricesIn(own) }
        refuseDoubtful({ ...offer, ...parts }, confirm)
      }
      moved.push(offer)
    } catch (error) {
      if (uuids.length === 1 || !(error instanceof AppError)) throw error
      refused.push({
        uuid: offer.uuid,
        id: offer.id,
        name: offer.title,
        reason: Object.values(error.fields ?? {})[0] ?? ERRORS[error.code].text,
      })
    }
  }
  const ids = moved.map(({ id }) => id)
  await setOfferStatus(trx, ids, status)
  await recordAudit(trx, actor, now, statusChanges('offer', moved, status))
  if (status === 'paused')
    await tellApproved(
      trx,
      now,
      ids.map((id) => ({ kind: 'offer_paused', offerId: id })),
    )
  await announce(trx, 'offer', ids)
  return { changed: moved.length, refused }
}

function refuseMove(offer: Locked, goals: Goals, status: OfferStatus): void {
  if (!OFFER_TRANSITIONS[offer.status].includes(status)) throw new AppError('status_not_allowed')
  if (status !== 'active') return
  refuseUnready({ ...offer, goals })
  if (offer.type === 'direct' && offer.advertiser_status !== 'active')
    throw new AppError('offer_incomplete', { fields: { advertiser_uuid: 'The advertiser is not active' } })
}

type Goals = (Parameters<typeof refuseUnready>[0]['goals'][number] & Parameters<typeof refuseDoubtful>[0]['goals'][number])[]

/** The goals of offers with whom and what their payout rows are for. */
async function goalsOf(trx: Trx, offerIds: number[]): Promise<(offerId: number) => Goals> {
  const rules = Map.groupBy(await listPayoutRules(trx, offerIds), (rule) => rule.goal_id)
  const goals = Map.groupBy(await listGoals(trx, offerIds), (goal) => goal.offer_id)
  return (offerId) =>
    (goals.get(offerId) ?? []).map(({ id, code }) => ({
      code,
      rules: (rules.get(id) ?? []).map((rule) => ({ ...rule, affiliate_uuids: rule.affiliate_ids, landing_uuids: rule.landing_ids })),
    }))
}

/** Deletes a draft one may change for good: nobody ever saw it. Throws `not_found`, `status_not_allowed`. */
export async function removeDraft(db: Db, now: number, actor: Actor, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const offer = await lockOffer(trx, actor.scope, key)
    if (offer === undefined) throw new AppError('not_found')
    if (offer.status !== 'draft') throw new AppError('status_not_allowed')
    const before = await readOfferForm(trx, offer.id)
    await deleteOffer(trx, offer.id)
    await recordAudit(trx, actor, now, { action: 'delete', entity: 'offer', entityId: offer.id, before })
    await announce(trx, 'offer', [offer.id])
  })
}

/** Gives an offer one may change a postback token of its own, or takes it away, so that the advertiser's counts. Throws `not_found`. */
export async function renewOfferToken(db: Db, now: number, actor: Actor, key: string, own: boolean): Promise<string | null> {
  return db.transaction().execute(async (trx) => {
    const offer = await lockOffer(trx, actor.scope, key)
    if (offer === undefined) throw new AppError('not_found')
    const token = own ? newToken() : null
    await setPostbackToken(trx, offer.id, token)
    await recordAudit(trx, actor, now, { action: own ? 'renew_token' : 'drop_token', entity: 'offer', entityId: offer.id })
    return token
  })
}
