import { ERRORS } from '#contract/errors.ts'
import { OFFER_TRANSITIONS, type OfferStatus } from '#contract/offers/offer-fields.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { newToken } from '#server/platform/secret.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { lockOffer, lockOffers } from './offer.queries.ts'
import { refuseUnready } from './offer-check.ts'
import { readOfferForm } from './saved-offer.queries.ts'

type Locked = Awaited<ReturnType<typeof lockOffers>>[number]
type Refused = { uuid: string; id: number; name: string; reason: string }

/**
 * Moves offers one may change to a status; those that have it already are passed over. With a single offer a refusal is
 * thrown (`not_found`, `status_not_allowed`, `base_rule_missing`, `offer_incomplete`); with several the others go on.
 */
export async function changeOfferStatus(
  db: Db,
  now: number,
  actor: Actor,
  uuids: string[],
  status: OfferStatus,
): Promise<{ changed: number; refused: Refused[] }> {
  return db.transaction().execute(async (trx) => {
    const offers = await lockOffers(trx, actor.scope, uuids)
    if (uuids.length === 1 && offers.length === 0) throw new AppError('not_found')
    const refused: Refused[] = []
    const moved: number[] = []
    for (const offer of offers) {
      if (offer.status === status) continue
      try {
        await moveOffer(trx, now, actor, offer, status)
        moved.push(offer.id)
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
    await announce(trx, 'offer', moved)
    return { changed: moved.length, refused }
  })
}

/** Refuses before it writes, so that a refused offer among many leaves nothing behind. */
async function moveOffer(trx: Trx, now: number, actor: Actor, offer: Locked, status: OfferStatus): Promise<void> {
  if (!OFFER_TRANSITIONS[offer.status].includes(status)) throw new AppError('status_not_allowed')
  if (status === 'active') {
    refuseUnready(await readOfferForm(trx, offer.id))
    if (offer.advertiser_status !== 'active')
      throw new AppError('offer_incomplete', { fields: { advertiser_uuid: 'The advertiser is not active' } })
  }
  await trx.updateTable('offer').set({ status }).where('id', '=', offer.id).execute()
  await recordAudit(trx, actor, now, {
    action: 'set_status',
    entity: 'offer',
    entityId: offer.id,
    before: { status: offer.status },
    after: { status },
  })
}

/** Gives an offer one may change a postback token of its own, or takes it away, so that the advertiser's counts. Throws `not_found`. */
export async function renewOfferToken(db: Db, now: number, actor: Actor, key: string, own: boolean): Promise<string | null> {
  return db.transaction().execute(async (trx) => {
    const offer = await lockOffer(trx, actor.scope, key)
    if (offer === undefined) throw new AppError('not_found')
    const token = own ? newToken() : null
    await trx.updateTable('offer').set({ postback_token: token }).where('id', '=', offer.id).execute()
    await recordAudit(trx, actor, now, { action: own ? 'renew_token' : 'drop_token', entity: 'offer', entityId: offer.id })
    return token
  })
}
