import { sql, type RawBuilder } from 'kysely'
import { RECALLED } from '#contract/money/invoice-payment.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { billingWaitingApi } from '#contract/money/billing.ts'
import { INBOX_DAYS } from '#contract/network/inbox.ts'
import { SUPPLIED_FROM, SUPPLIED_TO_ADVERTISER_FROM } from '#server/features/money/document/supply.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

const DAY = 86_400_000

type Named = { uuid: string; id: number; name: string } | null
type Task = {
  id: string
  at: Date
  /** What kind of task it is. */
  reason: string
  text: string
  affiliate: Named
  advertiser: Named
  money: { currency: string; payout: string; revenue: string } | null
}

const affiliate = sql`json_build_object('uuid', a.uuid, 'id', f.id, 'name', a.name)`
/** When the first month of an invoice's service is over, and until when one with reverse charge is to be issued then. */
const monthAfter = (from: RawBuilder<unknown>) =>
  sql`(date_trunc('month', coalesce((${from})::date, i.period_to)::timestamp) + interval '1 month')`
const NEXT_MONTH = monthAfter(SUPPLIED_FROM)
const NEXT_TO_ADVERTISER = monthAfter(SUPPLIED_TO_ADVERTISER_FROM)
const issueByOf = (month: RawBuilder<unknown>) => sql`to_char(${month} + interval '14 days', 'YYYY-MM-DD')`
const advertiser = sql`json_build_object('uuid', v.uuid, 'id', v.id, 'name', v.name)`

/**
 * What waits of money for who sees all of it: requests to be paid, runs that are proposed, bonuses and write-offs for a second person,
 * credit that is near its end or used up, payments that came back or did not arrive while their invoices are open, objections, invoices
 * nobody objected to in time, files that are not released, reports whose differences are not decided, invoices advertisers owe for more
 * than a day, and those with reverse charge that are not issued though the first month of their service is over, until the 15th (`issueBy`).
 */
export function moneyWaiting(db: DbOrTrx, now: number) {
  const tasks = sql<Task>`(
    select q.uuid::text as id, q.created_at as at, 'request' as reason, '' as text, ${affiliate} as affiliate, null::json as advertiser,
           json_build_object('currency', q.currency, 'payout', q.amount::text, 'revenue', '0') as money
      from payout_request q join affiliate f on f.id = q.affiliate_id join account a on a.id = f.account_id where q.state = 'open'
    union all
    select r.uuid::text, r.created_at, case when r.side = 'advertisers' then 'advertiser_run' else 'run' end, coalesce(to_char(r.period_from, 'YYYY-MM-DD'), '…') || ' – ' || to_char(r.period_to, 'YYYY-MM-DD'), null, null, null
      from billing_run r where r.state in ('proposed', 'partly')
    union all
    select p.uuid::text, p.created_at, 'proposal', m.name || ': ' || p.note,
           case when f.id is not null then ${affiliate} end, case when v.id is not null then ${advertiser} end,
           json_build_object('currency', p.currency, 'payout', p.amount::text, 'revenue', '0')
      from proposal p join account m on m.id = p.made_by left join invoice i on i.id = p.invoice_id left join affiliate f on f.id = coalesce(p.affiliate_id, i.affiliate_id)
      left join account a on a.id = f.account_id left join advertiser_invoice j on j.id = p.advertiser_invoice_id
      left join advertiser v on v.id = coalesce(p.advertiser_id, j.advertiser_id) where p.state = 'open'
    union all
    select v.uuid::text || ' ' || k.currency, coalesce(k.blocked_at, k.warned_at), case when k.blocked_at is null then 'credit_near' else 'credit_blocked' end,
           '', null, ${advertiser}, json_build_object('currency', k.currency, 'payout', k.credit_limit::text, 'revenue', '0')
      from advertiser_credit k join advertiser v on v.id = k.advertiser_id where k.warned_at is not null or k.blocked_at is not null
    union all
    select p.uuid::text || ' ' || x.uuid::text, p.ended_at, 'returned', p.reason, ${affiliate}, null,
           json_build_object('currency', p.currency, 'payout', p.amount::text, 'revenue', '0')
      from payout p join payout_file x on x.id = p.file_id join affiliate f on f.id = p.affiliate_id join account a on a.id = f.account_id
     where p.state in ('returned', 'failed') and p.reason <> ${RECALLED} and p.ended_at > ${new Date(now - INBOX_DAYS * DAY)}
       and exists (select from payment y join invoice i on i.id = y.invoice_id where y.payout_id = p.id and i.open > 0 and i.status in ('approved', 'partly_paid'))
    union all
    select i.uuid::text, coalesce(o.made_at, i.object_until), case when o.id is null then 'invoice' else 'objection' end, coalesce(o.reason, ''), ${affiliate}, null,
           json_build_object('currency', i.currency, 'payout', i.total::text, 'revenue', '0')
      from invoice i join affiliate f on f.id = i.affiliate_id join account a on a.id = f.account_id
      left join invoice_objection o on o.invoice_id = i.id and o.state = 'open'
     where i.status = 'waiting' and i.deleted_at is null and (o.id is not null or i.object_until < ${new Date(now)})
    union all
    select x.uuid::text, x.created_at, 'file', m.name, null, null,
           json_build_object('currency', x.currency, 'payout', (select coalesce(sum(p.amount), 0) from payout p where p.file_id = x.id and p.state = 'planned')::text, 'revenue', '0')
      from payout_file x join account m on m.id = x.made_by where x.state = 'draft'
    union all
    select b.uuid::text, b.matched_at, 'report', b.file_name, null, ${advertiser}, null
      from reconciliation b join advertiser v on v.id = b.advertiser_id where b.state = 'matched' and b.matching_at is null
    union all
    select j.uuid::text, j.due_day::timestamptz, 'overdue', coalesce(j.number, ''), null, ${advertiser},
           json_build_object('currency', j.currency, 'payout', j.open::text, 'revenue', '0')
      from advertiser_invoice j join advertiser v on v.id = j.advertiser_id
     where j.status in ('issued', 'partly_paid') and j.open > 0 and j.due_day < ${new Date(now - DAY)}::date
    union all
    select i.uuid::text || ' issue', ${NEXT_MONTH}::timestamptz, 'issue_by', ${issueByOf(NEXT_MONTH)}, ${affiliate}, null,
           json_build_object('currency', i.currency, 'payout', i.total::text, 'revenue', '0')
      from invoice i join affiliate f on f.id = i.affiliate_id join account a on a.id = f.account_id
     where i.status in ('draft', 'waiting') and i.deleted_at is null and i.vat_category = 'AE' and ${NEXT_MONTH} <= ${new Date(now)}
    union all
    select i.uuid::text || ' issue', ${NEXT_TO_ADVERTISER}::timestamptz, 'issue_by', ${issueByOf(NEXT_TO_ADVERTISER)}, null, ${advertiser},
           json_build_object('currency', i.currency, 'payout', i.total::text, 'revenue', '0')
      from advertiser_invoice i join advertiser v on v.id = i.advertiser_id
     where i.status = 'draft' and i.deleted_at is null and i.vat_category = 'AE' and ${NEXT_TO_ADVERTISER} <= ${new Date(now)})`
  const found = db.selectFrom(tasks.as('w'))
  const list = found
    .select(['w.id', 'w.at', 'w.reason', 'w.text', 'w.affiliate', 'w.advertiser', 'w.money'])
    .orderBy('w.at')
    .orderBy('w.id')
  return { found, list }
}

/** How much waits in each part of /billing, for who sees all of it: the tasks of the inbox, each counted where it is decided. */
export async function billingWaiting(db: DbOrTrx, now: number): Promise<CallOutput<typeof billingWaitingApi.waiting>> {
  const count = (condition: RawBuilder<unknown>) => sql<number>`(count(*) filter (where ${condition}))::int`
  return moneyWaiting(db, now)
    .found.select([
      count(sql`w.reason = 'request'`).as('requests'),
      count(sql`w.reason = 'run'`).as('runs'),
      count(sql`w.reason = 'advertiser_run'`).as('advertiser_runs'),
      count(sql`w.reason = 'proposal'`).as('proposals'),
      count(sql`w.reason in ('file', 'returned')`).as('payouts'),
      count(sql`w.reason in ('invoice', 'objection') or (w.reason = 'issue_by' and w.affiliate is not null)`).as('invoices'),
      count(sql`w.reason = 'overdue' or (w.reason = 'issue_by' and w.advertiser is not null)`).as('advertiser_invoices'),
      count(sql`w.reason in ('credit_near', 'credit_blocked')`).as('credit'),
      count(sql`w.reason = 'report'`).as('reconcile'),
      sql<number>`(select count(*)::int from referral where state = 'held')`.as('referrals'),
    ])
    .executeTakeFirstOrThrow()
}
