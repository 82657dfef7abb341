import { sql } from 'kysely'
import type { z } from 'zod'
import type { productHealthApi } from '#contract/leads/product-health.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { isCreditBlocked } from '#server/features/money/advertiser-billing/credit.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { words } from '#server/platform/pg/words.ts'
import { REFUSED, TOOK } from '#server/rules/lead/states.ts'

type Asked = z.output<typeof productHealthApi.list.body>

/** Products of advertisers in scope with how their breaker and their list stand. */
export function listHealth(db: Db, scope: Scope, now: Date, asked: Asked) {
  const found = db
    .selectFrom('product as p')
    .innerJoin('advertiser as d', 'd.id', 'p.advertiser_id')
    .leftJoin('product_pull as q', 'q.product_id', 'p.id')
    .select(['p.uuid', 'p.id', 'p.title', 'p.failures', 'p.rests_until', 'p.blocked', 'p.caps', 'p.time_zone', 'p.hours', 'p.status'])
    .select(['d.uuid as advertiser_uuid', 'd.id as advertiser_id', 'd.name as advertiser', 'd.status as advertiser_status'])
    .select(isCreditBlocked('d.id').as('credit_blocked'))
    .select(sql<boolean>`coalesce(p.tested_version_id = p.version_id, false)`.as('ready'))
    .select([sql<number>`coalesce(q.silent, 0)`.as('silent'), sql<string>`coalesce(q.error, '')`.as('pull_error')])
    .where('p.status', '!=', 'archived')
    .where(inScope(scope, { advertiserManager: 'd.manager_id' }))
    .$if(asked.product_uuid.length > 0, (query) => query.where('p.uuid', 'in', asked.product_uuid))
    .$if(asked.stopped, (query) => query.where((or) => or.or([or('p.blocked', '=', true), or('p.rests_until', '>', now)])))
  return listPage(found, { id: 'p.id', title: 'p.title', advertiser: 'd.name' }, asked)
}

export type Counted = {
  product_id: number
  sent: number
  unsendable: number
  accepted: number
  rejected: number
  duplicate: number
  no_capacity: number
  error: number
  ambiguous: number
  p50: number | null
  p95: number | null
  last_accepted_at: Date | null
  last_status_at: Date | null
}

/** What products' sends since then came to: by the index of a product's sends in time, tests left out. An invalid one was never made, so nobody answered it. */
export async function countSends(db: Db, productIds: readonly number[], since: Date): Promise<Map<number, Counted>> {
  const { rows } = await sql<Counted>`
    with recent as materialized (
      select n.id, n.product_id, n.status, n.asked_at,
             case when n.status <> 'invalid' then extract(epoch from n.answered_at - n.asked_at) * 1000 end as took
        from lead_send n join user_session s on s.id = n.session_id
       where n.product_id = any(${productIds}::int[]) and n.asked_at > ${since} and not s.test)
    select product_id, count(*) filter (where status <> 'invalid')::int as sent,
           count(*) filter (where status = 'invalid')::int as unsendable,
           count(*) filter (where status in (${words(TOOK)}))::int as accepted,
           count(*) filter (where status = 'rejected')::int as rejected,
           count(*) filter (where status = 'duplicate')::int as duplicate,
           count(*) filter (where status = 'no_capacity')::int as no_capacity,
           count(*) filter (where status = 'error')::int as error,
           count(*) filter (where status = 'ambiguous')::int as ambiguous,
           round(percentile_cont(0.5) within group (order by took))::int as p50,
           round(percentile_cont(0.95) within group (order by took))::int as p95,
           max(asked_at) filter (where status in (${words(TOOK)})) as last_accepted_at,
           (select max(u.at) from recent r join lead_status u on u.send_id = r.id where r.product_id = recent.product_id) as last_status_at
      from recent group by product_id`.execute(db)
  return new Map(rows.map((row) => [row.product_id, row]))
}

export type Reason = { product_id: number; status: string; reason: string; count: number }

/** Why leads were not taken, the five most frequent of each product; what looks like a contact is taken out of the words. */
export async function listReasons(db: Db, productIds: readonly number[], since: Date): Promise<Reason[]> {
  const { rows } = await sql<Reason>`
    select product_id, status, reason, count from (
      select product_id, status, reason, count(*)::int as count,
             row_number() over (partition by product_id order by count(*) desc, reason) as place
        from (select n.product_id, n.status,
                     left(regexp_replace(n.reason, '[^[:space:]]+@[^[:space:]]+|[+]?[0-9][0-9 ().-]{5,}[0-9]', '•••', 'g'), 160) as reason
                from lead_send n join user_session s on s.id = n.session_id
               where n.product_id = any(${productIds}::int[]) and n.asked_at > ${since} and not s.test
                 and n.status in (${words(REFUSED)}, 'invalid', 'no_capacity', 'error', 'ambiguous')) said
       group by product_id, status, reason) ranked
     where place <= 5 order by product_id, count desc, reason`.execute(db)
  return rows
}

/** The offers products stand in, with the terms of their places; at most 500. */
export function listPlaces(db: Db, productIds: readonly number[]) {
  return db
    .selectFrom('offer_member as m')
    .innerJoin('offer_group as g', 'g.id', 'm.group_id')
    .innerJoin('offer as o', 'o.id', 'g.offer_id')
    .select(['m.id', 'm.product_id', 'm.terms', 'o.uuid', 'o.id as offer_id', 'o.title'])
    .where('m.product_id', 'in', [...productIds])
    .where('o.status', '!=', 'archived')
    .orderBy('o.id')
    .orderBy('m.id')
    .limit(500)
    .execute()
}
