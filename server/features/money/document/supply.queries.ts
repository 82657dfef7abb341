import { sql, type RawBuilder } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** The first and the last day on which what stands on a document was supplied. */
export type Supply = { from: string; to: string }

/**
 * Of an affiliate's invoice, or of a credit note of it, in the zone it keeps: days of conversions, of bonuses and corrections, and whole
 * months of referrals. Lines of what has its number never change, and so the days do not. null where there are no lines.
 */
export function supplyOf(
  db: DbOrTrx,
  { id, time_zone }: { id: number; time_zone: string },
  note: { id: number; kind: 'whole' | 'changed' } | null,
): Promise<Supply | null> {
  // one that ends an invoice is about all of it
  const which = note === null ? sql`l.credit_note_id is null` : note.kind === 'changed' ? sql`l.credit_note_id = ${note.id}` : sql`true`
  return daysOf(db, toAffiliate(sql`${id}`, sql`${time_zone}`, which))
}

/** The same of an advertiser's invoice, or of a credit note of it. */
export function supplyToAdvertiser(
  db: DbOrTrx,
  { id, time_zone }: { id: number; time_zone: string },
  noteId: number | null,
): Promise<Supply | null> {
  const which = noteId === null ? sql`l.credit_note_id is null` : sql`l.credit_note_id = ${noteId}`
  return daysOf(db, toAdvertiser(sql`${id}`, sql`${time_zone}`, which))
}

/**
 * The first of these days of invoice `i`, null where it has no lines. Asked where it decides something, of reverse charge that is not
 * issued; else null, and a list reads no lines.
 */
export const SUPPLIED_FROM = firstDayOf(toAffiliate(sql`i.id`, sql`i.time_zone`, sql`l.credit_note_id is null`))

/** The same of invoice `i` to an advertiser. */
export const SUPPLIED_TO_ADVERTISER_FROM = firstDayOf(toAdvertiser(sql`i.id`, sql`i.time_zone`, sql`l.credit_note_id is null`))

type Days = { days: RawBuilder<unknown>; lines: RawBuilder<unknown> }

function toAffiliate(id: RawBuilder<unknown>, zone: RawBuilder<unknown>, which: RawBuilder<unknown>): Days {
  return {
    days: sql`(coalesce(c.created_at, d.at) at time zone ${zone})::date as first, (m.month + interval '1 month')::date - 1 as month_end, m.month`,
    lines: sql`invoice_line l left join conversion c on c.id = l.conversion_id left join adjustment d on d.id = l.adjustment_id
      left join referral_month m on m.id = l.referral_month_id where l.invoice_id = ${id} and ${which}`,
  }
}

function toAdvertiser(id: RawBuilder<unknown>, zone: RawBuilder<unknown>, which: RawBuilder<unknown>): Days {
  return {
    days: sql`(coalesce(c.created_at, d.created_at) at time zone ${zone})::date as first, null::date as month_end, null::date as month`,
    lines: sql`advertiser_invoice_line l left join conversion c on c.id = l.conversion_id
      left join advertiser_adjustment d on d.id = l.adjustment_id where l.invoice_id = ${id} and ${which}`,
  }
}

function firstDayOf({ days, lines }: Days): RawBuilder<string | null> {
  return sql<string | null>`case when i.vat_category = 'AE' and i.status in ('draft', 'waiting')
    then (select to_char(min(coalesce(first, month)), 'YYYY-MM-DD') from (select ${days} from ${lines}) s) end`
}

async function daysOf(db: DbOrTrx, { days, lines }: Days): Promise<Supply | null> {
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    select to_char(min(coalesce(first, month)), 'YYYY-MM-DD') as "from", to_char(max(coalesce(first, month_end)), 'YYYY-MM-DD') as "to"
      from (select ${days} from ${lines}) s`.execute(db)
  const [found] = rows
  return found?.from && found.to ? { from: found.from, to: found.to } : null
}
