import { sql, type Insertable, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { StatusChange } from '#contract/fields.ts'
import { accountFields } from '#contract/people/account.ts'
import { MANAGED_ROLES, managerFields, type managerFilters, type managerStatus } from '#contract/people/manager.ts'
import type { Actor } from '#server/access/actor.ts'
import type { FigureId } from '#contract/traffic/figures.ts'
import type { Db, DbOrTrx, Tables } from '#server/platform/pg/database.ts'
import { columnsOf } from '#server/platform/pg/fields.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage, type Rank } from '#server/platform/pg/list-page.ts'
import { isFoundBy, isUuidOf } from '#server/platform/pg/paging.ts'
import { whoseStatusChanges } from '#server/platform/pg/status-change.ts'
import { reference } from '#server/platform/pg/reference.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

type Filters = z.output<typeof managerFilters>
type StaffRole = Filters['role'][number]

/** Whose managers a query may see: rows in `scope` that have one of the roles the asker manages. */
export type Managed = { scope: Scope; roles: readonly StaffRole[] }

/** What somebody may see and change under Managers. */
export function managedBy(actor: Actor): Managed {
  return { scope: actor.scope, roles: MANAGED_ROLES[actor.role] }
}

const SORT_COLUMNS = {
  id: 'm.id',
  name: 'a.name',
  email: 'a.email',
  role: 'a.role',
  type: 'm.type',
  status: 'm.status',
  team_lead: 'la.name',
  affiliates: 'affiliates',
  advertisers: 'advertisers',
  created_at: 'a.created_at',
  last_login_at: 'a.last_login_at',
} as const satisfies Record<Exclude<Filters['sort'], FigureId>, string>

/** One page of the managers somebody manages, and how many there are in all. Without a status deleted ones are left out. */
export async function listManagers(db: Db, managed: Managed, filters: Filters, rank?: Rank) {
  const found = managersManaged(db, managed)
    .$if(filters.status.length > 0, (query) => query.where('m.status', 'in', filters.status))
    .$if(filters.status.length === 0, (query) => query.where('m.status', '!=', 'deleted'))
    .$if(filters.role.length > 0, (query) => query.where('a.role', 'in', filters.role))
    .$if(filters.type.length > 0, (query) => query.where('m.type', 'in', filters.type))
    .$if(filters.team_lead_uuid.length > 0, (query) => query.where('la.uuid', 'in', filters.team_lead_uuid))
    .$if(filters.search !== '', (query) =>
      query.where(isFoundBy(filters.search, { texts: ['a.name', 'a.email'], id: 'm.id', uuid: 'a.uuid' })),
    )
  return listPage(found, SORT_COLUMNS, filters, rank)
}

/** One of the managers somebody manages, by uuid or numeric id; `lock` keeps it and its account from changing meanwhile. */
export function getManager(db: DbOrTrx, managed: Managed, key: string, lock = false) {
  return managersManaged(db, managed)
    .where(keyIs(key, { uuid: 'a.uuid', id: 'm.id' }))
    .$if(lock, (query) => query.forUpdate(['m', 'a']))
    .executeTakeFirst()
}
export type ManagerRow = NonNullable<Awaited<ReturnType<typeof getManager>>>

/** Whom an affiliate turns to: its manager, while that is somebody who works here. */
export function getManagerOf(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('affiliate as f')
    .innerJoin('manager as m', 'm.id', 'f.manager_id')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['a.name', 'a.email', 'm.contacts'])
    .where('f.id', '=', affiliateId)
    .where('m.status', '=', 'active')
    .executeTakeFirst()
}

/** Locks the managers somebody manages whose status would change, where one is expected only from that one, in the order of their ids. */
export function lockManagers(
  db: DbOrTrx,
  managed: Managed,
  change: Partial<StatusChange<z.output<typeof managerStatus>>> & { uuids: string[] },
) {
  return whoseStatusChanges(
    managersManaged(db, managed).clearSelect().select(['m.id', 'm.account_id', 'm.status', 'a.uuid']),
    { uuid: 'a.uuid', id: 'm.id', status: 'm.status' },
    change,
  )
    .forUpdate('m')
    .execute()
}

/** Locks the active admins in the order of their ids, so that two of them cannot remove each other at once; answers their account ids. */
export async function lockActiveAdmins(db: DbOrTrx): Promise<number[]> {
  const admins = await db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select('m.account_id')
    .where('a.role', '=', 'admin')
    .where('m.status', '=', 'active')
    .orderBy('m.id')
    .forUpdate('m')
    .execute()
  return admins.map((admin) => admin.account_id)
}

/** Whether there is any manager yet. */
export async function hasManagers(db: DbOrTrx): Promise<boolean> {
  return (await db.selectFrom('manager').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Whether anybody reports to a manager. */
export async function hasTeam(db: DbOrTrx, managerId: number): Promise<boolean> {
  return (
    (await db
      .selectFrom('manager')
      .select('id')
      .where('team_lead_id', '=', managerId)
      .where('status', '!=', 'deleted')
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** Active managers in scope to choose from, by name; asked for by the uuid, one of any status. `roles` narrows where it names any. */
export function listManagerOptions(db: Db, scope: Scope, search: string, roles: readonly StaffRole[] = []) {
  return managersInScope(db, scope)
    .select(['a.uuid', 'm.id', 'a.name'])
    .where((where) => where.or([where('m.status', '=', 'active'), isUuidOf(search, 'a.uuid')]))
    .$if(roles.length > 0, (query) => query.where('a.role', 'in', roles))
    .where(isFoundBy(search, { texts: ['a.name'], id: 'm.id', uuid: 'a.uuid' }))
    .orderBy('a.name')
    .limit(50)
    .execute()
}

/** The id of an active manager in scope to whom something may be given, kept from leaving meanwhile; undefined when there is none. */
export async function findManagerId(db: DbOrTrx, scope: Scope, uuid: string, role?: StaffRole): Promise<number | undefined> {
  return (
    await managersInScope(db, scope)
      .select('m.id')
      .where('a.uuid', '=', uuid)
      .where('m.status', '=', 'active')
      .$if(role !== undefined, (query) => query.where('a.role', '=', role ?? 'manager'))
      .forShare('m')
      .executeTakeFirst()
  )?.id
}

export function insertManager(db: DbOrTrx, values: Insertable<Tables['manager']>) {
  return db.insertInto('manager').values(values).returning('id').executeTakeFirstOrThrow()
}

export async function updateManagers(db: DbOrTrx, ids: number[], values: Updateable<Tables['manager']>): Promise<void> {
  if (ids.length > 0) await db.updateTable('manager').set(values).where('id', 'in', ids).execute()
}

function managersInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .where(inScope(scope, { affiliateManager: 'm.id' }))
}

function managersManaged(db: DbOrTrx, { scope, roles }: Managed) {
  return managersInScope(db, scope)
    .leftJoin('manager as l', 'l.id', 'm.team_lead_id')
    .leftJoin('account as la', 'la.id', 'l.account_id')
    .where(sql<boolean>`a.role = any(${roles}::text[])`)
    .select(['a.uuid', 'm.id', 'm.account_id', 'm.team_lead_id', 'm.status', 'a.created_at', 'a.last_login_at'])
    .select([...columnsOf(accountFields, 'a'), ...columnsOf(managerFields, 'm')])
    .select([
      sql<StaffRole>`a.role`.as('role'),
      reference({ uuid: 'la.uuid', id: 'l.id', name: 'la.name' }).as('team_lead'),
      sql<number>`(select count(*)::int from affiliate f where f.manager_id = m.id)`.as('affiliates'),
      sql<number>`(select count(*)::int from advertiser d where d.manager_id = m.id and d.status <> 'deleted')`.as('advertisers'),
      sql<number>`(select count(*)::int from manager r where r.team_lead_id = m.id and r.status <> 'deleted')`.as('team'),
      sql<number>`m.version + a.version`.as('version'),
    ])
}
