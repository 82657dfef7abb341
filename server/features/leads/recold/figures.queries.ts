import { sql, type RawBuilder } from 'kysely'
import type { RecoldGrouping } from '#contract/leads/recold-figures.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { words } from '#server/platform/pg/words.ts'
import { TOOK } from '#server/rules/lead/states.ts'

/** Which second sales: of one distribution or of all in scope, sent within those moments. */
export type Of = { scope: Scope; uuid: string | null; from: Date | null; to: Date | null }
/** What a row is about: `by` null = everything; `key` 0 = nobody, or whoever the caller does not see. */
type Key = { by: RecoldGrouping | null; key: number }

/**
 * The people that were sent, as far as they are in scope: how old they were (a number of `AGES`), whose they were and what they first came for. Of those who
 * came in a file neither is known.
 */
function sentItems({ scope, uuid, from, to }: Of): RawBuilder<unknown> {
  return sql`
    select i.id, i.person_id, i.status, i.sent_at, i.session_id, s.click_id,
           width_bucket(extract(epoch from i.sent_at - coalesce(o.received_at, (s.told ->> 'registered_at')::timestamptz, i.sent_at))::float8 / 86400,
                        array[7, 30, 90, 180, 365]::float8[]) as age,
           coalesce(case when t.affiliate_id is not null and ${isInScope(scope, { affiliateManager: 'f.manager_id' })} then t.affiliate_id end, 0) as source,
           coalesce(o.offer_id, 0) as offer
      from recold_item i join recold r on r.id = i.recold_id join user_session s on s.id = i.session_id
      join lead_list_item t on t.id = i.list_item_id
      left join user_session o on o.id = t.session_id
      left join affiliate f on f.id = t.affiliate_id
     where i.sent_at is not null and ${inScope(scope, { affiliateManager: 'r.manager_id' })}
       and (t.affiliate_id is null or ${isInScope(scope, { affiliateManager: 'f.manager_id' })})
       and (${uuid}::uuid is null or r.uuid = ${uuid}::uuid)
       and (${from}::timestamptz is null or i.sent_at >= ${from}) and (${to}::timestamptz is null or i.sent_at < ${to})`
}

const SETS = sql.raw('grouping sets ((), (age), (source), (offer))')
const KEYS =
  sql.raw(`case when grouping(age) = 0 then 'age' when grouping(source) = 0 then 'source' when grouping(offer) = 0 then 'offer' end as by,
  coalesce(age, source, offer, 0) as key`)

/** How many were sent and taken. */
export async function countSent(db: DbOrTrx, of: Of): Promise<(Key & { sent: number; accepted: number })[]> {
  const { rows } = await sql<Key & { sent: number; accepted: number }>`
    with sold as (${sentItems(of)})
    select ${KEYS}, count(*)::int as sent, (count(*) filter (where status = 'accepted'))::int as accepted from sold group by ${SETS}`.execute(
    db,
  )
  return rows
}

/** What advertisers were asked, and took. */
export async function countAsked(db: DbOrTrx, of: Of): Promise<(Key & { sent: number; accepted: number })[]> {
  const { rows } = await sql<Key & { sent: number; accepted: number }>`
    with sold as (${sentItems(of)})
    select 'advertiser' as by, ${advertiserSeen(of.scope)} as key, count(*)::int as sent,
           (count(*) filter (where n.status in (${words(TOOK)})))::int as accepted
      from sold join lead_send n on n.session_id = sold.session_id join advertiser v on v.id = n.advertiser_id group by 2`.execute(db)
  return rows
}

export type Earned = Key & { currency: string; conversions: number; revenue: string; payout: string }

/** What they brought and who brought them was paid, by currency: conversions of second sales are few, and found by themselves. */
export async function readBrought(db: DbOrTrx, of: Of): Promise<Earned[]> {
  const { rows } = await sql<Earned>`
    with sold as (${sentItems(of)}),
    brought as (
      select sold.age, sold.source, sold.offer, ${advertiserSeen(of.scope)} as advertiser, c.currency, c.revenue, c.payout, c.status
        from conversion c join sold on sold.click_id = c.click_id join advertiser v on v.id = c.advertiser_id
       where c.carried ->> 'traffic' = 'cold' and c.status in ('approved', 'hold', 'pending') and c.revenue > 0)
    select case when grouping(age) = 0 then 'age' when grouping(source) = 0 then 'source' when grouping(offer) = 0 then 'offer'
                when grouping(advertiser) = 0 then 'advertiser' end as by,
           coalesce(age, source, offer, advertiser, 0) as key, currency, count(*)::int as conversions,
           coalesce(sum(revenue) filter (where status <> 'pending'), 0)::text as revenue,
           coalesce(sum(payout) filter (where status <> 'pending'), 0)::text as payout
      from brought group by grouping sets ((currency), (currency, age), (currency, source), (currency, offer), (currency, advertiser))
     order by currency`.execute(db)
  return rows
}

export type Complained = Key & { complaints: number; opt_outs: number }

/**
 * Who complained or wished no more of it after they were sent, each person once, those who were erased since too; one who was sent several
 * times says it of the last time.
 */
export async function countComplaints(db: DbOrTrx, of: Of): Promise<Complained[]> {
  const { rows } = await sql<Complained>`
    with sold as (${sentItems(of)}),
    said as (
      select distinct on (x.person_id, x.complaint) sold.age, sold.source, sold.offer, x.complaint
        from (select p.id as person_id, s.created_at as at, s.reason = 'complaint' as complaint
                from suppression s join person p on (s.kind = 'phone' and p.phone_hash = s.hash) or (s.kind = 'email' and p.email_hash = s.hash)
               where s.reason in ('complaint', 'opt_out', 'dnc', 'litigator')
              union all
              select e.person_id, e.complained_at, true from person_erasure e where e.complained_at is not null
              union all
              select e.person_id, e.opted_out_at, false from person_erasure e where e.opted_out_at is not null
              union all
              select c.person_id, c.changed_at, false from user_session c where c.traffic_type = 'cold' and c.call_status = 'do_not_call') as x
        join sold on sold.person_id = x.person_id and sold.sent_at <= x.at
       order by x.person_id, x.complaint, sold.sent_at desc)
    select ${KEYS}, (count(*) filter (where complaint))::int as complaints, (count(*) filter (where not complaint))::int as opt_outs
      from said group by ${SETS}`.execute(db)
  return rows
}

function advertiserSeen(scope: Scope): RawBuilder<number> {
  return sql`case when ${isInScope(scope, { advertiserManager: 'v.manager_id' })} then v.id else 0 end`
}

/** What people, offers and advertisers are called. */
export async function nameKeys(db: DbOrTrx, keys: Record<Exclude<RecoldGrouping, 'age'>, readonly number[]>) {
  const { rows } = await sql<{ by: RecoldGrouping; uuid: string; id: number; name: string }>`
    select 'source' as by, a.uuid, f.id, a.name from affiliate f join account a on a.id = f.account_id where f.id = any(${[...keys.source]}::int[])
    union all select 'offer', uuid, id, title from offer where id = any(${[...keys.offer]}::int[])
    union all select 'advertiser', uuid, id, name from advertiser where id = any(${[...keys.advertiser]}::int[])`.execute(db)
  return new Map(rows.map(({ by, ...name }) => [`${by} ${name.id}`, name]))
}
