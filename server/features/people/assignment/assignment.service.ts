import { z } from 'zod'
import type { assignmentApi, AssignedKind } from '#contract/people/assignment.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { managerFor } from '../account/account.service.ts'
import { lastOwn, recordAudit } from '../audit/audit.service.ts'
import { lockAssigned, managerIdsOf, setManagers, tellAssigned, untellAssigned } from './assignment.queries.ts'

type Input = z.output<typeof assignmentApi.assign.body>

/** Who gets what is given; null is nobody. */
type Receiver = { id: number; uuid: string } | null

/** Gives what is in scope to one manager, who is told of it; what is outside is passed over. Throws `unknown_reference`. Answers how many changed. */
export async function assign(db: Db, now: number, actor: Actor, { kind, uuids, manager_uuid }: Input): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const to = await receiverFor(trx, actor, manager_uuid)
    return give(trx, now, actor, 'assign', { kind, scope: actor.scope, which: { uuids }, to })
  })
}

/** The manager somebody may give to, kept from leaving meanwhile; a team lead's nobody is the lead. Throws `unknown_reference`. */
export async function receiverFor(trx: Trx, actor: Actor, uuid: string | null): Promise<Receiver> {
  const id = await managerFor(trx, actor, uuid)
  return id === null ? null : { id, uuid: uuid ?? actor.uuid }
}

/** Gives what is named, or all that some managers have, to another, logs it as this and tells them. Answers how many changed. */
export async function give(
  trx: Trx,
  now: number,
  actor: Actor,
  action: 'assign' | 'hand_over',
  { kind, scope, which, to }: { kind: AssignedKind; scope: Scope; which: Parameters<typeof lockAssigned>[3]; to: Receiver },
): Promise<number> {
  const given = (await lockAssigned(trx, kind, scope, which)).filter((one) => one.manager_id !== (to?.id ?? null))
  await setManagers(
    trx,
    kind,
    given.map(({ id }) => ({ id, manager_id: to?.id ?? null })),
  )
  const after = { manager_uuid: to?.uuid ?? null }
  await recordAudit(
    trx,
    actor,
    now,
    given.map(({ id, manager_uuid }) => ({ action, entity: kind, entityId: id, before: { manager_uuid }, after })),
  )
  if (to !== null && given.length > 0) await tellAssigned(trx, now, { managerId: to.id, kind, count: given.length, but: actor.accountId })
  return given.length
}

/**
 * Gives what the actor gave to this manager back to whom each belonged; what anything was changed about since stays. Throws
 * `conflict` where nothing is left. Answers how many changed.
 */
export async function unassign(db: Db, now: number, actor: Actor, { kind, uuids, manager_uuid }: Input): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const locked = await lockAssigned(trx, kind, actor.scope, { uuids })
    const to = actor.scope.kind === 'managers' ? (manager_uuid ?? actor.uuid) : manager_uuid
    const back = await takeBack(trx, now, actor, { kind, action: 'assign', locked: locked.filter((one) => one.manager_uuid === to) })
    if (locked.length > 0 && back === 0) throw new AppError('conflict')
    return back
  })
}

/** Gives each of these back to whom it belonged before the actor's last change, where that was this action and at the moment named. Answers how many. */
export async function takeBack(
  trx: Trx,
  now: number,
  actor: Actor,
  {
    kind,
    action,
    locked,
    at,
  }: { kind: AssignedKind; action: 'assign' | 'hand_over'; locked: Awaited<ReturnType<typeof lockAssigned>>; at?: Date },
): Promise<number> {
  const given = await lastOwn(trx, actor, kind, locked, { action, before: managerBefore, at })
  const ids = await managerIdsOf(
    trx,
    given.flatMap(({ earlier }) => earlier ?? []),
  )
  const back = given.map((one) => ({ ...one, earlierId: one.earlier === null ? null : (ids.get(one.earlier) ?? null) }))
  await setManagers(
    trx,
    kind,
    back.map(({ id, earlierId }) => ({ id, manager_id: earlierId })),
  )
  await untellAssigned(
    trx,
    back.map((one) => one.at),
  )
  await recordAudit(
    trx,
    actor,
    now,
    back.map(({ id, manager_uuid, earlier }) => ({
      action: 'undo',
      entity: kind,
      entityId: id,
      before: { manager_uuid },
      after: { manager_uuid: earlier },
    })),
  )
  return back.length
}

const managerBefore = z.object({ manager_uuid: z.uuid().nullable() }).transform((before) => before.manager_uuid)
