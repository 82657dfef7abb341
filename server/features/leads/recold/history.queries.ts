import { sql } from 'kysely'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import type { TrafficType } from '#contract/leads/traffic-type.ts'
import { isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { words } from '#server/platform/pg/words.ts'
import { HAS_IT } from '#server/rules/lead/states.ts'

/** So many of the newest leads of either traffic are looked at. */
const MOST_LOOKED_AT = 5_000
const DAY = 86_400_000
/** What comes of a lead has mostly come after so many days; younger ones would say less than there is. */
export const RIPE_DAYS = 7
const OLDEST_DAYS = 400

/**
 * What leads of a kind came to that were sold until a moment, in scope: by traffic, age in days when they were sold, week, whose they were and who had
 * them or was asked last. Revenue and payout of those that brought money, in one currency; payout null = the network's own affiliate had it.
 */
export async function readPastSales(
  db: DbOrTrx,
  scope: Scope,
  of: { type: IntegrationType; currency: string; until: number },
): Promise<PastRow[]> {
  const ripe = new Date(of.until - RIPE_DAYS * DAY)
  const oldest = new Date(of.until - OLDEST_DAYS * DAY)
  const some = (traffic: TrafficType) => sql`
    (select s.id, s.traffic_type, s.click_id, s.received_at, s.told, s.affiliate_id
       from user_session s join api_offer l on l.offer_id = s.offer_id
      where s.traffic_type = ${sql.lit(traffic)} and l.integration_type = ${of.type} and not s.test
        and s.received_at < ${ripe} and s.received_at >= ${oldest}
        and exists (select 1 from lead_send n where n.session_id = s.id)
      order by s.received_at desc limit ${MOST_LOOKED_AT})`
  const { rows } = await sql<PastRow>`
    with sold as (${some('warm')} union all ${some('cold')})
    select s.traffic_type as traffic, floor(extract(epoch from s.received_at) / 604800)::int as week,
           case when s.traffic_type = 'cold'
             then greatest(0, floor(extract(epoch from s.received_at - coalesce((s.told ->> 'registered_at')::timestamptz, s.received_at)) / 86400))::int end as days,
           coalesce(i.affiliate_id, case when s.traffic_type = 'warm' then s.affiliate_id end, 0) as source,
           coalesce(n.advertiser_id, 0) as advertiser,
           count(*)::int as leads, (count(*) filter (where m.revenue > 0))::int as paid,
           coalesce(array_agg(m.own::text) filter (where m.own > 0), '{}') as revenues,
           coalesce(array_agg(case when not h.house then m.payout::text end) filter (where m.own > 0), '{}') as payouts
      from sold s
      join affiliate h on h.id = s.affiliate_id
      left join recold_item r on r.session_id = s.id
      left join lead_list_item i on i.id = r.list_item_id
      left join affiliate f on f.id = coalesce(i.affiliate_id, case when s.traffic_type = 'warm' then s.affiliate_id end)
      cross join lateral (select t.advertiser_id from lead_send t where t.session_id = s.id
         order by t.status in (${words(HAS_IT)}) desc, t.id desc limit 1) as n
      cross join lateral (select sum(c.revenue) as revenue, sum(c.revenue) filter (where c.currency = ${of.currency}) as own,
                                 sum(c.payout) filter (where c.currency = ${of.currency}) as payout
         from conversion c where c.click_id = s.click_id and c.status in ('approved', 'hold') and c.created_at < ${new Date(of.until)}) as m
     where ${isInScope(scope, { affiliateManager: 'f.manager_id' })}
     group by 1, 2, 3, 4, 5`.execute(db)
  return rows
}

export type PastRow = {
  traffic: TrafficType
  week: number
  /** Of warm leads null. */
  days: number | null
  source: number
  advertiser: number
  leads: number
  paid: number
  revenues: string[]
  payouts: (string | null)[]
}
