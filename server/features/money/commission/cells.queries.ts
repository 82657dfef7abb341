import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** What an affiliate and an advertiser came to together in a month; one of them is null where it concerns the other alone. */
export type Cell = {
  affiliate_id: number | null
  advertiser_id: number | null
  currency: Currency
  revenue: string
  payout: string
  costs: string
}

/**
 * What the entries of a month come to, by whose they are: revenue and payout of conversions by both sides, what else an account cost
 * by itself. Amounts are above zero where they grow; the month is that of the booking.
 */
export async function sumCells(db: DbOrTrx, from: Date, to: Date): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    select case when a.kind in ('network_revenue', 'advertiser_write_off') then c.affiliate_id else a.owner_id end as affiliate_id,
           case when a.kind in ('network_revenue', 'advertiser_write_off') then a.owner_id else c.advertiser_id end as advertiser_id, a.currency,
           coalesce(-sum(e.amount) filter (where a.kind = 'network_revenue'), 0)::text as revenue,
           coalesce(sum(e.amount) filter (where a.kind = 'payout_cost'), 0)::text as payout,
           coalesce(sum(e.amount) filter (where a.kind not in ('network_revenue', 'payout_cost')), 0)::text as costs
      from ledger_transfer t join ledger_entry e on e.transfer_id = t.id join ledger_account a on a.id = e.account_id
      left join conversion c on c.id = t.conversion_id
     where t.booked_at >= ${from} and t.booked_at < ${to}
       and a.kind in ('network_revenue', 'payout_cost', 'referral_cost', 'bonus_cost', 'correction_cost', 'affiliate_write_off', 'advertiser_write_off')
     group by 1, 2, 3`.execute(db)
  return rows
}

export type Kind = 'affiliate' | 'advertiser'
export type Owned = { kind: Kind; id: number; uuid: string; name: string; manager_id: number | null }

/** Whose affiliates and advertisers were at a moment: as they are, but for what the log says has changed since. */
export async function ownersAt(db: DbOrTrx, at: Date): Promise<Owned[]> {
  const { rows } = await sql<Owned>`
    with later as (
      select distinct on (entity, entity_id) entity, entity_id, before ->> 'manager_uuid' as manager_uuid from audit
       where at >= ${at} and entity in ('affiliate', 'advertiser') and before ? 'manager_uuid' order by entity, entity_id, audit.at, id
    ), things as (
      select 'affiliate' as kind, f.id, a.uuid, a.name, f.manager_id from affiliate f join account a on a.id = f.account_id
      union all select 'advertiser', v.id, v.uuid, v.name, v.manager_id from advertiser v
    )
    select t.kind, t.id, t.uuid, t.name, case when l.entity is null then t.manager_id else m.id end as manager_id
      from things t left join later l on l.entity = t.kind and l.entity_id = t.id::text
      left join account o on o.uuid::text = l.manager_uuid left join manager m on m.account_id = o.id`.execute(db)
  return rows
}

export type ChangeRow = {
  at: Date
  kind: Kind
  id: number
  from_uuid: string | null
  to_uuid: string | null
  from_name: string
  to_name: string
}

/** What was given to another manager within a month, in order; at most so many. */
export async function listAssigned(db: DbOrTrx, from: Date, to: Date, most: number): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select l.at, l.entity as kind, l.entity_id::int as id, l.before ->> 'manager_uuid' as from_uuid, l.after ->> 'manager_uuid' as to_uuid,
           coalesce(o.name, '') as from_name, coalesce(n.name, '') as to_name
      from audit l left join account o on o.uuid::text = l.before ->> 'manager_uuid' left join account n on n.uuid::text = l.after ->> 'manager_uuid'
     where l.at >= ${from} and l.at < ${to} and l.entity in ('affiliate', 'advertiser') and l.before ? 'manager_uuid' and l.after ? 'manager_uuid'
     order by l.at, l.id limit ${most}`.execute(db)
  return rows
}
