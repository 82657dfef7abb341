import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { MOST_GROUPS, type GroupRow } from './groups.ts'

/** What of an invoice is printed; of an affiliate only its own, from the moment it was sent. */
export function findPrintedInvoice(db: DbOrTrx, key: string, affiliateId?: number) {
  return db
    .selectFrom('invoice as i')
    .innerJoin('affiliate as f', 'f.id', 'i.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .innerJoin('currency as c', 'c.code', 'i.currency')
    .select([
      'i.id',
      'i.affiliate_id',
      'i.status',
      'i.mode',
      'i.number',
      'i.number_day',
      'i.period_from',
      'i.period_to',
      'i.time_zone',
      'i.due_day',
      'i.net',
    ])
    .select(['i.vat_category', 'i.vat_rate', 'i.vat', 'i.total', 'i.offset_prepaid', 'i.note', 'i.payment_system', 'i.deleted_at'])
    .select(['i.currency', 'c.sign', 'c.decimals', 'f.company', 'f.country', 'a.name'])
    .where(keyIs(key, { uuid: 'i.uuid', id: 'i.id' }))
    .$if(affiliateId !== undefined, (query) =>
      query
        .where('i.affiliate_id', '=', affiliateId ?? 0)
        .where('i.sent_at', 'is not', null)
        .where('i.status', '<>', 'draft')
        .where('i.deleted_at', 'is', null),
    )
    .executeTakeFirst()
}
export type PrintedInvoice = NonNullable<Awaited<ReturnType<typeof findPrintedInvoice>>>

/** A credit note by its own uuid, or the one that ended an invoice. */
export function findPrintedNote(db: DbOrTrx, of: { uuid: string } | { endOf: number }) {
  return db
    .selectFrom('credit_note')
    .select(['id', 'invoice_id', 'kind', 'number', 'created_at', 'net', 'vat', 'total', 'reason'])
    .$if('uuid' in of, (query) => query.where('uuid', '=', 'uuid' in of ? of.uuid : ''))
    .$if('endOf' in of, (query) => query.where('invoice_id', '=', 'endOf' in of ? of.endOf : 0).where('kind', '=', 'whole'))
    .executeTakeFirst()
}
export type PrintedNote = NonNullable<Awaited<ReturnType<typeof findPrintedNote>>>

/**
 * What stands on an invoice as its affiliate may read it: by offer and goal, corrections by the earlier number, bonuses each, referrals by month. Of a
 * credit note over changes its own corrections, above zero what it takes back; of one that ends an invoice all that was left of it.
 */
export async function listGroups(db: DbOrTrx, invoiceId: number, note: Pick<PrintedNote, 'id' | 'kind'> | null): Promise<GroupRow[]> {
  const ofNote = note?.kind === 'changed'
  const amount = ofNote ? sql`-l.amount` : sql`l.amount`
  const kind = ofNote ? sql`'credit'` : sql`l.kind`
  const which = note === null ? sql`l.credit_note_id is null` : ofNote ? sql`l.credit_note_id = ${note.id}` : sql`true`
  const { rows } = await sql<GroupRow>`
    select case l.kind when 'adjustment' then case d.kind when 'bonus' then 'bonus' else 'adjustment' end else ${kind} end as kind,
           coalesce(o.title, '') as offer, case when g.hidden then '' else coalesce(g.title, '') end as goal,
           coalesce(d.note, e.number, to_char(m.month, 'YYYY-MM'), '') as about, count(*)::int as quantity,
           case when min(l.amount) = max(l.amount) then min(${amount})::text end as price, sum(${amount})::text as amount
      from invoice_line l
      left join conversion c on c.id = l.conversion_id left join offer o on o.id = c.offer_id left join goal g on g.id = c.goal_id
      left join adjustment d on d.id = l.adjustment_id left join referral_month m on m.id = l.referral_month_id
      left join lateral (select i.number from invoice_line x join invoice i on i.id = x.invoice_id
        where l.kind = 'correction' and x.conversion_id = l.conversion_id and x.kind = 'conversion' and x.live limit 1) e on true
     where l.invoice_id = ${invoiceId} and ${which}
     group by 1, 2, 3, 4, d.id order by min(l.kind), sum(${amount}) desc, 2, 3, 4 limit ${MOST_GROUPS + 1}`.execute(db)
  return rows
}

/** Every line of an invoice, as its affiliate may read it. */
export async function listEveryLine(db: DbOrTrx, invoiceId: number) {
  const { rows } = await sql<{
    kind: string
    conversion: string | null
    created_at: Date | null
    offer: string
    goal: string
    note: string
    amount: string
  }>`
    select case l.kind when 'adjustment' then d.kind else l.kind end as kind, c.uuid::text as conversion, c.created_at, coalesce(o.title, '') as offer,
           case when g.hidden then '' else coalesce(g.title, '') end as goal, coalesce(d.note, to_char(m.month, 'YYYY-MM'), '') as note, l.amount::text
      from invoice_line l
      left join conversion c on c.id = l.conversion_id left join offer o on o.id = c.offer_id left join goal g on g.id = c.goal_id
      left join adjustment d on d.id = l.adjustment_id left join referral_month m on m.id = l.referral_month_id
     where l.invoice_id = ${invoiceId} and l.credit_note_id is null order by l.id limit 30000`.execute(db)
  return rows
}

/** Where an affiliate would be paid by a system, as far as it may be shown. */
export function maskedMethod(db: DbOrTrx, affiliateId: number, system: string) {
  return db
    .selectFrom('payment_method')
    .select('masked')
    .where('affiliate_id', '=', affiliateId)
    .where('system', '=', system)
    .where('removed_at', 'is', null)
    .orderBy('place')
    .limit(1)
    .executeTakeFirst()
}

/** The head of an affiliate's chain of conversions: what it can verify, which is not all that is kept of them. */
export function headOf(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('history_head')
    .select(['chain_seq as seq', 'hash'])
    .where('affiliate_id', '=', affiliateId)
    .where('chain_seq', '>', 0)
    .executeTakeFirst()
}
