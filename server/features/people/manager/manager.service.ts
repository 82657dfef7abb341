import type { z } from 'zod'
import { MANAGED_ROLES, type managerInput, type managerStatus } from '#contract/people/manager.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { violates } from '#server/platform/pg/violates.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { createLink } from '../auth/link.queries.ts'
import { endSessions } from '../auth/session.queries.ts'
import { findManagerId, getManager, hasTeam, lockActiveAdmins, lockManagers, managedBy, type ManagerRow } from './manager.queries.ts'

type Input = z.output<typeof managerInput>
type Status = z.output<typeof managerStatus>

/** Makes a manager with its account; answers its ids and the token of its set-password link. Throws `email_taken`, `unknown_reference`, `invalid_input`. */
export async function createManager(db: Db, now: number, actor: Actor, input: Input): Promise<{ uuid: string; id: number; token: string }> {
  return refuseTakenEmail(() =>
    db.transaction().execute(async (trx) => {
      const role = roleFor(actor, input.role)
      const teamLeadId = await teamLeadFor(trx, actor, role, input.team_lead_uuid)
      const account = await trx
        .insertInto('account')
        .values({ role, email: input.email, name: input.name, time_zone: input.time_zone, created_at: new Date(now) })
        .returning(['id', 'uuid'])
        .executeTakeFirstOrThrow()
      const manager = await trx
        .insertInto('manager')
        .values({ account_id: account.id, ...columnsOf(input, teamLeadId) })
        .returning('id')
        .executeTakeFirstOrThrow()
      const token = await createLink(trx, now, 'set_password', account.id)
      await recordAudit(trx, actor, now, { action: 'create', entity: 'manager', entityId: manager.id, after: { ...input, role } })
      return { uuid: account.uuid, id: manager.id, token }
    }),
  )
}

/** Changes a manager one manages. Throws `not_found`, `email_taken`, `own_account`, `last_admin`, `reference_in_use`, `unknown_reference`, `invalid_input`. */
export async function updateManager(db: Db, now: number, actor: Actor, key: string, input: Input): Promise<ManagerRow> {
  return refuseTakenEmail(() =>
    db.transaction().execute(async (trx) => {
      const admins = await lockActiveAdmins(trx)
      const before = await getManager(trx, managedBy(actor), key, true)
      if (before === undefined) throw new AppError('not_found')
      const role = roleFor(actor, input.role)
      if (role !== before.role) await refuseRoleChange(trx, actor, before, admins)
      // keeping the lead somebody has is always allowed, even one who has left
      const keeps = role === 'manager' && input.team_lead_uuid === before.lead_uuid && actor.scope.kind === 'all'
      const teamLeadId = keeps ? before.team_lead_id : await teamLeadFor(trx, actor, role, input.team_lead_uuid)
      await trx
        .updateTable('account')
        .set({ role, email: input.email, name: input.name, time_zone: input.time_zone })
        .where('id', '=', before.account_id)
        .execute()
      await trx.updateTable('manager').set(columnsOf(input, teamLeadId)).where('id', '=', before.id).execute()
      const { lead_uuid: team_lead_uuid, ...rest } = before
      await recordAudit(trx, actor, now, {
        action: 'update',
        entity: 'manager',
        entityId: before.id,
        before: { ...rest, team_lead_uuid },
        after: { ...input, role },
      })
      const after = await getManager(trx, managedBy(actor), String(before.id))
      if (after === undefined) throw new AppError('not_found')
      return after
    }),
  )
}

/**
 * Gives managers one manages a status; others are passed over. Whoever is blocked or deleted is signed out everywhere.
 * Throws `own_account`, `last_admin`. Answers how many changed.
 */
export async function changeManagerStatus(db: Db, now: number, actor: Actor, uuids: string[], status: Status): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const admins = await lockActiveAdmins(trx)
    const changing = await lockManagers(trx, managedBy(actor), uuids, status)
    if (changing.some((manager) => manager.account_id === actor.accountId)) throw new AppError('own_account')
    const leaving = new Set(changing.map((manager) => manager.account_id))
    if (status !== 'active' && admins.length > 0 && admins.every((accountId) => leaving.has(accountId))) throw new AppError('last_admin')
    for (const manager of changing) {
      await trx.updateTable('manager').set({ status }).where('id', '=', manager.id).execute()
      if (status !== 'active') await endSessions(trx, { accountId: manager.account_id, except: 0 })
      await recordAudit(trx, actor, now, {
        action: 'set_status',
        entity: 'manager',
        entityId: manager.id,
        before: { status: manager.status },
        after: { status },
      })
    }
    return changing.length
  })
}

/** Makes a fresh set-password link for a manager one manages; the one before stops working. */
export async function renewManagerLink(db: Db, now: number, actor: Actor, key: string): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const manager = await getManager(trx, managedBy(actor), key)
    if (manager === undefined) throw new AppError('not_found')
    await recordAudit(trx, actor, now, { action: 'password_link', entity: 'manager', entityId: manager.id })
    return createLink(trx, now, 'set_password', manager.account_id)
  })
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
async function teamLeadFor(db: DbOrTrx, actor: Actor, role: Input['role'], uuid: string | null): Promise<number | null> {
  if (actor.scope.kind === 'managers') return actor.managerId
  if (role !== 'manager' || uuid === null) return null
  const leadId = await findManagerId(db, actor.scope, uuid, 'team lead')
  if (leadId === undefined) throw new AppError('unknown_reference', { fields: { team_lead_uuid: 'Choose an active team lead' } })
  return leadId
}

function columnsOf(input: Input, teamLeadId: number | null) {
  return { type: input.type, team_lead_id: teamLeadId, contacts: JSON.stringify(input.contacts), notes: input.notes }
}

async function refuseTakenEmail<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (violates(error, 'account_email_key')) throw new AppError('email_taken', { fields: { email: 'This e-mail is already in use' } })
    throw error
  }
}
