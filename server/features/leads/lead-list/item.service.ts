import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import { MOST_ADDED, type leadListApi } from '#contract/leads/lead-list.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { contactsIn } from '#server/features/leads/user-session/read-asked.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { presentItem } from './item.present.ts'
import { copyItems, countItems, countPicked, isItem, leaveTo, listItems, listSendsTo, markItems, type Picked } from './item.queries.ts'
import { getList, lockLists, type LockedList } from './lead-list.queries.ts'
import { lockList, lockOpenList, makeList, putAway, refuseArchived } from './lead-list.service.ts'

type Parts = { db: Db; secretKey: string | null }

/** One page of who is in a list in scope, masked. Throws `not_found`. */
export async function showItems(
  { db, secretKey }: Parts,
  { scope }: Actor,
  key: string,
  asked: z.output<typeof leadListApi.items.body>,
): Promise<CallOutput<typeof leadListApi.items>> {
  const list = await getList(db, scope, key)
  if (list === undefined) throw new AppError('not_found')
  const vault = openLeadVault(secretKey)
  const contacts = contactsIn(asked.search, vault)
  const [rows, page] = await Promise.all([countItems(db, scope, list.id, asked, contacts), listItems(db, scope, list.id, asked, contacts)])
  return { list: page.map((row) => presentItem(row, vault)), summary: { rows } }
}

/** To whom somebody of a list was offered, as far as the caller sees. Throws `not_found`. */
export async function showSends(db: Db, { scope }: Actor, key: string, itemId: string): Promise<CallOutput<typeof leadListApi.sends>> {
  const list = await getList(db, scope, key)
  if (list === undefined || !(await isItem(db, scope, list.id, itemId))) throw new AppError('not_found')
  const sends = await listSendsTo(db, scope, list.id, itemId)
  return {
    list: sends.map(({ session_uuid, session_id, sees_advertiser, asked_at, advertiser, product, reason, call_status, ...send }) => ({
      ...send,
      asked_at: asked_at.toISOString(),
      session: { uuid: session_uuid, id: session_id },
      advertiser: sees_advertiser ? advertiser : null,
      product: sees_advertiser ? product : null,
      reason: sees_advertiser ? reason : '',
      call_status: call_status as CallStatus | null, // nothing else is written
    })),
  }
}

/** Takes people out of a list, or in again; answers how many that changed. Throws `not_found`, and `lead_list_archived` for taking in. */
export function markPeople(db: Db, now: number, actor: Actor, key: string, itemIds: readonly string[], removed: boolean): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const list = removed ? await lockList(trx, actor, key) : await lockOpenList(trx, actor, key)
    const changed = await markItems(trx, actor.scope, list.id, itemIds, removed ? new Date(now) : null)
    const action = removed ? 'remove_people' : 'restore_people'
    if (changed > 0) await recordAudit(trx, actor, now, { action, entity: 'lead_list', entityId: list.id, after: { people: changed } })
    return changed
  })
}

/** Moves people to another list in scope. Throws `not_found`, `unknown_reference`, `lead_list_archived`. */
export function movePeople(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  asked: z.output<typeof leadListApi.moveItems.body>,
): Promise<CallOutput<typeof leadListApi.moveItems>> {
  return db.transaction().execute((trx) => moveItems(trx, now, actor, key, asked))
}

/** The same in a transaction of whoever asks. */
export async function moveItems(
  trx: Trx,
  now: number,
  actor: Actor,
  key: string,
  { item_ids, to_uuid }: z.output<typeof leadListApi.moveItems.body>,
): Promise<CallOutput<typeof leadListApi.moveItems>> {
  const { own, other: to } = await lockBoth(trx, actor, key, to_uuid, 'to_uuid')
  refuseArchived(to)
  const which = { from: own.id, to: to.id, picked: { itemIds: item_ids } }
  const asked = await countPicked(trx, actor.scope, own.id, which.picked)
  const { moved, left } = await move(trx, now, actor, which, 'manual')
  const after = { to_id: to.id, people: left }
  if (left > 0) await recordAudit(trx, actor, now, { action: 'move_people', entity: 'lead_list', entityId: own.id, after })
  return { moved, there: left - moved, left: asked - left }
}

/** Takes the people of another list in scope in. Throws `not_found`, `unknown_reference`, `lead_list_archived`, `lead_list_in_use`, `invalid_input`. */
export function mergeList(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { from_uuid, archive }: z.output<typeof leadListApi.merge.body>,
): Promise<CallOutput<typeof leadListApi.merge>> {
  return db.transaction().execute(async (trx) => {
    const { own, other: from } = await lockBoth(trx, actor, key, from_uuid, 'from_uuid')
    refuseArchived(own)
    const there = await countMost(trx, actor, from.id, 'all', 'from_uuid')
    const which = { from: from.id, to: own.id, picked: 'all' as const }
    const added = await copyItems(trx, actor.scope, which, { via: 'merge', accountId: actor.accountId, at: new Date(now) })
    if (archive && from.archived_at === null) await putAway(trx, now, actor, from, true)
    const after = { from_id: from.id, people: added }
    if (added > 0) await recordAudit(trx, actor, now, { action: 'merge', entity: 'lead_list', entityId: own.id, after })
    return { added, there: there - added }
  })
}

/** Moves a part of a list to a new one. Who asks twice is told that the title is taken. Throws `not_found`, `invalid_input`. */
export function splitList(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { title, countries, percent }: z.output<typeof leadListApi.split.body>,
): Promise<CallOutput<typeof leadListApi.split>> {
  return db.transaction().execute(async (trx) => {
    const list = await lockList(trx, actor, key)
    const picked: Picked = percent === null ? { countries } : { percent }
    const field = percent === null ? 'countries' : 'percent'
    // a title somebody has taken is said first: whoever asks twice has nothing left to move
    const made = await makeList(trx, now, actor, { title, description: list.description })
    if ((await countMost(trx, actor, list.id, picked, field)) === 0)
      throw new AppError('invalid_input', { fields: { [field]: 'Nobody of this list is meant by that' } })
    const { left } = await move(trx, now, actor, { from: list.id, to: made.id, picked }, 'split')
    const after = { to_id: made.id, people: left }
    await recordAudit(trx, actor, now, { action: 'split', entity: 'lead_list', entityId: list.id, after })
    return { ...made, moved: left }
  })
}

/** Copies people, then takes those out who are there: the same ones, as who moves holds both lists. `moved` of those who `left` were new there. */
async function move(trx: Trx, now: number, actor: Actor, which: { from: number; to: number; picked: Picked }, via: 'manual' | 'split') {
  const at = new Date(now)
  const moved = await copyItems(trx, actor.scope, which, { via, accountId: actor.accountId, at })
  return { moved, left: await leaveTo(trx, actor.scope, which, at) }
}

async function countMost(trx: Trx, { scope }: Actor, listId: number, picked: Picked, field: string): Promise<number> {
  const people = await countPicked(trx, scope, listId, picked)
  if (people > MOST_ADDED) throw new AppError('invalid_input', { fields: { [field]: 'At most 100,000 people at once' } })
  return people
}

/** The list in the path and the one a field names, both in scope and not the same. Throws `not_found`, `unknown_reference`. */
async function lockBoth(
  trx: Trx,
  { scope }: Actor,
  key: string,
  uuid: string,
  field: string,
): Promise<{ own: LockedList; other: LockedList }> {
  const locked = await lockLists(trx, scope, [key, uuid])
  const own = locked.find((list) => list.uuid === key || String(list.id) === key)
  if (own === undefined) throw new AppError('not_found')
  const other = locked.find((list) => list.uuid === uuid)
  if (other === undefined || other.id === own.id)
    throw new AppError('unknown_reference', { fields: { [field]: 'Choose another list of yours' } })
  return { own, other }
}
