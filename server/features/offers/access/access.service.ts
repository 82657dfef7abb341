import { z } from 'zod'
import { accessStatus } from '#contract/offers/offer.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { lockOffer, lockOffers } from '../offer/offer.queries.ts'
import { tellAffiliates, untellAccess } from '#server/features/network/notification/tell.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { findDecidable, findDecided, restoreAccess, saveDecision } from './access.queries.ts'

type AccessStatus = z.output<typeof accessStatus>
type Decision = { status: Exclude<AccessStatus, 'pending'>; expected?: AccessStatus | undefined; reason: string }
type Entry = { offer_uuid: string; affiliate_uuid: string }

/**
 * Decides about affiliates at offers one may change; other entries are passed over, where a status is expected also those that
 * do not stand at it. Answers how many changed.
 */
export async function decideAccess(db: Db, now: number, actor: Actor, entries: Entry[], decision: Decision): Promise<number> {
  return db.transaction().execute(async (trx) => (await decideAccessWithin(trx, now, actor, entries, decision)).changed)
}

/** The same inside of a transaction; answers also how many of the offers one may change. */
export async function decideAccessWithin(
  trx: Trx,
  now: number,
  actor: Actor,
  entries: Entry[],
  { expected, ...decision }: Decision,
): Promise<{ changed: number; offers: number }> {
  const offers = await lockOffers(trx, actor.scope, [...new Set(entries.map((entry) => entry.offer_uuid))])
  const deciding = await findDecidable(
    trx,
    actor.scope,
    offers.map((offer) => offer.id),
    entries,
    { status: decision.status, expected },
  )
  const after = { ...decision, decided_at: new Date(now), decided_by: actor.accountId }
  await saveDecision(trx, deciding, after)
  await recordAudit(
    trx,
    actor,
    now,
    deciding.map(({ offer_id, affiliate_id, ...before }) => ({
      action: 'decide_access',
      entity: 'offer',
      entityId: offer_id,
      before: logged(before),
      after: { affiliate_id, ...logged(after) },
    })),
  )
  // a blocked offer does not exist for who is blocked
  if (decision.status !== 'blocked')
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
  return { changed: deciding.length, offers: offers.length }
}

/**
 * Takes decisions of the actor back: each entry is again what it was before, or goes where there was none. Those that were decided or
 * asked for since, by whomever, stay. Throws `conflict` where none is left. Answers how many changed.
 */
export async function undoAccess(db: Db, now: number, actor: Actor, entries: Entry[], decidedAt: Date): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const offers = await lockOffers(trx, actor.scope, [...new Set(entries.map((entry) => entry.offer_uuid))])
    if (offers.length === 0) return 0
    const offerIds = offers.map((offer) => offer.id)
    const decided = await findDecided(trx, offerIds, entries, { decided_at: decidedAt, decided_by: actor.accountId })
    if (decided.length === 0) throw new AppError('conflict')
    const back = decided.map(({ before, ...current }) => ({ current, earlier: { ...current, ...accessBefore.parse(before) } }))
    await restoreAccess(
      trx,
      back.map(({ earlier }) => earlier),
    )
    await recordAudit(
      trx,
      actor,
      now,
      back.map(({ current: { offer_id, affiliate_id, ...current }, earlier }) => ({
        action: 'undo_access',
        entity: 'offer',
        entityId: offer_id,
        before: logged(current),
        after: { affiliate_id, ...logged(earlier) },
      })),
    )
    await untellAccess(trx, decided, decidedAt)
    await announce(trx, 'offer', offerIds)
    return back.length
  })
}

/** What the log holds of an entry before it was decided about: only what the decision changed; no status = there was none. */
const accessBefore = z.object({
  status: accessStatus.nullable(),
  reason: z.string().optional(),
  decided_at: z.coerce.date().nullable().optional(),
  decided_by: z.int().nullable().optional(),
})

type Logged = { status: AccessStatus | null; reason: string | null; decided_at: Date | null; decided_by: number | null }

function logged({ status, reason, decided_at, decided_by }: Logged) {
  return { status, reason: reason ?? '', decided_at: decided_at?.toISOString() ?? null, decided_by }
}

/** Lets affiliates in scope into an offer one may change, whether they asked or not. Throws `not_found`. Answers how many are new. */
export async function addAffiliates(db: Db, now: number, actor: Actor, key: string, affiliateUuids: string[]): Promise<number> {
  const offer = await db.transaction().execute((trx) => lockOffer(trx, actor.scope, key))
  if (offer === undefined) throw new AppError('not_found')
  const entries = affiliateUuids.map((affiliate_uuid) => ({ offer_uuid: offer.uuid, affiliate_uuid }))
  return decideAccess(db, now, actor, entries, { status: 'approved', reason: '' })
}
