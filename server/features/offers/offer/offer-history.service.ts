import { apiOfferForm, leadParts } from '#contract/leads/api-offer.ts'
import { ACTIVATION_WARNINGS, offerForm, offerStatus } from '#contract/offers/offer-fields.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { findAudit, listAudit } from '#server/features/people/audit/audit.queries.ts'
import { namedIn } from '#server/features/people/audit/named.service.ts'
import type { OfferForm } from './offer-check.ts'
import { lockOffer } from './offer.queries.ts'
import { changeOfferStatus } from './offer-status.service.ts'
import { lockOfferWithCaps, replaceOffer } from './offer.service.ts'
import { readOfferForm } from './saved-offer.service.ts'

const UNDO_WITHIN = 24 * 3_600_000
const UNDOABLE = ['update', 'undo', 'set_status']

/** One page of the changes of an offer, newest first, and how many there are in all. */
export async function listOfferChanges(db: Db, now: number, scope: Scope, offerId: number, page: { count: number; page: number }) {
  const { rows, list } = await listAudit(db, { things: [{ entity: 'offer', ids: [String(offerId)] }], by: null }, page)
  const named = await namedIn(db, scope, list)
  return {
    rows,
    list: list.map(({ id, at, action, before, after, ...change }, index) => ({
      id,
      at,
      action,
      before,
      after,
      named: named[index] ?? [],
      actor: change.acting_name ?? change.actor_name,
      undoable: isUndoable({ action, at }, now),
    })),
  }
}

/**
 * Takes back one change of the last 24 hours: the fields it changed get their earlier values, others stay. Throws
 * `not_found`, `conflict` when one of these fields has changed since, and whatever saving or moving an offer throws.
 */
export async function undoChange(db: Db, now: number, actor: Actor, key: string, changeId: string): Promise<void> {
  const offer = await db.transaction().execute((trx) => lockOffer(trx, actor.scope, key))
  if (offer === undefined) throw new AppError('not_found')
  const change = await findAudit(db, 'offer', offer.id, changeId)
  if (change === undefined || !isUndoable(change, now)) throw new AppError('not_found')
  if (change.action === 'set_status') return undoStatus(db, now, actor, offer, change)
  await db.transaction().execute(async (trx) => {
    const locked = await lockOfferWithCaps(trx, actor.scope, key)
    if (locked === undefined) throw new AppError('not_found')
    const current = await readOfferForm(trx, locked.id)
    if (!holds(current, change.after)) throw new AppError('conflict')
    const form = formOf(current.leads !== undefined, { ...current, ...fieldsOf(change.before) })
    // the earlier values were allowed when they were saved, whoever saved them
    await replaceOffer(trx, now, actor, locked, form, { kind: 'all' }, 'undo')
  })
}

/** An earlier state in the words of the form of its type. Throws `conflict` where it could not be saved today. */
function formOf(ofLeads: boolean, state: Record<string, unknown>): OfferForm {
  if (!ofLeads) {
    const form = offerForm.safeParse(state)
    if (!form.success) throw new AppError('conflict', { cause: form.error })
    return form.data
  }
  const form = apiOfferForm.safeParse({ ...state, ...fieldsOf(state['leads']) })
  if (!form.success) throw new AppError('conflict', { cause: form.error })
  return { ...form.data, advertiser_uuid: null, leads: leadParts.parse(form.data) }
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockOffer>>>

async function undoStatus(db: Db, now: number, actor: Actor, offer: Locked, change: { before: unknown; after: unknown }): Promise<void> {
  const before = offerStatus.parse(fieldsOf(change.before)['status'])
  const after = offerStatus.parse(fieldsOf(change.after)['status'])
  const { changed } = await changeOfferStatus(db, now, actor, {
    uuids: [offer.uuid],
    status: before,
    expected: after,
    confirm: ACTIVATION_WARNINGS,
  })
  if (changed === 0) throw new AppError('conflict')
}

function isUndoable(change: { action: string; at: Date }, now: number): boolean {
  return UNDOABLE.includes(change.action) && now - change.at.getTime() < UNDO_WITHIN
}

function holds(current: object, after: unknown): boolean {
  const values = new Map<string, unknown>(Object.entries(current))
  return Object.entries(fieldsOf(after)).every(([name, value]) => sameJson(values.get(name), value))
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}
