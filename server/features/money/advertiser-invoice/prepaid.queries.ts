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

/** What of prepaid money is used on an invoice, or on all of an advertiser in a currency, the latest first. */
export function latestOffsets(trx: Trx, of: { invoiceId: number } | { advertiser_id: number; currency: string }) {
  const found = trx
    .selectFrom('advertiser_offset as x')
    .innerJoin('advertiser_invoice as i', 'i.id', 'x.invoice_id')
    .select(['x.id', 'x.amount', 'x.invoice_id'])
    .where('x.back_at', 'is', null)
    .orderBy('x.id', 'desc')
  return 'invoiceId' in of
    ? found.where('x.invoice_id', '=', of.invoiceId).execute()
    : found.where('i.advertiser_id', '=', of.advertiser_id).where('i.currency', '=', of.currency).execute()
}

export async function endOffset(trx: Trx, id: number, at: Date): Promise<void> {
  await trx.updateTable('advertiser_offset').set({ back_at: at }).where('id', '=', id).execute()
}

/** What receipts pay of an invoice, the latest first. */
export function liveParts(trx: Trx, invoiceId: number) {
  return trx
    .selectFrom('receipt_part')
    .select(['id', sql<string>`(amount - released)::text`.as('amount')])
    .where('invoice_id', '=', invoiceId)
    .where(sql<boolean>`amount > released`)
    .orderBy('id', 'desc')
    .execute()
}

/** Makes so much of a receipt's part free. */
export async function releasePart(trx: Trx, id: number, amount: string): Promise<void> {
  await sql`update receipt_part set released = released + ${amount}::numeric where id = ${id}`.execute(trx)
}
