import { sql } from 'kysely'
import { offerInput, offerStatus } from '#contract/offers/offer-fields.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'
import { lockOffer } from './offer.queries.ts'
import { changeOfferStatus } from './offer-status.service.ts'
import { replaceOffer } from './offer.service.ts'
import { readOfferForm } from './saved-offer.queries.ts'

const UNDO_WITHIN = 24 * 3_600_000
const UNDOABLE = ['update', 'undo', 'set_status']

/** One page of the changes of an offer, newest first, and how many there are in all. */
export async function listOfferChanges(db: Db, now: number, offerId: number, page: { count: number; page: number }) {
  const found = changesOf(db, offerId)
  const { limit, offset } = pageOf(page)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select(['l.id', 'l.at', 'l.action', 'l.before', 'l.after', 'a.name as actor'])
      .orderBy('l.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list: list.map((change) => ({ ...change, undoable: isUndoable(change, now) })) }
}

/**
 * Takes back one change of the last 24 hours: the fields it changed get their earlier values, others stay. Throws
 * `not_found`, `conflict` when one of these fields has changed since, and whatever saving or moving an offer throws.
 */
export async function undoChange(db: Db, now: number, actor: Actor, key: string, changeId: string): Promise<void> {
  const offer = await db.transaction().execute((trx) => lockOffer(trx, actor.scope, key))
  if (offer === undefined) throw new AppError('not_found')
  const change = await changesOf(db, offer.id)
    .select(['l.action', 'l.at', 'l.before', 'l.after'])
    .where('l.id', '=', changeId)
    .executeTakeFirst()
  if (change === undefined || !isUndoable(change, now)) throw new AppError('not_found')
  if (change.action === 'set_status') return undoStatus(db, now, actor, offer.uuid, change)
  await db.transaction().execute(async (trx) => {
    const locked = await lockOffer(trx, actor.scope, key)
    if (locked === undefined) throw new AppError('not_found')
    const current = await readOfferForm(trx, locked.id)
    if (!holds(current, change.after)) throw new AppError('conflict')
    const form = offerInput.safeParse({ ...current, ...fieldsOf(change.before) })
    if (!form.success) throw new AppError('conflict', { cause: form.error })
    // the earlier values were allowed when they were saved, whoever saved them
    await replaceOffer(trx, now, actor, locked, form.data, { kind: 'all' }, 'undo')
  })
}

async function undoStatus(db: Db, now: number, actor: Actor, uuid: string, change: { before: unknown; after: unknown }): Promise<void> {
  const before = offerStatus.parse(fieldsOf(change.before)['status'])
  const after = offerStatus.parse(fieldsOf(change.after)['status'])
  const current = await db.selectFrom('offer').select('status').where('uuid', '=', uuid).executeTakeFirst()
  if (current?.status !== after) throw new AppError('conflict')
  await changeOfferStatus(db, now, actor, [uuid], before)
}

function changesOf(db: DbOrTrx, offerId: number) {
  return db
    .selectFrom('audit as l')
    .leftJoin('account as a', (join) => join.on(sql<boolean>`a.id = coalesce(l.acting_id, l.actor_id)`))
    .where('l.entity', '=', 'offer')
    .where('l.entity_id', '=', String(offerId))
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
