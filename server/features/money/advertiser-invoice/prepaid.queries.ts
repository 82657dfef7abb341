import { sql } from 'kysely'
import type { Trx } from '#server/platform/pg/database.ts'

export async function insertOffset(trx: Trx, invoiceId: number, amount: string, at: Date): Promise<number> {
  const row = await trx
    .insertInto('advertiser_offset')
    .values({ invoice_id: invoiceId, amount, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** What of prepaid money is used on an invoice, or on all of an advertiser in a currency, the latest first: as many as come to an amount. */
export function latestOffsets(trx: Trx, of: { invoiceId: number } | { advertiser_id: number; currency: string }, needed: string) {
  const found = trx
    .selectFrom('advertiser_offset as x')
    .innerJoin('advertiser_invoice as i', 'i.id', 'x.invoice_id')
    .select(['x.id', 'x.amount', 'x.invoice_id'])
    .select(sql<string>`sum(x.amount) over (order by x.id desc) - x.amount`.as('before'))
    .where('x.back_at', 'is', null)
  const all =
    'invoiceId' in of
      ? found.where('x.invoice_id', '=', of.invoiceId)
      : found.where('i.advertiser_id', '=', of.advertiser_id).where('i.currency', '=', of.currency)
  return trx
    .selectFrom(all.as('o'))
    .select(['o.id', 'o.amount', 'o.invoice_id'])
    .where('o.before', '<', needed)
    .orderBy('o.id', 'desc')
    .execute()
}

export async function endOffset(trx: Trx, id: number, at: Date): Promise<void> {
  await trx.updateTable('advertiser_offset').set({ back_at: at }).where('id', '=', id).execute()
}

/** What receipts pay of an invoice, the latest first. `short`: what of it is a fee and never arrived; the last invoice of a receipt bears that. */
export async function liveParts(trx: Trx, invoiceId: number) {
  const { rows } = await sql<{ id: number; amount: string; short: string; receipt_id: number; source_id: number }>`
    select p.id, (p.amount - p.released)::text as amount, p.receipt_id, r.source_id,
           (case when p.id = (select q.id from receipt_part q join advertiser_invoice j on j.id = q.invoice_id
              where q.receipt_id = p.receipt_id and not q.recovered order by j.due_day desc, j.id desc limit 1) then r.short else 0 end)::text as short
      from receipt_part p join receipt r on r.id = p.receipt_id
     where p.invoice_id = ${invoiceId} and p.amount > p.released order by p.id desc`.execute(trx)
  return rows
}

/** Takes back so much of what a receipt was credited with and never arrived; its new revision. */
export async function lessenShort(trx: Trx, receiptId: number, amount: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update receipt set amount = amount - ${amount}::numeric, short = short - ${amount}::numeric, revision = revision + 1
     where id = ${receiptId} returning revision`.execute(trx)
  return rows[0]?.revision ?? 0
}

/** Makes so much of a receipt's part free. */
export async function releasePart(trx: Trx, id: number, amount: string): Promise<void> {
  await sql`update receipt_part set released = released + ${amount}::numeric where id = ${id}`.execute(trx)
}
