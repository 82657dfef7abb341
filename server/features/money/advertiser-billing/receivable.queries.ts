import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { Worth } from '#server/features/money/currency/worth.queries.ts'
import { containing } from '#server/platform/pg/paging.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'

type Filters = z.output<typeof advertiserBillingApi.list.body>

type Amounts = {
  currency: Currency
  not_invoiced: string
  invoiced: string
  overdue_30: string
  overdue_60: string
  overdue_90: string
  overdue_more: string
  prepaid: string
  exposure: string
}
export type ReceivableRow = Amounts & {
  advertiser_id: number
  advertiser: { uuid: string; id: number; name: string }
  credit_limit: string | null
  used_percent: number | null
  blocked: boolean
  revenue: string
  profit: string
}

/**
 * What advertisers owe by the books: one row per advertiser and currency that ever had an entry, or has a limit. `today` is that of the
 * network’s zone. Where somebody pays in advance, used is what is gone of the last receipt.
 */
function receivables(today: string): RawBuilder<unknown> {
  return sql`
    select v.id as advertiser_id, v.uuid, v.name, v.manager_id, k.currency,
           coalesce(a.not_invoiced, 0) as not_invoiced, coalesce(a.invoiced, 0) as invoiced, coalesce(a.prepaid, 0) as prepaid,
           coalesce(a.exposure, 0) as exposure, coalesce(a.revenue, 0) as revenue, coalesce(a.written_off, 0) as written_off,
           coalesce(o.d30, 0) as overdue_30, coalesce(o.d60, 0) as overdue_60, coalesce(o.d90, 0) as overdue_90, coalesce(o.more, 0) as overdue_more,
           c.credit_limit, c.blocked_at is not null as blocked, ${usedPercent()} as used_percent
      from (select owner_id as advertiser_id, currency from ledger_account where kind in ('receivable', 'advertiser_invoiced', 'advertiser_prepaid')
            union select advertiser_id, currency from advertiser_credit) k
      join advertiser v on v.id = k.advertiser_id
      left join advertiser_credit c on c.advertiser_id = k.advertiser_id and c.currency = k.currency
      left join (${balances()}) a on a.owner_id = k.advertiser_id and a.currency = k.currency
      left join (
        select advertiser_id, currency, sum(open) filter (where age <= 30) as d30, sum(open) filter (where age > 30 and age <= 60) as d60,
               sum(open) filter (where age > 60 and age <= 90) as d90, sum(open) filter (where age > 90) as more
          from (select advertiser_id, currency, open, ${today}::date - due_day as age from advertiser_invoice where open > 0 and due_day < ${today}::date) late
         group by 1, 2) o on o.advertiser_id = k.advertiser_id and o.currency = k.currency`
}

/** What stands on the accounts of advertisers, as people read it. */
export function balances(): RawBuilder<unknown> {
  return sql`
    select owner_id, currency, sum(balance) filter (where kind = 'receivable') as not_invoiced,
           sum(balance) filter (where kind = 'advertiser_invoiced') as invoiced, -sum(balance) filter (where kind = 'advertiser_prepaid') as prepaid,
           sum(balance) filter (where kind in ('receivable', 'advertiser_invoiced', 'advertiser_prepaid')) as exposure,
           -sum(balance) filter (where kind = 'network_revenue') as revenue, sum(balance) filter (where kind = 'advertiser_write_off') as written_off
      from ledger_account where kind in ('receivable', 'advertiser_invoiced', 'advertiser_prepaid', 'network_revenue', 'advertiser_write_off') group by 1, 2`
}

/** How much of a limit is used; of who pays in advance how much is gone of what was received last. Null without a limit. */
export function usedPercent(): RawBuilder<unknown> {
  return sql`case when c.credit_limit is null then null else least(9999, greatest(0, floor(case
    when c.credit_limit > 0 then coalesce(a.exposure, 0) * 100 / c.credit_limit
    when coalesce(a.exposure, 0) >= 0 then 100
    else 100 + coalesce(a.exposure, 0) * 100 / nullif((
      select r.amount from receipt r where r.advertiser_id = c.advertiser_id and r.currency = c.currency and r.state = 'booked' order by r.id desc limit 1), 0)
  end)))::int end`
}

/** One page of that, what it comes to by currency, and what each earns the network: revenue less the payouts of its conversions and what was written off. */
export async function listReceivables(
  db: Db,
  filters: Filters,
  { today, warnPercent, worth }: { today: string; warnPercent: number; worth: Worth },
) {
  const some = (values: readonly unknown[], condition: RawBuilder<unknown>) => (values.length === 0 ? sql`true` : condition)
  const overdue = sql`(overdue_30 + overdue_60 + overdue_90 + overdue_more)`
  // rows are of several currencies: what ranks them is what they are worth
  const worthOf = (amount: RawBuilder<unknown>) => worth.of(amount, sql`currency`)
  const columns = {
    exposure: worthOf(sql`exposure`),
    advertiser: sql`name`,
    not_invoiced: worthOf(sql`not_invoiced`),
    invoiced: worthOf(sql`invoiced`),
    overdue: worthOf(overdue),
    prepaid: worthOf(sql`prepaid`),
    revenue: worthOf(sql`revenue`),
    profit: worthOf(sql`profit`),
  } as const satisfies Record<Filters['sort'], RawBuilder<unknown>>
  const way = filters.direction === 'asc' ? sql`asc` : sql`desc`
  const order = sql`order by ${columns[filters.sort]} ${way} nulls last, advertiser_id ${way}, currency ${way}`
  const credit = sql`case when blocked then 'blocked' when used_percent >= ${warnPercent} then 'near' when credit_limit is not null then 'good' end`
  const { rows } = await sql<{ rows: number; amounts: (Amounts & { profit: string })[]; list: ReceivableRow[] }>`
    with owed as (${receivables(today)}),
    found as (
      select owed.*, revenue - coalesce(cost.payout, 0) - written_off as profit
        from owed left join advertiser_cost cost using (advertiser_id, currency) left join manager m on m.id = owed.manager_id left join account ma on ma.id = m.account_id
       where ${filters.search === '' ? sql`true` : sql`(owed.name ilike ${containing(filters.search)} or owed.advertiser_id::text = ${filters.search})`}
         and ${some(filters.currency, sql`currency = any(${filters.currency}::text[])`)}
         and ${some(filters.advertiser_uuid, sql`owed.uuid = any(${filters.advertiser_uuid}::uuid[])`)}
         and ${some(filters.manager_uuid, sql`ma.uuid = any(${filters.manager_uuid}::uuid[])`)}
         and ${some(filters.credit, sql`${credit} = any(${filters.credit}::text[])`)}
         and ${filters.overdue ? sql`${overdue} > 0` : sql`true`})
    select (select count(*)::int from found) as rows,
           (select coalesce(json_agg(sums order by currency), '[]') from (
              select currency, sum(not_invoiced)::text as not_invoiced, sum(invoiced)::text as invoiced, sum(overdue_30)::text as overdue_30,
                     sum(overdue_60)::text as overdue_60, sum(overdue_90)::text as overdue_90, sum(overdue_more)::text as overdue_more,
                     sum(prepaid)::text as prepaid, sum(exposure)::text as exposure, sum(profit)::text as profit from found group by currency) as sums) as amounts,
           (select coalesce(json_agg(page order by place), '[]') from (
              select row_number() over (${order}) as place, advertiser_id, json_build_object('uuid', uuid, 'id', advertiser_id, 'name', name) as advertiser, currency,
                     not_invoiced::text, invoiced::text, overdue_30::text, overdue_60::text, overdue_90::text, overdue_more::text, prepaid::text, exposure::text,
                     credit_limit::text, used_percent, blocked, revenue::text, profit::text
                from found ${order} limit ${filters.count} offset ${(filters.page - 1) * filters.count}) as page) as list`.execute(db)
  return rows[0] ?? { rows: 0, amounts: [], list: [] }
}

/** What one advertiser owes in each currency, and what it paid and was not paid back or taken back by the bank. */
export async function receivablesOf(db: DbOrTrx, advertiserId: number, today: string) {
  const { rows } = await sql<Omit<ReceivableRow, 'advertiser' | 'profit'> & { received: string }>`
    select advertiser_id, currency, not_invoiced::text, invoiced::text, overdue_30::text, overdue_60::text, overdue_90::text, overdue_more::text, prepaid::text,
           exposure::text, credit_limit::text, used_percent, blocked, revenue::text,
           (select coalesce(sum(r.amount - r.short - r.paid_back), 0)::text from receipt r
             where r.advertiser_id = owed.advertiser_id and r.currency = owed.currency and r.state = 'booked') as received
      from (${receivables(today)}) owed where advertiser_id = ${advertiserId} order by currency`.execute(db)
  return rows
}

/** The last invoices of an advertiser; drafts are nobody's concern but of those who make them. */
export function lastInvoices(db: DbOrTrx, advertiserId: number) {
  return db
    .selectFrom('advertiser_invoice')
    .select(['uuid', 'number', 'status', 'currency', 'period_to', 'total', 'open', 'due_day', 'issued_at'])
    .where('advertiser_id', '=', advertiserId)
    .where('number', 'is not', null)
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
}

export type UnbilledRow = {
  month: string
  offer: { uuid: string; id: number; name: string } | null
  currency: Currency
  conversions: number
  hold: string
  approved: string
  corrections: string
  amount: string
}

/** What of an advertiser's receivable is not invoiced, by month of a zone and offer; what stands beside conversions has no offer. */
export async function listUnbilled(db: Db, advertiserId: number, currencies: readonly string[], zone: string): Promise<UnbilledRow[]> {
  const asked = (column: RawBuilder<unknown>) => (currencies.length === 0 ? sql`true` : sql`${column} = any(${[...currencies]}::text[])`)
  const { rows } = await sql<UnbilledRow>`
    with parts as (
      select to_char(c.created_at at time zone ${zone}, 'YYYY-MM') as month, c.offer_id, c.currency, count(*)::int as conversions,
             coalesce(sum(c.revenue) filter (where c.billed = 0 and c.status = 'hold'), 0) as hold,
             coalesce(sum(c.revenue) filter (where c.billed = 0 and c.status = 'approved'), 0) as approved,
             coalesce(sum(case when c.status in ('hold', 'approved') then c.revenue else 0 end - c.billed) filter (where c.billed <> 0), 0) as corrections
        from conversion c
       where not c.test and c.billed <> case when c.status in ('hold', 'approved') then c.revenue else 0 end and c.advertiser_id = ${advertiserId} and ${asked(sql`c.currency`)}
       group by 1, 2, 3
      union all
      select to_char(d.created_at at time zone ${zone}, 'YYYY-MM'), null, d.currency, 0, 0, 0, sum(d.amount) from advertiser_adjustment d
       where d.void_at is null and not exists (select from advertiser_invoice_line l where l.adjustment_id = d.id and l.live and l.issued)
         and d.advertiser_id = ${advertiserId} and ${asked(sql`d.currency`)} group by 1, 3)
    select p.month, case when o.id is not null then json_build_object('uuid', o.uuid, 'id', o.id, 'name', o.title) end as offer, p.currency, p.conversions,
           p.hold::text, p.approved::text, p.corrections::text, (p.hold + p.approved + p.corrections)::text as amount
      from parts p left join offer o on o.id = p.offer_id order by p.month desc, p.currency, p.hold + p.approved + p.corrections desc, o.id limit 500`.execute(
    db,
  )
  return rows
}
