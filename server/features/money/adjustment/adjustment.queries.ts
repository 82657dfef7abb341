import { sql } from 'kysely'
import type { z } from 'zod'
import type { adjustmentApi, AdjustmentRow } from '#contract/money/adjustment.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'

type Listed = Omit<AdjustmentRow, 'created_at' | 'may_void' | 'may_give_back'> & { id: number; created_at: Date; in_file: boolean }
const SORT = { id: 'x.id', created_at: 'x.created_at', amount: 'x.amount' } as const
const invoice = sql`case when i.id is not null then json_build_object('uuid', i.uuid, 'id', i.id, 'number', i.number) end`

/** A page of what staff booked, or proposed, for one affiliate beside its conversions; days are those of `zone`. */
export function listAdjustments(db: Db, affiliateId: number, filters: z.output<typeof adjustmentApi.list.body>, zone: string) {
  const all = sql<Listed>`(
    select d.id, d.uuid, case when d.purpose = 'given' then d.kind else d.purpose end as kind, d.amount, d.currency,
           to_char(d.at at time zone ${zone}, 'YYYY-MM-DD') as day, d.note, d.internal_note,
           case when d.void_at is not null then 'void' when i.id is not null then 'invoiced' else 'open' end as state,
           ${invoice} as invoice, coalesce(a.name, '') as made_by, d.created_at, d.void_reason as reason,
           null::text as fee_currency, false as in_file
      from adjustment d left join account a on a.id = d.made_by
      left join invoice_line l on l.adjustment_id = d.id and l.live left join invoice i on i.id = l.invoice_id
     where d.affiliate_id = ${affiliateId}
    union all
    select p.id, p.uuid, p.kind, p.amount, p.currency, coalesce(p.asked ->> 'day', to_char(p.created_at at time zone ${zone}, 'YYYY-MM-DD')),
           p.note, coalesce(p.asked ->> 'internal_note', ''), case p.state when 'open' then 'proposed' else 'refused' end,
           ${invoice}, a.name, p.created_at, p.reason, null, false
      from proposal p join account a on a.id = p.made_by left join invoice i on i.id = p.invoice_id
     where coalesce(p.affiliate_id, i.affiliate_id) = ${affiliateId} and p.kind <> 'advance' and p.state in ('open', 'refused')
    union all
    select y.id, y.uuid, 'prepayment', y.amount, y.currency, y.day::text, y.note, y.internal_note, y.state, null, coalesce(a.name, ''), y.created_at, y.reason,
           coalesce(y.fee_currency, y.moved_currency, s.currency, y.currency), y.payout_id is not null
      from payment y join payment_source s on s.id = y.source_id left join account a on a.id = y.made_by where y.affiliate_id = ${affiliateId} and y.invoice_id is null)`
  const found = db
    .selectFrom(all.as('x'))
    .select(['x.id', 'x.uuid', 'x.kind', sql<string>`x.amount::text`.as('amount'), 'x.currency', 'x.day', 'x.note', 'x.internal_note'])
    .select(['x.state', 'x.invoice', 'x.made_by', 'x.created_at', 'x.reason', 'x.fee_currency', 'x.in_file'])
    .$if(filters.state.length > 0, (query) => query.where('x.state', 'in', [...filters.state]))
  return listPage(found, SORT, filters)
}

/** Whose an adjustment in scope is. */
export function findAdjustment(trx: Trx, scope: Scope, key: string) {
  return trx
    .selectFrom('adjustment as d')
    .innerJoin('affiliate as f', 'f.id', 'd.affiliate_id')
    .select(['d.id', 'd.affiliate_id', 'd.currency'])
    .where(inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }))
    .where(sql<boolean>`d.uuid::text = ${key}`)
    .executeTakeFirst()
}

/** Whose a payment in advance in scope is. */
export function findPrepayment(trx: Trx, scope: Scope, key: string) {
  return trx
    .selectFrom('payment as p')
    .innerJoin('affiliate as f', 'f.id', 'p.affiliate_id')
    .select(['p.affiliate_id', 'p.currency'])
    .where(inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }))
    .where('p.invoice_id', 'is', null)
    .where(sql<boolean>`p.uuid::text = ${key}`)
    .executeTakeFirst()
}

/** Locks one, and says whether it stands on an invoice. */
export function lockAdjustment(trx: Trx, id: number) {
  return trx
    .selectFrom('adjustment as d')
    .selectAll('d')
    .select(sql<boolean>`exists (select from invoice_line l where l.adjustment_id = d.id and l.live)`.as('lined'))
    .select(sql<number | null>`(select p.decided_by from proposal p where p.adjustment_id = d.id)`.as('confirmed_by'))
    .where('d.id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function voidAdjustment(trx: Trx, id: number, values: { void_at: Date; void_by: number; void_reason: string }): Promise<void> {
  await trx.updateTable('adjustment').set(values).where('id', '=', id).execute()
}

/** What a call made before: an adjustment, a payment or a proposal; with what was said of it. */
export async function madeBy(trx: Trx, key: string) {
  const { rows } = await sql<{
    proposed: boolean
    affiliate_id: number | null
    currency: string
    amount: string
    kind: string
    note: string
    internal_note: string
    asked: string | null
  }>`
    select false as proposed, affiliate_id, currency, amount::text, case when purpose = 'given' then kind else purpose end as kind, note, internal_note, asked
      from adjustment where key = ${key}::uuid
    union all select false, affiliate_id, currency, amount::text, 'prepayment', note, internal_note, asked from payment where key = ${key}::uuid
    union all select true, affiliate_id, currency, amount::text, kind, note, coalesce(asked ->> 'internal_note', ''), asked ->> 'digest' from proposal
     where key = ${key}::uuid limit 1`.execute(trx)
  return rows[0]
}

/** What an affiliate was paid in advance and has not used, by currency. */
export async function prepaidOf(trx: Trx, affiliateId: number): Promise<{ amount: string; currency: string }[]> {
  const { rows } = await sql<{ amount: string; currency: string }>`
    select balance::text as amount, currency from ledger_account
     where kind = 'affiliate_prepaid' and owner_id = ${affiliateId} and balance > 0`.execute(trx)
  return rows
}
