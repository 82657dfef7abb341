import { sql, type RawBuilder } from 'kysely'
import type { ColdRuleSettings, ColdRuleSkip } from '#contract/leads/cold-rule.ts'
import { inScope } from '#server/access/in-scope.ts'
import { reasonOf } from '#server/features/leads/lead-list/candidate.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { words } from '#server/platform/pg/words.ts'
import { OPEN_LEADS } from '#server/rules/lead/states.ts'
import { isAsTold, isOfAudience, type Reading } from './audience.queries.ts'

/** So many of the newest leads a rule matches are looked at by one run. */
export const MOST_MATCHED = 100_000
const DAY = 86_400_000

export type Matching = {
  settings: Omit<ColdRuleSettings, 'action'>
  reading: Reading
  /** 0 = it is not saved yet. */
  ruleId: number
  /** The list they would come into; 0 = a new one. */
  listId: number
  /** The leads it has heard of; null = all there are. */
  heard: readonly string[] | null
  /** So many of those who may be taken are named. */
  most: number
}
export type Matched = { session_id: string; person_id: string; affiliate_id: number; country: string }
export type Matches = {
  /** All people and leads it matches, but those it has taken before. */
  found: number
  counts: Partial<Record<ColdRuleSkip, number>>
  /** Who may be taken, and the first of them: of leads it heard of the oldest, else the newest. */
  free: number
  rows: Matched[]
}

/** Whom a rule matches now, and who of them may be taken: what is counted, tried and done is the same. */
export async function findMatches(db: DbOrTrx, { settings, reading, ruleId, listId, heard, most }: Matching): Promise<Matches> {
  const { now, scope } = reading
  const order = heard === null ? sql`received_at desc, session_id desc` : sql`received_at, session_id`
  const since = new Date(now - settings.within_days * DAY)
  const { rows } = await sql<{ reasons: Partial<Record<ColdRuleSkip | 'free', number>> | null; found: number; rows: Matched[] | null }>`
    with found as materialized (
      select s.id as session_id, s.person_id, s.affiliate_id, s.country, s.received_at, s.status in (${words(OPEN_LEADS)}) as open, p.erased_at, p.restricted_at, p.suppressed_at,
             p.test or s.test as test
        from user_session s join person p on p.id = s.person_id join affiliate f on f.id = s.affiliate_id
             join api_offer l on l.offer_id = s.offer_id
       where s.traffic_type = 'warm' and s.received_at >= ${since} and s.received_at <= ${new Date(now)}
         and ${heard === null ? sql`true` : sql`s.id = any(${[...heard]}::bigint[])`}
         and ${inScope(scope, { affiliateManager: 'f.manager_id' })}
         and ${isAsTold(settings.trigger, now)} and ${isOfAudience(settings.audience, reading)}
         and not exists (select from cold_rule_person t where t.rule_id = ${ruleId} and t.person_id = s.person_id)
       order by s.received_at desc limit ${MOST_MATCHED + 1}),
    reasoned as (
      select f.*, coalesce(${reasonOf({ erased: sql`f.erased_at`, restricted: sql`f.restricted_at`, test: sql`f.test`, suppressed: sql`f.suppressed_at` })},
                           case when f.open then 'open' when ${isStopped(settings.priority, ruleId)} then 'stopped' end) as reason
        from found f left join lead_list_item i on i.list_id = ${listId} and i.person_id = f.person_id),
    judged as (
      select r.*, coalesce(r.reason, case when row_number() over (partition by r.person_id order by r.received_at desc, r.session_id desc) > 1
                                          then 'duplicate' end, 'free') as what
        from reasoned r)
    select (select json_object_agg(what, people) from (select what, count(*)::int as people from judged group by 1) c) as reasons,
           (select count(*)::int from found) as found,
           (select json_agg(json_build_object('session_id', session_id::text, 'person_id', person_id::text, 'affiliate_id', affiliate_id, 'country', country) order by ${order})
              from (select * from judged where what = 'free' order by ${order} limit ${most}) e) as rows`.execute(db)
  const { free = 0, ...counts } = rows[0]?.reasons ?? {}
  return { found: rows[0]?.found ?? 0, counts, free, rows: rows[0]?.rows ?? [] }
}

/** Whether a rule before this one has taken the person and lets none behind it. */
function isStopped(priority: number, ruleId: number): RawBuilder<boolean> {
  return sql`exists (select from cold_rule_person t join cold_rule o on o.id = t.rule_id join cold_rule_version v on v.id = o.live_version_id
    where t.person_id = f.person_id and o.status <> 'archived' and (v.settings ->> 'stops')::boolean
      and (${ruleId}::int = 0 or o.id <> ${ruleId}::int)
      and ((v.settings ->> 'priority')::int, o.id) < (${priority}::int, ${ruleId === 0 ? sql`2147483647` : sql`${ruleId}::int`}))`
}

/** Some leads with what a sample shows of them, in whatever order. */
export function listSampled(db: DbOrTrx, sessionIds: readonly string[]) {
  return db
    .selectFrom('user_session as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .innerJoin('offer as o', 'o.id', 's.offer_id')
    .innerJoin('affiliate as f', 'f.id', 's.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['s.id', 's.uuid', 's.sealed', 's.country', 's.status', 's.call_status', 's.received_at', 'p.erased_at'])
    .select(['o.uuid as offer_uuid', 'o.id as offer_number', 'o.title as offer_title'])
    .select(['a.uuid as affiliate_uuid', 'f.id as affiliate_number', 'a.name as affiliate_name'])
    .where(sql<boolean>`s.id = any(${[...sessionIds]}::bigint[])`)
    .execute()
}
export type SampledRow = Awaited<ReturnType<typeof listSampled>>[number]
