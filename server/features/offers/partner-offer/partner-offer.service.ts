import type { z } from 'zod'
import type { ownAccess, partnerOfferDetail } from '#contract/offers/partner-offer.ts'
import { affiliateSetting } from '#contract/people/affiliate-setting.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { tellStaff } from '#server/features/network/notification/tell.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import type { GeoChoices } from '#server/platform/geo/choices.ts'
import { ownCapLevels } from '#server/features/traffic/cap/level.service.ts'
import { linkDomainsOf, type Addresses } from '#server/features/network/domain/address.service.ts'
import { listPartnerLandings, type PartnerLandingRow } from '../landing/offer-landing.queries.ts'
import { networkNames } from '../offer/network-names.ts'
import { listGoals, listPayoutRules } from '../offer/goal.queries.ts'
import { presentGoals, presentPartnerOfferDetail, stateOf, type ShownGoal } from './partner-offer.present.ts'
import { getPartnerOffer, saveRequest } from './partner-offer.queries.ts'

/** The goals an affiliate may know of with the terms that result for it, by offer: two statements for a whole page. */
export async function goalsOf(
  db: Db,
  offerIds: number[],
  affiliateId: number,
  landings: PartnerLandingRow[] = [],
): Promise<Map<number, ShownGoal[]>> {
  const [goals, rules] = await Promise.all([listGoals(db, offerIds), listPayoutRules(db, offerIds)])
  return presentGoals(goals, rules, affiliateId, landings)
}

/** One offer as an affiliate may see it, by uuid or number. Throws `not_found`. */
export async function showPartnerOffer(
  { db, geoChoices, config }: { db: Db; geoChoices: GeoChoices; config: Addresses },
  now: number,
  affiliateId: number,
  key: string,
): Promise<z.input<typeof partnerOfferDetail>> {
  const row = await getPartnerOffer(db, affiliateId, key)
  if (row === undefined) throw new AppError('not_found')
  // those who may not send visitors have nothing to ask a link for
  const landings = await listPartnerLandings(db, affiliateId, row.id)
  const goals = (await goalsOf(db, [row.id], affiliateId, landings)).get(row.id) ?? []
  const caps = await ownCapLevels(db, now, row, affiliateId)
  const shown = presentPartnerOfferDetail(row, goals, landings, caps, await networkNames(geoChoices, [row.targeting]), now)
  return { ...shown, track_domains: (await linkDomainsOf(db, config, affiliateId)).hostsFor(row.id) }
}

/** Asks for access to an offer; asking again changes nothing. Throws `not_found`, `access_closed`. */
export async function requestAccess(db: Db, now: number, actor: Actor, key: string, message: string): Promise<z.output<typeof ownAccess>> {
  const affiliateId = affiliateOf(actor)
  return db.transaction().execute(async (trx) => {
    const offer = await getPartnerOffer(trx, affiliateId, key)
    if (offer === undefined) throw new AppError('not_found')
    if (['stopped', 'over'].includes(stateOf(offer, now))) throw new AppError('access_closed')
    // at a public offer only staff can take a rejection back: a request would open it again
    if (offer.access === 'rejected' && offer.privacy !== 'premoderation') throw new AppError('access_closed')
    if (offer.access !== 'none' && offer.access !== 'rejected') return offer.access
    if (message.trim() === '' && (await getSetting(trx, affiliateSetting)).access_message)
      throw new AppError('invalid_input', { fields: { message: 'Say how you will promote this offer' } })
    if (await saveRequest(trx, offer.id, affiliateId, message, now)) {
      await recordAudit(trx, actor, now, {
        action: 'request_access',
        entity: 'offer',
        entityId: offer.id,
        after: { affiliate_id: affiliateId, message },
      })
      await tellStaff(trx, now, [{ kind: 'access_requested', offerId: offer.id, affiliateId }], {
        side: 'advertiser',
        permission: 'offer.write',
        but: null,
      })
      await announce(trx, 'offer', [offer.id])
    }
    const after = await getPartnerOffer(trx, affiliateId, key)
    if (after === undefined) throw new AppError('not_found')
    return after.access
  })
}
