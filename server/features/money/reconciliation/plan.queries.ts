import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Conversions by number, as they are. */
export function conversionsById(db: DbOrTrx, ids: readonly string[]) {
  return db
    .selectFrom('conversion')
    .selectAll()
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .execute()
}

/** Those of some conversions that are on an issued invoice of either side. */
export async function issuedAmong(db: DbOrTrx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select l.conversion_id::text as id from invoice_line l join invoice i on i.id = l.invoice_id
     where l.conversion_id = any(${[...ids]}::bigint[]) and l.live and i.number is not null
    union
    select l.conversion_id::text from advertiser_invoice_line l join advertiser_invoice i on i.id = l.invoice_id
     where l.conversion_id = any(${[...ids]}::bigint[]) and l.live and i.number is not null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
