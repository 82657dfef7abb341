import { sql } from 'kysely'
import type { AccountKind } from '#contract/money/account.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import type { Account } from './sums.ts'

/** Affiliates whose next statement is of a month before `month`: those that ever had an entry, each with the first month without one. */
export async function listDue(db: DbOrTrx, month: string, zone: string, most: number): Promise<{ id: number; month: string }[]> {
  const { rows } = await sql<{ id: number; month: string }>`
    select id, month from (
      select f.id, coalesce(
        (select to_char((max(s.month) || '-01')::date + interval '1 month', 'YYYY-MM') from account_statement s where s.affiliate_id = f.id),
        (select to_char(min(t.booked_at) at time zone ${zone}, 'YYYY-MM') from ledger_account l
           cross join lateral (select transfer_id from ledger_entry where account_id = l.id order by id limit 1) e
           join ledger_transfer t on t.id = e.transfer_id
          where l.owner_id = f.id and l.kind like 'affiliate\\_%')) as month
        from affiliate f) due
     where month <= ${month} order by month, id limit ${most}`.execute(db)
  return rows
}

/** What each account moved in a month by event, and what it held before; positive = debit. */
export async function sumEvents(db: DbOrTrx, affiliateId: number, kinds: readonly AccountKind[], from: Date, to: Date) {
  const { rows } = await sql<{ kind: AccountKind; currency: string; event: string | null; amount: string; entries: number }>`
    select l.kind, l.currency, case when t.booked_at < ${from} then null else t.kind end as event, sum(e.amount)::text as amount, count(*)::int as entries
      from ledger_account l join ledger_entry e on e.account_id = l.id join ledger_transfer t on t.id = e.transfer_id
     where l.owner_id = ${affiliateId} and l.kind = any(${[...kinds]}::text[]) and t.booked_at < ${to}
     group by 1, 2, 3 order by 2, 1, 3 nulls first`.execute(db)
  return rows
}

/** Invoices that got their number in a month, and credit notes, which are below zero where they take something off. */
export async function listIssued(db: DbOrTrx, affiliateId: number, from: Date, to: Date, zone: string) {
  const { rows } = await sql<{
    number: string
    day: string
    currency: string
    net: string
    vat: string
    total: string
    due_day: string | null
  }>`
    select number, day, currency, net, vat, total, due_day from (
      select approved_at as at, number, number_day::text as day, currency, net::text, vat::text, total::text, due_day::text
        from invoice where affiliate_id = ${affiliateId} and approved_at >= ${from} and approved_at < ${to}
      union all
      select n.created_at, n.number, (n.created_at at time zone ${zone})::date::text, i.currency, (-n.net)::text, (-n.vat)::text, (-n.total)::text, null
        from credit_note n join invoice i on i.id = n.invoice_id
       where i.affiliate_id = ${affiliateId} and n.created_at >= ${from} and n.created_at < ${to}) issued
     order by at, number`.execute(db)
  return rows
}

/** Payments that arrived in a month, whatever became of them later, and those that came back in it, below zero: as the books have them. */
export async function listPaid(db: DbOrTrx, affiliateId: number, from: Date, to: Date) {
  const { rows } = await sql<{ day: string; currency: string; amount: string; invoice: string | null; external_id: string }>`
    select case when t.kind = 'payment_settled' then p.day else coalesce(p.ended_day, p.day) end::text as day, p.currency,
           case when t.kind = 'payment_settled' then p.amount else -p.amount end::text as amount, i.number as invoice, p.external_id
      from payment p join ledger_transfer t on t.payment_id = p.id and t.kind in ('payment_settled', 'payment_returned')
      left join invoice i on i.id = p.invoice_id
     where p.affiliate_id = ${affiliateId} and t.booked_at >= ${from} and t.booked_at < ${to} order by t.id`.execute(db)
  return rows
}

/** The last entry of the affiliate's history before a moment. */
export async function chainHeadAt(db: DbOrTrx, affiliateId: number, before: Date): Promise<{ seq: number; hash: string } | null> {
  const { rows } = await sql<{ seq: number; hash: string }>`
    select chain_seq as seq, encode(hash, 'hex') as hash from conversion_history
     where affiliate_id = ${affiliateId} and chain_seq is not null and at < ${before} order by chain_seq desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** The hash of the statement of the month before. */
export async function previousHash(db: DbOrTrx, affiliateId: number, month: string): Promise<string | null> {
  const row = await db
    .selectFrom('account_statement')
    .select('sha256')
    .where('affiliate_id', '=', affiliateId)
    .where('month', '<', month)
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.sha256 ?? null
}

/** Who a statement is about. */
export function affiliateName(db: DbOrTrx, id: number) {
  return db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['a.name'])
    .where('f.id', '=', id)
    .executeTakeFirstOrThrow()
}

export function listStatements(
  db: Db,
  affiliateId: number,
  filters: { count: number; page: number; sort: 'month'; direction: 'asc' | 'desc' },
) {
  const found = db
    .selectFrom('account_statement as s')
    .select(['s.id', 's.uuid', 's.month', 's.sha256', 's.made_at', sql<Account[]>`s.content::jsonb -> 'accounts'`.as('accounts')])
    .where('s.affiliate_id', '=', affiliateId)
  return listPage(found, { id: 's.id', month: 's.month' }, filters)
}

export function getStatement(db: Db, affiliateId: number, uuid: string) {
  return db
    .selectFrom('account_statement')
    .select(['id', 'uuid', 'month', 'sha256', 'made_at', 'content'])
    .where('affiliate_id', '=', affiliateId)
    .where('uuid', '=', uuid)
    .executeTakeFirst()
}

/** The decimals of each currency. */
export async function decimalsByCurrency(db: DbOrTrx): Promise<Map<string, number>> {
  const rows = await db.selectFrom('currency').select(['code', 'decimals']).execute()
  return new Map(rows.map(({ code, decimals }) => [code, decimals]))
}
