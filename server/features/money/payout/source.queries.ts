import { sql, type Insertable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

const SHOWN = ['id', 'uuid', 'name', 'kind', 'holder', 'iban', 'bic', 'currency', 'decimal_sign', 'active', 'version'] as const

/** Where payments leave from, those no longer offered last. */
export function listPaymentSources(db: DbOrTrx) {
  return db.selectFrom('payment_source').select(SHOWN).orderBy('active', 'desc').orderBy('id').limit(200).execute()
}

/** One of them, which stays as it is until the transaction ends. */
export function holdSource(trx: Trx, id: number) {
  return trx.selectFrom('payment_source').select(SHOWN).where('id', '=', id).forShare().executeTakeFirst()
}
export type SourceRow = NonNullable<Awaited<ReturnType<typeof holdSource>>>

export function lockSource(trx: Trx, uuid: string) {
  return trx.selectFrom('payment_source').select(SHOWN).where('uuid', '=', uuid).forUpdate().executeTakeFirst()
}

export function insertSource(trx: Trx, values: Insertable<Tables['payment_source']>): Promise<SourceRow> {
  return trx.insertInto('payment_source').values(values).returning(SHOWN).executeTakeFirstOrThrow()
}

export function updateSource(trx: Trx, id: number, values: Partial<Insertable<Tables['payment_source']>>): Promise<SourceRow> {
  return trx
    .updateTable('payment_source')
    .set({ ...values, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirstOrThrow()
}

/** How many there are: a list nobody pages through stays short. */
export async function countSources(trx: Trx): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from payment_source`.execute(trx)
  return rows[0]?.rows ?? 0
}
