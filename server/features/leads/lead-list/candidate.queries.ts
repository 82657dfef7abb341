import { sql, type RawBuilder } from 'kysely'
import { MOST_ADDED, type LeftOut } from '#contract/leads/lead-list.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { conversionsFound } from '#server/features/traffic/conversion/conversion.queries.ts'
import { SENDS_OF_PERSON } from '#server/features/leads/session/session.queries.ts'
import type { Found } from '#server/features/leads/user-session/user-session.queries.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** What narrows those who may be added, with the advertisers it names by their numbers. */
export type Narrowed = {
  not_listed: boolean
  notSentTo: readonly number[]
  /** Received in between. */
  since: Date | null
  before: Date | null
  /** Chosen rows; empty = all. */
  uuids: readonly string[]
}
type Sessions = Found
type Conversions = Awaited<ReturnType<typeof conversionsFound>>['found']

/** Of some sessions those that may be in a list: of affiliates in scope, which were no second sale themselves. */
export function candidateSessions(found: Sessions, scope: Scope, narrowed: Narrowed): Sessions {
  return found
    .where('s.traffic_type', '=', 'warm')
    .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
    .where(isNarrowed(scope, narrowed))
    .$if(narrowed.uuids.length > 0, (query) => query.where('s.uuid', 'in', [...narrowed.uuids]))
}

/** The same of conversions: those of a lead. */
export function candidateConversions(found: Conversions, scope: Scope, narrowed: Narrowed): Conversions {
  return found
    .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
    .where(
      sql<boolean>`exists (select from user_session s where s.click_id = c.click_id and s.traffic_type = 'warm' and ${isNarrowed(scope, narrowed)})`,
    )
    .$if(narrowed.uuids.length > 0, (query) => query.where('c.uuid', 'in', [...narrowed.uuids]))
}

function isNarrowed(scope: Scope, { not_listed, notSentTo, since, before }: Narrowed): RawBuilder<boolean> {
  const limits: RawBuilder<unknown>[] = []
  if (since !== null) limits.push(sql`s.received_at >= ${since}`)
  if (before !== null) limits.push(sql`s.received_at <= ${before}`)
  // lists of others are nobody's to know
  if (not_listed)
    limits.push(sql`not exists (select from lead_list_item i join lead_list l on l.id = i.list_id
      where i.person_id = s.person_id and i.removed_at is null and l.deleted_at is null and ${inScope(scope, { affiliateManager: 'l.manager_id' })})`)
  if (notSentTo.length > 0)
    limits.push(sql`not exists (select from ${SENDS_OF_PERSON} where e.advertiser_id = any(${[...notSentTo]}::int[]))`)
  return limits.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(limits, sql` and `)})`
}

/** Why the people of some leads, by their sessions' numbers or click ids, are not taken into a list; who may be is not named. */
export async function leftOutOf(
  db: DbOrTrx,
  listId: number,
  by: { sessionIds: readonly string[] } | { clickIds: readonly string[] },
): Promise<Map<string, LeftOut>> {
  const ids = 'sessionIds' in by ? by.sessionIds : by.clickIds
  if (ids.length === 0) return new Map()
  const key = 'sessionIds' in by ? sql`s.id` : sql`s.click_id`
  const keys = 'sessionIds' in by ? sql`${[...ids]}::bigint[]` : sql`${[...ids]}::text[]`
  const { rows } = await sql<{ key: string; reason: LeftOut | null }>`
    select ${key}::text as key, ${reasonOf({ erased: sql`p.erased_at`, restricted: sql`p.restricted_at`, test: sql`p.test or s.test`, suppressed: sql`p.suppressed_at` })} as reason
      from user_session s join person p on p.id = s.person_id
      left join lead_list_item i on i.list_id = ${listId} and i.person_id = s.person_id
     where ${key} = any(${keys})`.execute(db)
  return new Map(rows.flatMap(({ key: one, reason }) => (reason === null ? [] : [[one, reason] as const])))
}

/** The first reason that holds, of a person and their row `i` of the list, if there is one; null = none. */
export function reasonOf({
  erased,
  restricted,
  test,
  suppressed,
}: Record<'erased' | 'restricted' | 'test' | 'suppressed', RawBuilder<unknown>>) {
  return sql<LeftOut | null>`case when ${erased} is not null then 'erased' when ${restricted} is not null then 'restricted' when ${test} then 'test' when ${suppressed} is not null then 'suppressed'
    when i.id is not null and i.removed_at is null then 'in_list' when i.id is not null then 'removed' end`
}

type Candidates = { sessions: Sessions } | { conversions: Conversions }
type Adding = { via: 'manual' | 'filter'; accountId: number; at: Date }
export type Counted = { found: number; added: number; reasons: { reason: LeftOut; rows: number }[] }

/** How many people would be added, and how many rows not, by the first reason; `found` stops counting behind what one call may add. */
export async function countCandidates(db: Db, listId: number, candidates: Candidates): Promise<Counted> {
  const { rows } = await sql<{ reason: LeftOut | null; rows: number; found: number }>`
    with ${judged(listId, candidates)}
    select reason, count(*)::int as rows, (select count(*) from found)::int as found from judged group by 1`.execute(db)
  return {
    found: rows[0]?.found ?? 0,
    added: rows.find(({ reason }) => reason === null)?.rows ?? 0,
    reasons: reasonsIn(rows),
  }
}

/** Adds the people, each once, by the newest of their leads, in one statement; where there are more rows than one call may add, nothing. Who adds has locked the list. */
export async function addCandidates(trx: Trx, listId: number, candidates: Candidates, { via, accountId, at }: Adding): Promise<Counted> {
  const source = 'sessions' in candidates ? 'session' : 'conversion'
  const { rows } = await sql<{ reason: LeftOut | null; rows: number; found: number; added: number }>`
    with ${judged(listId, candidates)}, added as (
      insert into lead_list_item (list_id, person_id, source, session_id, conversion_id, affiliate_id, country, via, added_by, added_at)
      select ${listId}, person_id, ${source}, session_id, conversion_id, affiliate_id, country, ${via}, ${accountId}::int, ${at}::timestamptz
        from judged where reason is null and (select count(*) from found) <= ${MOST_ADDED}
       order by received_at, session_id
      on conflict (list_id, person_id) do nothing returning 1)
    select reason, count(*)::int as rows, (select count(*) from found)::int as found, (select count(*) from added)::int as added
      from judged group by 1`.execute(trx)
  return { found: rows[0]?.found ?? 0, added: rows[0]?.added ?? 0, reasons: reasonsIn(rows) }
}

function reasonsIn(rows: readonly { reason: LeftOut | null; rows: number }[]) {
  return rows.flatMap(({ reason, rows: count }) => (reason === null ? [] : [{ reason, rows: count }]))
}

/** `found`: the rows, one more than one call may add; `judged`: each with why it is left out, null for the newest of each person. */
function judged(listId: number, candidates: Candidates) {
  return sql`found as materialized (${foundIn(candidates)}), reasoned as (
      select f.*, ${reasonOf({ erased: sql`f.erased_at`, restricted: sql`f.restricted_at`, test: sql`f.test`, suppressed: sql`f.suppressed_at` })} as reason
        from found f left join lead_list_item i on i.list_id = ${listId} and i.person_id = f.person_id), judged as (
      select r.session_id, r.person_id, r.affiliate_id, r.country, r.received_at, r.conversion_id, coalesce(r.reason, case when row_number()
        over (partition by r.person_id order by r.received_at desc, r.session_id desc, r.conversion_id desc) > 1 then 'duplicate' end) as reason
        from reasoned r)`
}

function foundIn(candidates: Candidates) {
  const most = MOST_ADDED + 1
  if ('sessions' in candidates)
    return candidates.sessions
      .select([
        's.id as session_id',
        's.person_id',
        's.affiliate_id',
        's.country',
        's.received_at',
        'p.erased_at',
        'p.restricted_at',
        'p.suppressed_at',
      ])
      .select([sql<string | null>`null::bigint`.as('conversion_id'), sql<boolean>`p.test or s.test`.as('test')])
      .orderBy('s.received_at', 'desc')
      .limit(most)
  return candidates.conversions
    .innerJoin('user_session as s', 's.click_id', 'c.click_id')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select([
      's.id as session_id',
      's.person_id',
      's.affiliate_id',
      's.country',
      's.received_at',
      'p.erased_at',
      'p.restricted_at',
      'p.suppressed_at',
    ])
    .select(['c.id as conversion_id', sql<boolean>`p.test or s.test`.as('test')])
    .orderBy('c.created_at', 'desc')
    .limit(most)
}
