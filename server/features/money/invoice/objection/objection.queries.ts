import { sql } from 'kysely'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** What was objected to on an invoice, the newest first. */
export function listObjections(db: DbOrTrx, invoiceId: number) {
  return db
    .selectFrom('invoice_objection as o')
    .innerJoin('account as m', 'm.id', 'o.made_by')
    .leftJoin('account as a', 'a.id', 'o.answered_by')
    .select(['o.uuid', 'o.reason', 'o.made_at', 'o.state', 'o.answer', 'o.ended_at', 'm.name as made_by', 'a.name as answered_by'])
    .where('o.invoice_id', '=', invoiceId)
    .orderBy('o.id', 'desc')
    .limit(100)
    .execute()
}
export type ObjectionRow = Awaited<ReturnType<typeof listObjections>>[number]

/** Whether something waits for an answer. */
export async function hasOpenObjection(db: DbOrTrx, invoiceId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from invoice_objection where invoice_id = ${invoiceId} and state = 'open'`.execute(db)
  return rows.length > 0
}

/** How often an invoice was objected to. */
export async function countObjections(db: DbOrTrx, invoiceId: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from invoice_objection where invoice_id = ${invoiceId}`.execute(
    db,
  )
  return rows[0]?.rows ?? 0
}

export async function insertObjection(
  trx: Trx,
  values: { invoice_id: number; reason: string; made_by: number; made_at: Date },
): Promise<void> {
  await trx.insertInto('invoice_objection').values(values).execute()
}

/** Ends what is open of an invoice; answers whether anything was. */
export async function endObjection(
  trx: Trx,
  invoiceId: number,
  values: { state: 'answered' | 'withdrawn' | 'ended'; answer?: string; answered_by?: number; ended_at: Date },
): Promise<boolean> {
  const ended = await trx
    .updateTable('invoice_objection')
    .set(values)
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}
