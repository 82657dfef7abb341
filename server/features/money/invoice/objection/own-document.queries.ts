import { sql } from 'kysely'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** The own invoices given for one of ours, the newest first. */
export function listDocuments(db: DbOrTrx, invoiceId: number) {
  return db
    .selectFrom('own_document as d')
    .select(['d.uuid', 'd.number', 'd.day', 'd.state', 'd.reason', 'd.made_at'])
    .select(
      sql<{ uuid: string; name: string; size: number } | null>`(select json_build_object('uuid', f.uuid, 'name', f.name, 'size', f.size)
        from file f where f.kind = 'own_invoice' and f.owner_id = d.id limit 1)`.as('file'),
    )
    .where('d.invoice_id', '=', invoiceId)
    .orderBy('d.id', 'desc')
    .limit(50)
    .execute()
}
export type DocumentRow = Awaited<ReturnType<typeof listDocuments>>[number]

/** Keeps an own invoice; undefined where its affiliate gave that number for another of ours already. */
export function insertDocument(
  trx: Trx,
  values: { invoice_id: number; affiliate_id: number; number: string; day: string; made_by: number; made_at: Date },
) {
  return trx
    .insertInto('own_document')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
}

/** Ends the one that is given for an invoice; answers whether there was one. */
export async function endDocument(
  trx: Trx,
  invoiceId: number,
  values: { state: 'replaced' | 'refused'; reason?: string; decided_by?: number; ended_at: Date },
): Promise<boolean> {
  const ended = await trx
    .updateTable('own_document')
    .set(values)
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'given')
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Which of these invoices have the affiliate's own. */
export async function withDocument(db: DbOrTrx, invoiceIds: readonly number[]): Promise<Set<number>> {
  if (invoiceIds.length === 0) return new Set()
  const { rows } = await sql<{ invoice_id: number }>`
    select invoice_id from own_document where state = 'given' and invoice_id = any(${[...invoiceIds]}::int[])`.execute(db)
  return new Set(rows.map((row) => row.invoice_id))
}

/** The affiliate a document belongs to. */
export async function ownerOf(db: DbOrTrx, id: number): Promise<number | undefined> {
  return (await db.selectFrom('own_document').select('affiliate_id').where('id', '=', id).executeTakeFirst())?.affiliate_id
}
