import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { MOST_GROUPS, type GroupRow } from './groups.ts'

/** What of an advertiser's invoice is printed; of one advertiser only its own issued ones. */
export function findPrintedInvoice(db: DbOrTrx, key: string, advertiserId?: number) {
  return db
    .selectFrom('advertiser_invoice as i')
    .innerJoin('advertiser as v', 'v.id', 'i.advertiser_id')
    .innerJoin('currency as c', 'c.code', 'i.currency')
    .leftJoin('advertiser_billing as b', 'b.advertiser_id', 'v.id')
    .select([
      'i.id',
      'i.uuid',
      'i.number',
      'i.number_day',
      'i.period_from',
      'i.period_to',
      'i.time_zone',
      'i.due_day',
      'i.net',
      'i.vat',
      'i.total',
    ])
    .select(['i.vat_category', 'i.vat_rate', 'i.offset_prepaid', 'i.note', 'i.billed_to', 'i.currency'])
    .select(['c.sign', 'c.decimals', 'v.company', 'b.document_language'])
    .where(keyIs(key, { uuid: 'i.uuid', id: 'i.id' }))
    .where('i.deleted_at', 'is', null)
    .$if(advertiserId !== undefined, (query) => query.where('i.advertiser_id', '=', advertiserId ?? 0).where('i.number', 'is not', null))
    .executeTakeFirst()
}
export type PrintedInvoice = NonNullable<Awaited<ReturnType<typeof findPrintedInvoice>>>

/** A credit note of an advertiser's invoice, by its own uuid. */
export function findPrintedNote(db: DbOrTrx, uuid: string, advertiserId?: number) {
  return db
    .selectFrom('advertiser_credit_note as n')
    .innerJoin('advertiser_invoice as i', 'i.id', 'n.invoice_id')
    .select(['n.id', 'n.number', 'n.number_day', 'n.net', 'n.vat', 'n.total', 'n.reason', 'i.uuid as invoice'])
    .where('n.uuid', '=', uuid)
    .$if(advertiserId !== undefined, (query) => query.where('i.advertiser_id', '=', advertiserId ?? 0))
    .executeTakeFirst()
}
export type PrintedNote = NonNullable<Awaited<ReturnType<typeof findPrintedNote>>>

/** What stands on an advertiser's invoice, or on one of its credit notes: by offer and goal, corrections by the earlier number, discounts, minimums and fees each. */
export async function listGroups(db: DbOrTrx, invoiceId: number, noteId: number | null): Promise<GroupRow[]> {
  const amount = noteId === null ? sql`l.amount` : sql`-l.amount`
  const { rows } = await sql<GroupRow>`
    select coalesce(d.kind, l.kind) as kind, coalesce(o.title, '') as offer, coalesce(g.title, '') as goal, coalesce(d.note, e.number, '') as about,
           count(*)::int as quantity, case when min(l.amount) = max(l.amount) then min(${amount})::text end as price, sum(${amount})::text as amount
      from advertiser_invoice_line l
      left join conversion c on c.id = l.conversion_id left join offer o on o.id = c.offer_id left join goal g on g.id = c.goal_id
      left join advertiser_adjustment d on d.id = l.adjustment_id
      left join lateral (select i.number from advertiser_invoice_line x join advertiser_invoice i on i.id = x.invoice_id
        where l.kind = 'correction' and x.conversion_id = l.conversion_id and x.kind = 'conversion' order by x.live desc, x.id desc limit 1) e on true
     where l.invoice_id = ${invoiceId} and ${noteId === null ? sql`l.credit_note_id is null` : sql`l.credit_note_id = ${noteId}`}
     group by 1, 2, 3, 4, d.id order by min(case when l.kind = 'conversion' then 0 when l.kind = 'adjustment' then 2 else 1 end), sum(${amount}) desc, 2, 3, 4
     limit ${MOST_GROUPS + 1}`.execute(db)
  return rows
}

/** Every line of an advertiser's invoice that is no part of a credit note. */
export async function listEveryLine(db: DbOrTrx, invoiceId: number) {
  const { rows } = await sql<{
    kind: string
    conversion: string | null
    created_at: Date | null
    click_id: string
    transaction_id: string
    offer: string
    goal: string
    note: string
    amount: string
  }>`
    select coalesce(d.kind, l.kind) as kind, c.uuid::text as conversion, c.created_at, coalesce(c.click_id, '') as click_id,
           coalesce(c.transaction_id, '') as transaction_id, coalesce(o.title, '') as offer, coalesce(g.title, '') as goal, coalesce(d.note, '') as note, l.amount::text
      from advertiser_invoice_line l
      left join conversion c on c.id = l.conversion_id left join offer o on o.id = c.offer_id left join goal g on g.id = c.goal_id
      left join advertiser_adjustment d on d.id = l.adjustment_id
     where l.invoice_id = ${invoiceId} and l.credit_note_id is null order by l.id limit 100000`.execute(db)
  return rows
}
