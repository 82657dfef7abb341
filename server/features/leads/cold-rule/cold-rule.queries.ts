import { sql, type Insertable, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { coldRuleApi } from '#contract/leads/cold-rule.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { isFoundBy } from '#server/platform/pg/paging.ts'
import { reference } from '#server/platform/pg/reference.ts'

type Filters = z.output<typeof coldRuleApi.list.body>

const SORT_COLUMNS = {
  id: 'r.id',
  title: 'r.title',
  status: 'r.status',
  priority: sql`(v.settings ->> 'priority')::int`,
  next_run_at: 'r.next_run_at',
  created_at: 'r.created_at',
} as const

/** One page of the rules in scope, archived ones only where they are asked for. */
export function listRules(db: DbOrTrx, scope: Scope, asked: Filters) {
  return listPage(
    rulesInScope(db, scope)
      .$if(asked.status.length > 0, (query) => query.where('r.status', 'in', asked.status))
      .$if(asked.status.length === 0, (query) => query.where('r.status', '<>', 'archived'))
      .$if(asked.search !== '', (query) => query.where(isFoundBy(asked.search, { texts: ['r.title'], id: 'r.id', uuid: 'r.uuid' }))),
    SORT_COLUMNS,
    asked,
  )
}

/** One rule in scope by uuid or number, locked where it is changed. Leads that are written meanwhile do not wait for it. */
export function getRule(db: DbOrTrx, scope: Scope, key: string, lock = false) {
  return rulesInScope(db, scope)
    .where(keyIs(key, { uuid: 'r.uuid', id: 'r.id' }))
    .$if(lock, (query) => query.forNoKeyUpdate('r'))
    .executeTakeFirst()
}
export type RuleRow = NonNullable<Awaited<ReturnType<typeof getRule>>>

function rulesInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('cold_rule as r')
    .innerJoin('cold_rule_version as v', 'v.id', 'r.version_id')
    .leftJoin('cold_rule_version as e', 'e.id', 'r.live_version_id')
    .leftJoin('manager as m', 'm.id', 'r.manager_id')
    .leftJoin('account as ma', 'ma.id', 'm.account_id')
    .select(['r.id', 'r.uuid', 'r.title', 'r.status', 'r.pause_reason', 'r.version', 'r.next_run_at', 'r.asked_at', 'r.created_at'])
    .select(['r.manager_id', 'r.team_of', 'r.failures', 'r.live_version_id'])
    .select([
      'v.id as version_id',
      'v.number',
      'v.settings',
      'v.template',
      'v.list_ids',
      'e.number as live_number',
      'e.settings as live_settings',
    ])
    .select([
      reference({ uuid: 'ma.uuid', id: 'm.id', name: 'ma.name' }).as('owner'),
      sql<boolean>`exists (select from cold_rule_run t where t.version_id = v.id and t.kind = 'dry' and t.error = '')`.as('tried'),
      sql<number>`(select count(*)::int from (select from cold_rule_due d where d.rule_id = r.id limit 10000) w)`.as('waiting'),
    ])
    .where(inScope(scope, { affiliateManager: 'r.manager_id' }))
}

export function insertRule(trx: Trx, values: Insertable<Tables['cold_rule']>) {
  return trx.insertInto('cold_rule').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateRule(trx: Trx, id: number, values: Updateable<Tables['cold_rule']>): Promise<void> {
  await trx.updateTable('cold_rule').set(values).where('id', '=', id).execute()
}

export function insertVersion(trx: Trx, values: Insertable<Tables['cold_rule_version']>) {
  return trx.insertInto('cold_rule_version').values(values).returning('id').executeTakeFirstOrThrow()
}

/** The versions of a rule, the latest first. */
export function listVersions(db: DbOrTrx, ruleId: number) {
  return db
    .selectFrom('cold_rule_version as v')
    .leftJoin('account as a', 'a.id', 'v.created_by')
    .select(['v.number', 'v.settings', 'v.template', 'v.created_at', 'a.name as by'])
    .where('v.rule_id', '=', ruleId)
    .orderBy('v.number', 'desc')
    .limit(51)
    .execute()
}

/** What rules took in seven days, and what became of these people in distributions since. */
export async function countWeek(db: DbOrTrx, ids: readonly number[], since: Date) {
  if (ids.length === 0) return []
  const { rows } = await sql<{ rule_id: number; queued: number; sent: number; accepted: number }>`
    select t.rule_id, count(distinct t.person_id)::int as queued,
           count(distinct t.person_id) filter (where i.sent_at is not null)::int as sent,
           count(distinct t.person_id) filter (where i.status = 'accepted')::int as accepted
      from cold_rule_person t left join recold_item i on i.person_id = t.person_id and i.list_item_id = t.list_item_id
     where t.rule_id = any(${[...ids]}::int[]) and t.at >= ${since} group by 1`.execute(db)
  return rows
}

/** Distributions a rule may make others like, by a part of their title. */
export function searchTemplates(db: DbOrTrx, scope: Scope, search: string) {
  return templates(db, scope)
    .select(['r.uuid', 'r.id', 'r.title as name'])
    .$if(search !== '', (query) => query.where(isFoundBy(search, { texts: ['r.title'], id: 'r.id', uuid: 'r.uuid' })))
    .orderBy('r.id', 'desc')
    .limit(50)
    .execute()
}

/** What is kept of such a distribution. */
export function findTemplate(db: DbOrTrx, scope: Scope, uuid: string) {
  return templates(db, scope)
    .select(['r.title', 'r.offer_id', 'r.product_ids', 'r.payout', 'r.payout_amount', 'r.schedule', 'r.pacing', 'r.data', 'r.skip'])
    .where('r.uuid', '=', uuid)
    .executeTakeFirst()
}

function templates(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('recold as r')
    .where('r.status', '<>', 'deleted')
    .where(inScope(scope, { affiliateManager: 'r.manager_id' }))
}

/** Distributions in scope by their uuids, deleted ones too: what versions were made like. */
export function nameTemplates(db: DbOrTrx, scope: Scope, uuids: readonly string[]) {
  return db
    .selectFrom('recold as r')
    .select(['r.uuid', 'r.id', 'r.title as name'])
    .where(sql<boolean>`r.uuid = any(${[...uuids]}::uuid[])`)
    .where(inScope(scope, { affiliateManager: 'r.manager_id' }))
    .execute()
}

/** Lists in scope by their uuids; archived ones too. */
export function nameLists(db: DbOrTrx, scope: Scope, uuids: readonly string[]) {
  return db
    .selectFrom('lead_list as l')
    .select(['l.uuid', 'l.id', 'l.title as name', 'l.archived_at', 'l.deleted_at'])
    .where(sql<boolean>`l.uuid = any(${[...uuids]}::uuid[])`)
    .where(inScope(scope, { affiliateManager: 'l.manager_id' }))
    .execute()
}

/** Lists a version names, locked in the order of their numbers: nobody puts one away meanwhile. */
export function lockNamedLists(trx: DbOrTrx, ids: readonly number[]) {
  return trx
    .selectFrom('lead_list')
    .select(['id', 'title', 'archived_at', 'deleted_at'])
    .where(sql<boolean>`id = any(${[...ids]}::int[])`)
    .orderBy('id')
    .forShare()
    .execute()
}
