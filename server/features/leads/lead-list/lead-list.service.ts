import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import { leadListFields, type leadListApi, type LeadListDetail } from '#contract/leads/lead-list.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import {
  countsOf,
  getList,
  insertList,
  isTitleTaken,
  listLists,
  lockLists,
  unsendableOf,
  updateList,
  usersOf,
  usesOf,
  type LockedList,
} from './lead-list.queries.ts'
import { presentList, presentListDetail } from './lead-list.present.ts'

type Input = z.output<typeof leadListApi.create.body>

/** One page of the lists in scope with their figures. */
export async function showLists(
  db: Db,
  { scope }: Actor,
  asked: z.output<typeof leadListApi.list.body>,
): Promise<CallOutput<typeof leadListApi.list>> {
  const { rows, list } = await listLists(db, scope, asked)
  const figures = await figuresOf(
    db,
    scope,
    list.map(({ id }) => id),
  )
  return { list: list.map((row) => presentList(row, figures)), summary: { rows } }
}

/** One list in scope. Throws `not_found`. */
export async function showList(db: DbOrTrx, { scope }: Actor, key: string): Promise<LeadListDetail> {
  const row = await getList(db, scope, key)
  if (row === undefined) throw new AppError('not_found')
  return presentListDetail(row, await figuresOf(db, scope, [row.id]))
}

/** Makes an empty list, the actor's own. Throws `invalid_input` where they have one of this title. */
export function createList(db: Db, now: number, actor: Actor, input: Input): Promise<{ id: number; uuid: string }> {
  return db.transaction().execute((trx) => makeList(trx, now, actor, input))
}

/** The same in a transaction. */
export async function makeList(trx: Trx, now: number, actor: Actor, input: Input): Promise<{ id: number; uuid: string }> {
  await refuseTaken(trx, actor.managerId, input.title, 0)
  const at = new Date(now)
  const made = await insertList(trx, {
    ...input,
    manager_id: actor.managerId,
    created_by: actor.accountId,
    created_at: at,
    updated_at: at,
  })
  await recordAudit(trx, actor, now, { action: 'create', entity: 'lead_list', entityId: made.id, after: input })
  return made
}

/** Renames a list in scope. Throws `not_found`, `conflict`, `invalid_input`. */
export async function changeList(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { version, ...input }: z.output<typeof leadListApi.update.body>,
): Promise<LeadListDetail> {
  return db.transaction().execute(async (trx) => {
    const before = await lockList(trx, actor, key)
    refuseStale(before, version)
    await refuseTaken(trx, before.manager_id, input.title, before.id)
    await updateList(trx, before.id, input)
    const change = { before: pickFields(before, leadListFields), after: input }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'lead_list', entityId: before.id, ...change })
    return showList(trx, actor, before.uuid)
  })
}

/** Puts a list away or takes it out; once there it stays there. Throws `not_found`, `lead_list_in_use`. */
export async function archiveList(db: Db, now: number, actor: Actor, key: string, archived: boolean): Promise<LeadListDetail> {
  return db.transaction().execute(async (trx) => {
    const before = await lockList(trx, actor, key)
    if ((before.archived_at !== null) !== archived) await putAway(trx, now, actor, before, archived)
    return showList(trx, actor, before.uuid)
  })
}

/** Puts a locked list away or takes it out. Throws `lead_list_in_use`. */
export async function putAway(trx: Trx, now: number, actor: Actor, list: LockedList, archived: boolean): Promise<void> {
  if (archived) await refuseUsed(trx, list)
  await updateList(trx, list.id, { archived_at: archived ? new Date(now) : null })
  const change = { before: { archived: !archived }, after: { archived } }
  await recordAudit(trx, actor, now, { action: 'update', entity: 'lead_list', entityId: list.id, ...change })
}

/** Deletes a list in scope; its rows stay for what was sent. Throws `not_found`, `lead_list_in_use`. */
export async function removeList(db: Db, now: number, actor: Actor, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const list = await lockList(trx, actor, key)
    await refuseUsed(trx, list)
    await updateList(trx, list.id, { deleted_at: new Date(now) })
    await recordAudit(trx, actor, now, {
      action: 'delete',
      entity: 'lead_list',
      entityId: list.id,
      before: pickFields(list, leadListFields),
    })
  })
}

/** A list in scope, locked. Throws `not_found`. */
export async function lockList(trx: Trx, { scope }: Actor, key: string): Promise<LockedList> {
  const [list] = await lockLists(trx, scope, [key])
  if (list === undefined) throw new AppError('not_found')
  return list
}

/** The same of one that takes people: not one that is put away. Throws `not_found`, `lead_list_archived`. */
export async function lockOpenList(trx: Trx, actor: Actor, key: string): Promise<LockedList> {
  const list = await lockList(trx, actor, key)
  refuseArchived(list)
  return list
}

/** Throws `lead_list_archived`. */
export function refuseArchived({ archived_at, title }: Pick<LockedList, 'archived_at' | 'title'>): void {
  if (archived_at !== null) throw new AppError('lead_list_archived', { values: { title } })
}

async function refuseUsed(trx: Trx, { id, title }: LockedList): Promise<void> {
  const users = await usersOf(trx, id)
  if (users.length > 0) throw new AppError('lead_list_in_use', { values: { title, names: users.map((one) => one.title).join(', ') } })
}

/** Two at once are told apart by whoever comes second. */
async function refuseTaken(trx: Trx, managerId: number | null, title: string, but: number): Promise<void> {
  await lockName(trx, `lead list ${managerId ?? 0} ${title.toLowerCase()}`)
  if (await isTitleTaken(trx, managerId, title, but))
    throw new AppError('invalid_input', { fields: { title: 'Another list has this title' } })
}

async function figuresOf(db: DbOrTrx, scope: Actor['scope'], ids: readonly number[]) {
  const [counts, unsendable, uses] = await Promise.all([countsOf(db, scope, ids), unsendableOf(db, scope, ids), usesOf(db, ids)])
  return { counts, unsendable, uses }
}
