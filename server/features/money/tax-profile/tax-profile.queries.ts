import { sql, type Insertable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

/** How an affiliate is taxed; undefined before anybody said anything. */
export function getProfile(db: DbOrTrx, affiliateId: number) {
  return db.selectFrom('tax_profile').selectAll().where('affiliate_id', '=', affiliateId).executeTakeFirst()
}
export type ProfileRow = NonNullable<Awaited<ReturnType<typeof getProfile>>>

/** The name of an affiliate. */
export async function nameOfAffiliate(db: DbOrTrx, affiliateId: number): Promise<string> {
  const row = await db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select('a.name')
    .where('f.id', '=', affiliateId)
    .executeTakeFirst()
  return row?.name ?? ''
}

/** Corrections on an invoice that has no number, of conversions that stand on others with another rate of VAT. */
export async function foreignLines(
  db: DbOrTrx,
  invoiceId: number,
  { vat_category, vat_rate }: { vat_category: string; vat_rate: string },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct l.id::int as id from invoice_line l
      join invoice_line nl on nl.conversion_id = l.conversion_id and nl.live and nl.kind = 'conversion' join invoice ni on ni.id = nl.invoice_id
     where l.invoice_id = ${invoiceId} and l.live and l.unissued and l.kind = 'correction'
       and case when ni.vat_category = 'S' then ni.vat_rate else 0 end <> ${vat_category === 'S' ? vat_rate : '0'}::numeric order by 1`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** The same, made where there is none, and locked. */
export async function lockProfile(trx: Trx, affiliateId: number, at: Date): Promise<ProfileRow> {
  await trx
    .insertInto('tax_profile')
    .values({ affiliate_id: affiliateId, updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('tax_profile').selectAll().where('affiliate_id', '=', affiliateId).forUpdate().executeTakeFirstOrThrow()
}

/** Changes a profile and counts the change; answers what it is then. */
export function updateProfile(trx: Trx, affiliateId: number, at: Date, values: Partial<Insertable<Tables['tax_profile']>>) {
  return trx
    .updateTable('tax_profile')
    .set({ ...values, version: sql<number>`version + 1`, updated_at: at })
    .where('affiliate_id', '=', affiliateId)
    .returningAll()
    .executeTakeFirstOrThrow()
}
