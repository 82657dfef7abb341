import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { invoicedUntil } from './conversion-import.queries.ts'

type New = { affiliate_id: number; advertiser_id: number; created_at: Date }

/** Of new conversions those of a day that their affiliate or advertiser was invoiced for already. */
export async function ofInvoicedDays<One extends New>(db: DbOrTrx, made: readonly One[]): Promise<Set<One>> {
  if (made.length === 0) return new Set()
  const until = await invoicedUntil(db, {
    affiliates: [...new Set(made.map(({ affiliate_id }) => affiliate_id))],
    advertisers: [...new Set(made.map(({ advertiser_id }) => advertiser_id))],
  })
  const isOf = ({ affiliate_id, advertiser_id, created_at }: New) =>
    [`affiliate ${affiliate_id}`, `advertiser ${advertiser_id}`].some((whose) => created_at.getTime() < (until.get(whose) ?? 0))
  return new Set(made.filter(isOf))
}
