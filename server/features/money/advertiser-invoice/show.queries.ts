import { sql } from 'kysely'
import type { AdvertiserInvoiceStatus } from '#contract/money/advertiser-invoice.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { EARNED, UNBILLED } from './billable.queries.ts'
import { lastChange, type LineChange } from '#server/features/money/invoice/line-change.queries.ts'

export type LineRow = {
  id: number
  kind: 'conversion' | 'correction' | 'adjustment' | 'credit'
  amount: string
  credit_note: string | null
  conversion_uuid: string | null
  conversion_id: string | null
  created_at: Date | null
  offer: string | null
  goal: string | null
  status: ConversionStatus | null
  earned: string | null
  unbilled: string | null
  adjustment_id: number | null
  adjustment_kind: 'discount' | 'minimum' | 'fee' | null
  note: string | null
  change: LineChange | null
}

/** A page of the lines of an invoice with what their conversions are now, or of those that have become something else since. */
export async function listLines(
  db: Db,
  invoice: { id: number; number: string | null },
  { count, page, direction, changed }: { count: number; page: number; direction: 'asc' | 'desc'; changed: boolean },
) {
  const isChanged = invoice.number === null ? sql`l.amount <> ${EARNED} - c.billed` : UNBILLED
  const where = sql`l.invoice_id = ${invoice.id} and ${changed ? sql`l.live and l.kind <> 'credit' and c.id is not null and ${isChanged}` : sql`true`}`
  const tables = sql`advertiser_invoice_line l left join conversion c on c.id = l.conversion_id left join offer o on o.id = c.offer_id
    left join goal g on g.id = c.goal_id left join advertiser_adjustment d on d.id = l.adjustment_id
    left join advertiser_credit_note n on n.id = l.credit_note_id`
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  const [counted, list] = await Promise.all([
    sql<{ rows: number }>`select count(*)::int as rows from ${tables} where ${where}`.execute(db),
    sql<LineRow>`
      select l.id::int, l.kind, l.amount::text, n.number as credit_note, c.uuid as conversion_uuid, c.id::text as conversion_id, c.created_at,
             o.title as offer, g.title as goal, c.status, (${EARNED})::text as earned, (${EARNED} - c.billed)::text as unbilled,
             d.id as adjustment_id, d.kind as adjustment_kind, d.note, ${lastChange(changed)} as change
        from ${tables} where ${where} order by l.id ${way} limit ${count} offset ${(page - 1) * count}`.execute(db),
  ])
  return { rows: counted.rows[0]?.rows ?? 0, list: list.rows }
}

/** How many lines of each kind an invoice has, and what they come to. */
export async function sumLines(db: DbOrTrx, invoiceId: number) {
  const { rows } = await sql<{ kind: LineRow['kind']; rows: number; amount: string }>`
    select kind, count(*)::int as rows, sum(amount)::text as amount from advertiser_invoice_line
     where invoice_id = ${invoiceId} and credit_note_id is null group by kind order by kind`.execute(db)
  return rows
}

/** What offers and goals make on an invoice, the largest first. */
export async function groupLines(db: DbOrTrx, invoiceId: number) {
  const { rows } = await sql<{ offer: string; goal: string; rows: number; amount: string }>`
    select o.title as offer, g.title as goal, count(*)::int as rows, sum(l.amount)::text as amount
      from advertiser_invoice_line l join conversion c on c.id = l.conversion_id join offer o on o.id = c.offer_id join goal g on g.id = c.goal_id
     where l.invoice_id = ${invoiceId} and l.credit_note_id is null group by 1, 2 order by sum(l.amount) desc, 1, 2 limit 200`.execute(db)
  return rows
}

/** What happened to an invoice, oldest first. */
export async function listHistory(db: DbOrTrx, invoiceId: number) {
  const { rows } = await sql<{
    at: Date
    event: string
    from_status: AdvertiserInvoiceStatus | null
    to_status: AdvertiserInvoiceStatus
    reason: string
    actor: string | null
  }>`
    select h.at, h.event, h.from_status, h.to_status, h.reason, a.name as actor
      from advertiser_invoice_history h left join account a on a.id = h.actor_id where h.invoice_id = ${invoiceId} order by h.id limit 500`.execute(
    db,
  )
  return rows
}

/** What receipts pay of an invoice, oldest first. */
export function listInvoiceReceipts(db: DbOrTrx, invoiceId: number) {
  return db
    .selectFrom('receipt_part as p')
    .innerJoin('receipt as r', 'r.id', 'p.receipt_id')
    .innerJoin('payment_source as s', 's.id', 'r.source_id')
    .select(['r.uuid', 'r.day', 's.name as source', 'r.external_id', 'r.state', sql<string>`(p.amount - p.released)::text`.as('amount')])
    .where('p.invoice_id', '=', invoiceId)
    .where(sql<boolean>`(r.state = 'bounced' or p.amount > p.released)`)
    .orderBy('p.id')
    .limit(200)
    .execute()
}

/** The credit notes of an invoice, oldest first. */
export function listCreditNotes(db: DbOrTrx, invoiceId: number) {
  return db
    .selectFrom('advertiser_credit_note as n')
    .leftJoin('account as a', 'a.id', 'n.made_by')
    .leftJoin('official_number as o', (join) => join.onRef('o.subject_id', '=', 'n.id').on('o.kind', '=', 'advertiser_credit_note'))
    .select([
      'n.uuid',
      'n.number',
      'n.kind',
      'n.net',
      'n.vat',
      'n.total',
      'n.reason',
      'n.created_at',
      'a.name as actor',
      'o.number as official_number',
    ])
    .where('n.invoice_id', '=', invoiceId)
    .orderBy('n.id')
    .limit(200)
    .execute()
}

/** The bookings of an invoice and of the receipts that pay it, entry by entry, oldest first. */
export async function listInvoiceBookings(db: DbOrTrx, invoiceId: number) {
  const { rows } = await sql<{ id: string; at: Date; event: string; account: string; amount: string; currency: string }>`
    select t.id, t.at, t.kind as event, a.kind as account, a.currency, e.amount::text
      from (select id, at, kind from ledger_transfer where advertiser_invoice_id = ${invoiceId}
            union
            select t.id, t.at, t.kind from ledger_transfer t join receipt_part p on p.receipt_id = t.receipt_id where p.invoice_id = ${invoiceId}) t
      join ledger_entry e on e.transfer_id = t.id join ledger_account a on a.id = e.account_id
     order by t.id, e.line limit 2000`.execute(db)
  return rows
}
