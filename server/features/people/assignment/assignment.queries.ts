import { sql } from 'kysely'
import type { AssignedKind } from '#contract/people/assignment.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** What somebody looks after: its number, and whose it is. */
export type Assigned = { id: number; manager_id: number | null; manager_uuid: string | null }

/** Locks those in scope, named by uuid or number or of some managers, in the order of their ids. */
export async function lockAssigned(
  trx: DbOrTrx,
  kind: AssignedKind,
  scope: Scope,
  which: { uuids: readonly string[] } | { managerIds: readonly number[] } | { ids: readonly number[] },
): Promise<Assigned[]> {
  const chosen = (uuid: string) =>
    'uuids' in which
      ? sql<boolean>`${sql.ref(uuid)} = any(${[...which.uuids]}::uuid[])`
      : 'ids' in which
        ? sql<boolean>`t.id = any(${[...which.ids]}::int[])`
        : sql<boolean>`t.manager_id = any(${[...which.managerIds]}::int[])`
  const owner = sql<string | null>`(select a.uuid from manager m join account a on a.id = m.account_id where m.id = t.manager_id)`
  if (kind === 'affiliate') {
    return trx
      .selectFrom('affiliate as t')
      .innerJoin('account as own', 'own.id', 't.account_id')
      .select(['t.id', 't.manager_id', owner.as('manager_uuid')])
      .where(inScope(scope, { affiliateManager: 't.manager_id' }))
      .where(chosen('own.uuid'))
      .orderBy('t.id')
      .forUpdate('t')
      .execute()
  }
  return trx
    .selectFrom('advertiser as t')
    .select(['t.id', 't.manager_id', owner.as('manager_uuid')])
    .where(inScope(scope, { advertiserManager: 't.manager_id' }))
    .where(chosen('t.uuid'))
    .orderBy('t.id')
    .forNoKeyUpdate('t')
    .execute()
}

/** Locks those who report to these leads, or these who may report to somebody, in the order of their ids. */
export async function lockTeams(trx: DbOrTrx, which: { leadIds: readonly number[] } | { ids: readonly number[] }) {
  const [column, ids] = 'ids' in which ? ['t.id', which.ids] : ['t.team_lead_id', which.leadIds]
  return trx
    .selectFrom('manager as t')
    .leftJoin('manager as l', 'l.id', 't.team_lead_id')
    .leftJoin('account as la', 'la.id', 'l.account_id')
    .select(['t.id', 't.team_lead_id', 'la.uuid as team_lead_uuid'])
    .where(sql<boolean>`${sql.ref(column)} = any(${[...ids]}::int[])`)
    .where('t.status', '!=', 'deleted')
    .orderBy('t.id')
    .forUpdate('t')
    .execute()
}

/** Gives each its manager: one statement, however many. */
export async function setManagers(trx: DbOrTrx, kind: AssignedKind, those: readonly Omit<Assigned, 'manager_uuid'>[]): Promise<void> {
  if (those.length === 0) return
  await sql`
    update ${sql.table(kind)} t set manager_id = e.manager_id
      from unnest(${those.map(({ id }) => id)}::int[], ${those.map(({ manager_id }) => manager_id)}::int[]) as e (id, manager_id)
     where t.id = e.id`.execute(trx)
}

/** Gives each its team lead. */
export async function setTeamLeads(trx: DbOrTrx, those: readonly { id: number; team_lead_id: number | null }[]): Promise<void> {
  if (those.length === 0) return
  await sql`
    update manager t set team_lead_id = e.team_lead_id
      from unnest(${those.map(({ id }) => id)}::int[], ${those.map(({ team_lead_id }) => team_lead_id)}::int[]) as e (id, team_lead_id)
     where t.id = e.id`.execute(trx)
}

/** The numbers of managers by their uuids, whatever became of them. */
export async function managerIdsOf(db: DbOrTrx, uuids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['m.id', 'a.uuid'])
    .where(sql<boolean>`a.uuid = any(${[...uuids]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, uuid }) => [uuid, id]))
}

/** What an actor handed over at a moment, by the log: its kind, its number, and whose it was. */
export async function handedOverAt(db: DbOrTrx, actorId: number, at: Date) {
  const { rows } = await sql<{ entity: string; id: number; before: unknown }>`
    select entity, entity_id::int as id, before from audit
     where at = ${at} and action = 'hand_over' and coalesce(acting_id, actor_id) = ${actorId}
       and entity in ('affiliate', 'advertiser', 'manager') order by id`.execute(db)
  return rows
}

/** Tells a manager by the bell what has become theirs. */
export async function tellAssigned(
  db: DbOrTrx,
  now: number,
  told: { managerId: number; kind: AssignedKind | 'manager'; count: number; but: number },
): Promise<void> {
  await sql`
    insert into notification (account_id, kind, at, status, count)
    select account_id, 'accounts_assigned', ${new Date(now)}, ${told.kind}, ${told.count} from manager
     where id = ${told.managerId} and status = 'active' and account_id <> ${told.but}`.execute(db)
}

/** What a manager was told at a moment and has not read is taken back with what was given. */
export async function untellAssigned(db: DbOrTrx, at: readonly Date[]): Promise<void> {
  await sql`
    delete from notification where kind = 'accounts_assigned' and at = any(${[...at]}::timestamptz[]) and read_at is null`.execute(db)
}
