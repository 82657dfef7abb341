import { z } from 'zod'
import type { landingApi, landingInput, landingUpdate } from '#contract/offers/landing.ts'
import type { StatusChange } from '#contract/fields.ts'
import { MOST_OFFER_LANDINGS, type LandingStatus } from '#contract/offers/offer-landing.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { findAdvertiserId } from '#server/features/people/advertiser/advertiser.queries.ts'
import { lastOwn, recordAudit } from '#server/features/people/audit/audit.service.ts'
import { showPicture } from '#server/features/network/file/file.service.ts'
import { tellProposers, untellLandings } from '#server/features/network/notification/tell.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { affiliateIdsOf } from '../offer/goal.queries.ts'
import { lockOffer, touchOffer } from '../offer/offer.queries.ts'
import { checkLandingAddress } from './landing-address.ts'
import {
  getLanding,
  insertLanding,
  knownLandings,
  lockLandings,
  offersOfLanding,
  updateLandings,
  type LandingRow,
} from './landing.queries.ts'
import { addOfferLanding, countOfferLandings, isPartnerLanding, offersWith } from './offer-landing.queries.ts'

type Input = z.output<typeof landingInput>
type Proposal = z.output<typeof landingApi.propose.body>

/** Makes an active landing and answers its uuid. Throws `invalid_input`, `unknown_reference`. */
export async function createLanding(db: Db, now: number, actor: Actor, input: Input): Promise<string> {
  checkLandingAddress(input.url)
  return db.transaction().execute(async (trx) => {
    const columns = await writtenColumns(trx, actor, input, null)
    return (await addLanding(trx, now, actor, { ...columns, status: 'active', proposed_by: null }, input)).uuid
  })
}

/** Changes a landing; its status stays. Throws `not_found`, `conflict`, `invalid_input`, `unknown_reference`. */
export async function updateLanding(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { version, ...input }: z.output<typeof landingUpdate>,
): Promise<void> {
  checkLandingAddress(input.url)
  await db.transaction().execute(async (trx) => {
    const before = await getLanding(trx, actor.scope, key, true)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    const columns = await writtenColumns(trx, actor, input, before)
    await refuseOffersToLose(trx, before, columns)
    await showPicture(trx, now, actor, { kind: 'landing', ownerId: before.id, uuid: input.preview, field: 'preview' })
    // another address is another page: nothing is known of it yet
    const unseen =
      input.url === before.url ? {} : { failures: 0, checked_at: null, check_status: null, check_error: '', next_check_at: new Date(now) }
    await updateLandings(trx, [before.id], { ...columns, ...unseen })
    await recordAudit(trx, actor, now, { action: 'update', entity: 'landing', entityId: before.id, before, after: columns })
    await announce(trx, 'landing', [before.id])
  })
}

/**
 * Gives landings one status, where one is expected only those that stand there. Answers how many changed. One that waits is stopped or
 * deleted by a decision only, and what was let in waits for none any more: throws `status_not_allowed`.
 */
export function changeLandingStatus(
  db: Db,
  now: number,
  actor: Actor,
  { uuids, status, expected }: StatusChange<LandingStatus>,
): Promise<number> {
  const mayMove = (landing: { status: LandingStatus }) => {
    if (landing.status === status || (expected !== undefined && landing.status !== expected)) return false
    if (landing.status === 'active' && status === 'moderation') throw new AppError('status_not_allowed')
    return true
  }
  // why it was turned down is no longer true
  return moveLandings(db, now, actor, uuids, 'set_status', mayMove, status === 'active' ? { status, reason: '' } : { status })
}

/** Lets landings that wait in, or turns them down with a reason; others are passed over. Answers how many changed. */
export function decideLandings(db: Db, now: number, actor: Actor, uuids: string[], approve: boolean, reason: string): Promise<number> {
  const decision = { status: approve ? ('active' as const) : ('stopped' as const), reason }
  return moveLandings(db, now, actor, uuids, 'decide', (landing) => landing.status === 'moderation', decision)
}

/** Lets landings wait again about which the actor decided, and nobody changed anything since; others are passed over. Answers how many changed. */
export function undoLandings(db: Db, now: number, actor: Actor, uuids: string[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const locked = await lockLandings(trx, actor.scope, uuids)
    const back = await lastOwn(trx, actor, 'landing', locked, { action: 'decide', before: z.unknown() })
    const ids = back.map(({ id }) => id)
    await updateLandings(trx, ids, { status: 'moderation', reason: '' })
    const after = { status: 'moderation', reason: '' }
    await recordAudit(
      trx,
      actor,
      now,
      back.map(({ id, status, reason }) => ({ action: 'undo', entity: 'landing', entityId: id, before: { status, reason }, after })),
    )
    await untellLandings(trx, ids)
    const offers = await offersWith(trx, ids)
    await recordAudit(
      trx,
      actor,
      now,
      offers.map(({ offer_id, uuid }) => ({
        action: 'reopen_landing',
        entity: 'offer',
        entityId: offer_id,
        after: { landing_uuid: uuid },
      })),
    )
    await announce(trx, 'landing', ids)
    return ids.length
  })
}

/**
 * Puts a new landing, which waits for a decision, into an offer one may change; it belongs to the offer's advertiser.
 * Throws `not_found`, `status_not_allowed`, `limit_reached`, `invalid_input`, `unknown_reference`.
 */
export async function proposeLanding(db: Db, now: number, actor: Actor, offerKey: string, { weight, ...proposal }: Proposal) {
  checkLandingAddress(proposal.url)
  return db.transaction().execute(async (trx) => {
    const offer = await lockOffer(trx, actor.scope, offerKey)
    if (offer === undefined) throw new AppError('not_found')
    if (offer.status === 'archived') throw new AppError('status_not_allowed')
    // more could not be saved with the offer any more
    if ((await countOfferLandings(trx, offer.id)) >= MOST_OFFER_LANDINGS) throw new AppError('limit_reached')
    const columns = { ...proposal, advertiser_id: offer.advertiser_id, status: 'moderation' as const, proposed_by: actor.accountId }
    const made = await addLanding(trx, now, actor, columns, { ...proposal, offer_id: offer.id })
    await addOfferLanding(trx, offer.id, made.id, weight)
    // whoever has the offer open must not save the proposal away
    const version = await touchOffer(trx, now, offer)
    await recordAudit(trx, actor, now, {
      action: 'propose_landing',
      entity: 'offer',
      entityId: offer.id,
      after: { landing_uuid: made.uuid },
    })
    await announce(trx, 'offer', [offer.id])
    return { ...made, name: proposal.name, version }
  })
}

/** Whether somebody may see what a landing looks like: staff who see offers, unless it is private to strangers; affiliates who may send visitors to it. */
export async function maySeeLanding(db: Db, actor: Actor, landingId: number): Promise<boolean> {
  if (actor.scope.kind === 'affiliate') return isPartnerLanding(db, actor.scope.affiliateId, landingId)
  return may(actor, 'offer.read') && (await knownLandings(db, actor.scope, [landingId])).size > 0
}

type Columns = Partial<Awaited<ReturnType<typeof writtenColumns>>> & Pick<Input, 'name' | 'url' | 'type' | 'preview'>

async function addLanding(
  trx: Trx,
  now: number,
  actor: Actor,
  { preview, ...columns }: Columns & { status: LandingStatus; proposed_by: number | null },
  after: object,
): Promise<{ id: number; uuid: string }> {
  const at = new Date(now)
  const made = await insertLanding(trx, { ...columns, created_at: at, next_check_at: at })
  await showPicture(trx, now, actor, { kind: 'landing', ownerId: made.id, uuid: preview, field: 'preview' })
  await updateLandings(trx, [made.id], { preview })
  await recordAudit(trx, actor, now, {
    action: columns.status === 'moderation' ? 'propose' : 'create',
    entity: 'landing',
    entityId: made.id,
    after,
  })
  return made
}

/** The columns a form fills. What the landing refers to already stays allowed. */
async function writtenColumns(trx: Trx, actor: Actor, { advertiser_uuid, affiliate_uuids, ...columns }: Input, before: LandingRow | null) {
  const affiliates = await affiliateIdsOf(trx, actor.scope, affiliate_uuids, before?.affiliate_ids ?? [])
  if (affiliates.size < new Set(affiliate_uuids).size)
    throw new AppError('unknown_reference', { fields: { affiliate_uuids: 'Choose affiliates of yours' } })
  return { ...columns, affiliate_ids: [...affiliates.values()], advertiser_id: await advertiserFor(trx, actor, advertiser_uuid, before) }
}

/** Payout rows and the split of offers hold for landings of a type and an advertiser. Throws `invalid_input`. */
async function refuseOffersToLose(
  trx: Trx,
  before: LandingRow,
  after: { type: LandingRow['type']; advertiser_id: number | null },
): Promise<void> {
  const owner = after.advertiser_id
  if (after.type === before.type && (owner === null || owner === before.advertiser_id)) return
  const offers = await offersOfLanding(trx, before.id)
  const others = owner === null ? [] : offers.filter((offer) => offer.advertiser_id !== owner)
  const fields: FieldErrors = {}
  if (after.type !== before.type && offers.length > 0) fields['type'] = `The type stays while offers use it: ${namesOf(offers)}`
  if (others.length > 0) fields['advertiser_uuid'] = `Offers of another advertiser use it: ${namesOf(others)}`
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}

/** The first of some rows by number and name, and how many more there are. */
function namesOf(rows: { id: number; name: string }[]): string {
  const more = rows.length > 5 ? [`+${rows.length - 5}`] : []
  return [...rows.slice(0, 5).map(({ id, name }) => `${id} ${name}`), ...more].join(', ')
}

async function advertiserFor(trx: Trx, actor: Actor, uuid: string | null, before: LandingRow | null): Promise<number | null> {
  if (uuid === null) return null
  if (uuid === before?.advertiser?.uuid) return before.advertiser_id
  const id = await findAdvertiserId(trx, actor.scope, uuid)
  if (id === undefined) throw new AppError('unknown_reference', { fields: { advertiser_uuid: 'Choose an advertiser of yours' } })
  return id
}

/** Gives the landings among these that may move one status. What is decided of one that waited stands in the history of its offers too. */
async function moveLandings(
  db: Db,
  now: number,
  actor: Actor,
  uuids: string[],
  action: string,
  mayMove: (landing: { status: LandingStatus }) => boolean,
  after: { status: LandingStatus; reason?: string },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const moving = (await lockLandings(trx, actor.scope, uuids)).filter(mayMove)
    const waiting = moving.filter((landing) => landing.status === 'moderation')
    // whoever proposed it must learn why
    if (action === 'set_status' && after.status !== 'active' && waiting.length > 0)
      throw new AppError('status_not_allowed', { fields: { uuids: `Decide first about: ${namesOf(waiting)}` } })
    const ids = moving.map(({ id }) => id)
    await updateLandings(trx, ids, after)
    // what was said when one was let in is no reason why it stopped
    const left = moving.filter(({ status }) => status === 'active')
    await updateLandings(
      trx,
      left.map(({ id }) => id),
      { reason: '' },
    )
    await recordAudit(
      trx,
      actor,
      now,
      moving.map(({ id, name: _name, ...before }) => ({ action, entity: 'landing', entityId: id, before, after })),
    )
    const waited = moving.filter(({ status }) => status === 'moderation')
    const decision = after.status === 'active' ? 'approve_landing' : 'reject_landing'
    await tellProposers(
      trx,
      now,
      waited.map(({ id }) => ({ kind: 'landing_decided', landingId: id, status: after.status, reason: after.reason ?? '' })),
      actor.accountId,
    )
    const offers = await offersWith(
      trx,
      waited.map(({ id }) => id),
    )
    await recordAudit(
      trx,
      actor,
      now,
      offers.map(({ offer_id, uuid }) => ({
        action: decision,
        entity: 'offer',
        entityId: offer_id,
        after: { landing_uuid: uuid, ...(after.reason ? { reason: after.reason } : {}) },
      })),
    )
    await announce(trx, 'landing', ids)
    return ids.length
  })
}
