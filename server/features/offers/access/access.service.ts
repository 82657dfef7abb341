import type { z } from 'zod'
import type { accessStatus } from '#contract/offers/offer.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { lockOffer, lockOffers } from '../offer/offer.queries.ts'
import { tellAffiliates, untellAccess } from '#server/features/network/notification/tell.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { findDecidable, saveDecision } from './access.queries.ts'

type AccessStatus = z.output<typeof accessStatus>
type Decision = { status: AccessStatus; expected?: AccessStatus | undefined; reason: string }

/**
 * Decides about affiliates at offers one may change; other entries are passed over, where a status is expected also those that
 * do not stand at it. `pending` lets those who asked wait again. Answers how many changed.
 */
export async function decideAccess(
  db: Db,
  now: number,
  actor: Actor,
  entries: { offer_uuid: string; affiliate_uuid: string }[],
  { expected, ...decision }: Decision,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const offers = await lockOffers(trx, actor.scope, [...new Set(entries.map((entry) => entry.offer_uuid))])
    const deciding = await findDecidable(
      trx,
      actor.scope,
      offers.map((offer) => offer.id),
      entries,
      { status: decision.status, expected },
    )
    const decided = decision.status !== 'pending'
    await saveDecision(trx, deciding, {
      ...decision,
      decided_at: decided ? new Date(now) : null,
      decided_by: decided ? actor.accountId : null,
    })
    await recordAudit(
      trx,
      actor,
      now,
      deciding.map(({ before, offer_id, affiliate_id }) => ({
        action: 'decide_access',
        entity: 'offer',
        entityId: offer_id,
        before: { status: before },
        after: { affiliate_id, ...decision },
      })),
    )
    // a blocked offer does not exist for who is blocked
    if (decision.status === 'pending' || decision.status === 'blocked') await untellAccess(trx, deciding)
    else
      await tellAffiliates(
        trx,
        now,
        deciding.map(({ offer_id, affiliate_id }) => ({
          kind: 'access_decided',
          offerId: offer_id,
          affiliateId: affiliate_id,
          ...decision,
        })),
      )
    await announce(trx, 'offer', [...new Set(deciding.map((entry) => entry.offer_id))])
    return deciding.length
  })
}

/** Lets affiliates in scope into an offer one may change, whether they asked or not. Throws `not_found`. Answers how many are new. */
export async function addAffiliates(db: Db, now: number, actor: Actor, key: string, affiliateUuids: string[]): Promise<number> {
  const offer = await db.transaction().execute((trx) => lockOffer(trx, actor.scope, key))
  if (offer === undefined) throw new AppError('not_found')
  const entries = affiliateUuids.map((affiliate_uuid) => ({ offer_uuid: offer.uuid, affiliate_uuid }))
  return decideAccess(db, now, actor, entries, { status: 'approved', reason: '' })
}
