import { z } from 'zod'
import { MANAGED_ROLES, type managerApi, managerFields, managerInput, managerStatus, type managerUpdate } from '#contract/people/manager.ts'
import { valuesOf } from '#contract/shape.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { changeAccount, createAccount, renewPasswordLink, type HandedOver, type LinkWay } from '../account/account.service.ts'
import { handOver, takeBackHandedOver } from '../assignment/hand-over.service.ts'
import { lastOwn, recordAudit, statusChanges } from '../audit/audit.service.ts'
import { deleteAllSessions } from '../auth/session.queries.ts'
import {
  findManagerId,
  getManager,
  hasTeam,
  insertManager,
  lockActiveAdmins,
  lockManagers,
  managedBy,
  updateManagers,
  type ManagerRow,
} from './manager.queries.ts'

type Input = z.output<typeof managerInput>

/** Makes a manager with its account; answers its ids and what became of its set-password link; without a way there is none. Throws `email_taken`, `unknown_reference`, `invalid_input`. */
export async function createManager(
  db: Db,
  now: number,
  actor: Actor,
  input: Input,
  way: LinkWay | null,
): Promise<{ uuid: string; id: number } & HandedOver> {
  return db.transaction().execute(async (trx) => {
    const role = roleFor(actor, input.role)
    const team_lead_id = await teamLeadFor(trx, actor, role, input.team_lead_uuid)
    const account = await createAccount(trx, now, actor, role, input, way)
    const { id } = await insertManager(trx, { ...pickFields(input, managerFields), team_lead_id, account_id: account.id })
    await recordAudit(trx, actor, now, { action: 'create', entity: 'manager', entityId: id, after: { ...input, role } })
    return { uuid: account.uuid, id, link: account.link, mailed: account.mailed }
  })
}

/** Changes a manager one manages. Throws `not_found`, `conflict`, `email_taken`, `own_account`, `last_admin`, `reference_in_use`, `unknown_reference`, `invalid_input`. */
export async function updateManager(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { version, ...input }: z.output<typeof managerUpdate>,
): Promise<ManagerRow> {
  return db.transaction().execute(async (trx) => {
    const admins = await lockActiveAdmins(trx)
    const before = await getManager(trx, managedBy(actor), key, true)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    const role = roleFor(actor, input.role)
    if (role !== before.role) await refuseRoleChange(trx, actor, before, admins)
    // keeping the lead somebody has is always allowed, even one who has left
    const keeps = role === 'manager' && input.team_lead_uuid === (before.team_lead?.uuid ?? null) && actor.scope.kind === 'all'
    const team_lead_id = keeps ? before.team_lead_id : await teamLeadFor(trx, actor, role, input.team_lead_uuid)
    await changeAccount(trx, actor, before, input, role)
    await updateManagers(trx, [before.id], { ...pickFields(input, managerFields), team_lead_id })
    const change = { before: valuesOf(managerInput, before), after: { ...input, role } }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'manager', entityId: before.id, ...change })
    const after = await getManager(trx, managedBy(actor), String(before.id))
    if (after === undefined) throw new AppError('not_found')
    return after
  })
}

/**
 * Gives managers one manages a status; others are passed over. Whoever is blocked or deleted is signed out everywhere, and what
 * they look after is handed over as it was said. Throws `own_account`, `last_admin`, `reference_in_use`, `unknown_reference`.
 * Answers how many changed.
 */
export async function changeManagerStatus(
  db: Db,
  now: number,
  actor: Actor,
  { hand_over, ...change }: z.output<typeof managerApi.setStatus.body>,
): Promise<number> {
  const { status } = change
  return db.transaction().execute(async (trx) => {
    const admins = await lockActiveAdmins(trx)
    const changing = await lockManagers(trx, managedBy(actor), change)
    if (changing.some((manager) => manager.account_id === actor.accountId)) throw new AppError('own_account')
    const leaving = new Set(changing.map((manager) => manager.account_id))
    if (status !== 'active' && admins.length > 0 && admins.every((accountId) => leaving.has(accountId))) throw new AppError('last_admin')
    const leadFor = (uuid: string | null) => teamLeadFor(trx, actor, 'manager', uuid, 'hand_over.team_lead_uuid')
    const handed =
      status === 'active' || changing.length === 0
        ? {}
        : await handOver(trx, now, actor, changing, { hand_over, deleting: status === 'deleted', leadFor })
    const ids = changing.map(({ id }) => id)
    await updateManagers(trx, ids, { status })
    if (status !== 'active') await deleteAllSessions(trx, [...leaving])
    const changes = statusChanges('manager', changing, status)
    await recordAudit(
      trx,
      actor,
      now,
      changes.map((one) => ({ ...one, after: { status, ...handed } })),
    )
    return changing.length
  })
}

/**
 * Gives managers the status they had before the actor gave them this one, and back what was handed over with it; those about which
 * anything was changed since stay. Throws `conflict` where none is left, `own_account`, `last_admin`. Answers how many changed.
 */
export async function undoManagerStatus(
  db: Db,
  now: number,
  actor: Actor,
  { uuids, status }: z.output<typeof managerApi.undo.body>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const admins = await lockActiveAdmins(trx)
    const locked = await lockManagers(trx, managedBy(actor), { uuids })
    const asked = locked.filter((one) => one.status === status)
    const back = await lastOwn(trx, actor, 'manager', asked, { action: 'set_status', before: statusBefore })
    if (locked.length > 0 && back.length === 0) throw new AppError('conflict')
    const leaving = new Set(back.filter(({ earlier }) => earlier !== 'active').map(({ account_id }) => account_id))
    if (leaving.has(actor.accountId)) throw new AppError('own_account')
    if (leaving.size > 0 && admins.every((accountId) => leaving.has(accountId))) throw new AppError('last_admin')
    for (const [earlier, those] of Map.groupBy(back, (one) => one.earlier))
      await updateManagers(
        trx,
        those.map(({ id }) => id),
        { status: earlier },
      )
    await deleteAllSessions(trx, [...leaving])
    for (const [at, those] of Map.groupBy(back, (one) => one.at.getTime())) {
      const uuids = those.map(({ uuid }) => uuid)
      await takeBackHandedOver(trx, now, actor, new Date(at), uuids)
    }
    await recordAudit(
      trx,
      actor,
      now,
      back.map(({ id, earlier }) => ({ action: 'undo', entity: 'manager', entityId: id, before: { status }, after: { status: earlier } })),
    )
    return back.length
  })
}

const statusBefore = z.object({ status: managerStatus }).transform(({ status }) => status)

/** Makes a fresh set-password link for a manager one manages; the one before stops working. Throws `not_found`, `link_for_admins`. */
export async function renewManagerLink(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  how: { way: LinkWay; show: boolean },
): Promise<HandedOver> {
  return db
    .transaction()
    .execute(async (trx) => renewPasswordLink(trx, now, actor, 'manager', await getManager(trx, managedBy(actor), key), how))
}

/** The role asked for, if one may give it. A team lead makes managers, whatever was asked for. */
function roleFor(actor: Actor, role: Input['role']): Input['role'] {
  if (actor.scope.kind === 'managers') return 'manager'
  if (!MANAGED_ROLES[actor.role].includes(role)) throw new AppError('invalid_input', { fields: { role: 'You cannot give this role' } })
  return role
}

async function refuseRoleChange(trx: DbOrTrx, actor: Actor, before: ManagerRow, admins: number[]): Promise<void> {
  if (before.account_id === actor.accountId) throw new AppError('own_account', { fields: { role: 'You cannot change your own role' } })
  if (admins.length === 1 && admins[0] === before.account_id)
    throw new AppError('last_admin', { fields: { role: 'This is the last active admin' } })
  if (before.role === 'team lead' && (await hasTeam(trx, before.id))) {
    throw new AppError('reference_in_use', { fields: { role: 'Give the team to another lead first' } })
  }
}

/** The lead a manager reports to: one's own self for those who see only their team; nobody for other roles. */
async function teamLeadFor(
  db: DbOrTrx,
  actor: Actor,
  role: Input['role'],
  uuid: string | null,
  field = 'team_lead_uuid',
): Promise<number | null> {
  if (actor.scope.kind === 'managers') return actor.managerId
  if (role !== 'manager' || uuid === null) return null
  const leadId = await findManagerId(db, actor.scope, uuid, 'team lead')
  if (leadId === undefined) throw new AppError('unknown_reference', { fields: { [field]: 'Choose an active team lead' } })
  return leadId
}
