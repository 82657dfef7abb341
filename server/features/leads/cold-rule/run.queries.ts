import { sql, type Insertable } from 'kysely'
import type { z } from 'zod'
import type { coldRuleApi } from '#contract/leads/cold-rule.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { reference } from '#server/platform/pg/reference.ts'
import type { Matched } from './match.queries.ts'

/** Takes the one place there is for a run: rules run one after the other, in the order of their priority, whoever asks. False: another worker has it. */
export async function takeTurn(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(hashtextextended('cold rules', 0)) as taken`.execute(trx)
  return rows[0]?.taken === true
}

/** The next rule whose turn it is, of those not tried before; one that somebody changes just now is left for later. */
export function takeDueRule(trx: Trx, now: Date) {
  return trx
    .selectFrom('cold_rule as r')
    .innerJoin('cold_rule_version as v', 'v.id', 'r.live_version_id')
    .select([
      'r.id',
      'r.uuid',
      'r.title',
      'r.manager_id',
      'r.team_of',
      'r.event',
      'r.failures',
      'r.next_run_at',
      'r.asked_at',
      'r.asked_by',
    ])
    .select(['v.id as version_id', 'v.settings', 'v.template', 'v.recold_id'])
    .where('r.status', '=', 'active')
    .where((where) =>
      where.or([
        where('r.asked_at', 'is not', null),
        where.and([
          where('r.next_run_at', '<=', now),
          // who waits for leads and has heard of none has nothing to do
          sql<boolean>`(r.event is null or exists (select from cold_rule_due d where d.rule_id = r.id))`,
        ]),
      ]),
    )
    .orderBy(sql`(v.settings ->> 'priority')::int`)
    .orderBy('r.id')
    .limit(1)
    .forNoKeyUpdate('r')
    .skipLocked()
    .executeTakeFirst()
}
export type DueRule = NonNullable<Awaited<ReturnType<typeof takeDueRule>>>

/** The first leads a rule has heard of. Notes that come meanwhile stay. */
export async function listHeard(trx: Trx, ruleId: number, most: number): Promise<{ id: string; session_id: string }[]> {
  return trx.selectFrom('cold_rule_due').select(['id', 'session_id']).where('rule_id', '=', ruleId).orderBy('id').limit(most).execute()
}

/** Drops notes that were looked at; without any named, all of a rule. */
export async function dropHeard(trx: Trx, ruleId: number, ids?: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('cold_rule_due')
    .where('rule_id', '=', ruleId)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${[...(ids ?? [])]}::bigint[])`))
    .execute()
}

/** How many people a rule has taken since a moment. */
export async function countTaken(trx: DbOrTrx, ruleId: number, since: Date): Promise<number> {
  const { taken } = await trx
    .selectFrom('cold_rule_person')
    .select(sql<number>`count(*)::int`.as('taken'))
    .where('rule_id', '=', ruleId)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow()
  return taken
}

/** Puts people into a list and notes that the rule has taken them, in one statement: nobody twice. Answers how many. */
export async function takePeople(
  trx: Trx,
  { ruleId, listId, people, at }: { ruleId: number; listId: number; people: readonly Matched[]; at: Date },
): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with added as (
      insert into lead_list_item (list_id, person_id, source, session_id, affiliate_id, country, via, added_at)
      select ${listId}, e.person_id, 'session', e.session_id, e.affiliate_id, e.country, 'rule', ${at}::timestamptz
        from unnest(${people.map(({ session_id }) => session_id)}::bigint[], ${people.map(({ person_id }) => person_id)}::bigint[],
                    ${people.map(({ affiliate_id }) => affiliate_id)}::int[], ${people.map(({ country }) => country)}::text[])
               with ordinality as e (session_id, person_id, affiliate_id, country, place)
       order by e.place
      on conflict (list_id, person_id) do nothing returning id, person_id),
    taken as (
      insert into cold_rule_person (rule_id, person_id, list_item_id, at)
      select ${ruleId}, person_id, id, ${at}::timestamptz from added
      on conflict (rule_id, person_id) do nothing returning 1)
    select count(*)::int as taken from taken`.execute(trx)
  return rows[0]?.taken ?? 0
}

/** Keeps a list from being put away, and from whoever else adds to it, until the transaction is over. */
export function lockTargetList(trx: Trx, by: { uuid: string } | { id: number }) {
  return trx
    .selectFrom('lead_list')
    .select(['id', 'title'])
    .where((where) => ('id' in by ? where('id', '=', by.id) : where('uuid', '=', by.uuid)))
    .where('deleted_at', 'is', null)
    .where('archived_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** The distribution of a version, kept as it is until the transaction is over: nobody ends it while people are added. */
export function lockRecold(trx: Trx, id: number) {
  return trx.selectFrom('recold').select(['id', 'list_id', 'status']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export async function keepRecold(trx: Trx, versionId: number, recoldId: number): Promise<void> {
  await trx.updateTable('cold_rule_version').set({ recold_id: recoldId }).where('id', '=', versionId).execute()
}

/** The account of a team lead. */
export async function findOwner(db: DbOrTrx, managerId: number): Promise<number | undefined> {
  const found = await db.selectFrom('manager').select('account_id').where('id', '=', managerId).executeTakeFirst()
  return found?.account_id
}

export async function insertRun(trx: Trx, values: Insertable<Tables['cold_rule_run']>): Promise<void> {
  await trx.insertInto('cold_rule_run').values(values).execute()
}

/** Drops runs that are older than the log is kept; the dry run that lets a version start stays. */
export async function deleteOldRuns(trx: Trx, before: Date): Promise<void> {
  await trx.deleteFrom('cold_rule_run').where('at', '<', before).where('kind', '<>', 'dry').execute()
}

/** One page of what a rule has done. */
export async function listRuns(db: DbOrTrx, ruleId: number, asked: z.output<typeof coldRuleApi.runs.body>) {
  const found = runs(db)
    .where('n.rule_id', '=', ruleId)
    .$if(asked.kind.length > 0, (query) => query.where('n.kind', 'in', asked.kind))
  const [{ rows }, list] = await Promise.all([
    found
      .clearSelect()
      .select(sql<number>`count(*)::int`.as('rows'))
      .executeTakeFirstOrThrow(),
    found
      .orderBy('n.id', 'desc')
      .limit(asked.count)
      .offset((asked.page - 1) * asked.count)
      .execute(),
  ])
  return { rows, list }
}

/** The last run of each of some rules that was no dry one. */
export function lastRuns(db: DbOrTrx, ids: readonly number[]) {
  return runs(db)
    .where(
      sql<boolean>`n.id in (select l.id from unnest(${[...ids]}::int[]) as e (id)
        cross join lateral (select id from cold_rule_run where rule_id = e.id and kind <> 'dry' order by id desc limit 1) l)`,
    )
    .execute()
}
export type RunRow = Awaited<ReturnType<typeof lastRuns>>[number]

function runs(db: DbOrTrx) {
  return db
    .selectFrom('cold_rule_run as n')
    .innerJoin('cold_rule_version as v', 'v.id', 'n.version_id')
    .leftJoin('lead_list as l', 'l.id', 'n.list_id')
    .leftJoin('recold as d', 'd.id', 'n.recold_id')
    .leftJoin('account as a', 'a.id', 'n.by_id')
    .select(['n.uuid', 'n.rule_id', 'n.kind', 'n.at', 'n.matched', 'n.queued', 'n.skipped', 'n.error', 'v.number', 'a.name as by'])
    .select([
      reference({ uuid: 'l.uuid', id: 'l.id', name: 'l.title' }).as('list'),
      reference({ uuid: 'd.uuid', id: 'd.id', name: 'd.title' }).as('recold'),
    ])
}
