import type { z } from 'zod'
import type { ownAccess } from '#contract/offers/partner-offer.ts'
import { affiliateSetting } from '#contract/people/affiliate-setting.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { tellStaff } from '#server/features/network/notification/tell.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import type { PartnerLandingRow } from '../landing/offer-landing.queries.ts'
import { listGoals, listPayoutRules } from '../offer/goal.queries.ts'
import { presentGoals, stateOf, type ShownGoal } from './partner-offer.present.ts'
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
