import { sql } from 'kysely'
import type { z } from 'zod'
import type { Currency } from '#contract/money/amount.ts'
import type { payoutApi } from '#contract/money/payout.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** An invoice that is due, with the method its affiliate would be paid by. */
export type DueRow = {
  id: number
  number: string
  affiliate_id: number
  uuid: string
  name: string
  status: string
  country: string | null
  system: string
  /** What the invoice is in law. */
  mode: string | null
  open: string
  due_day: string | null
  method_id: number | null
  sealed: Buffer | null
  masked: string | null
  locked_until: Date | null
}

/** So many invoices one file looks at; where more are due, who makes it is told. */
const MOST_INVOICES = 20_000

/** Invoices that are due in a currency and of which nothing is planned or on its way, by affiliate; `more`: there are others beyond these. */
export async function listDue(
  db: DbOrTrx,
  asked: {
    currency: Currency
    systems: readonly string[]
    dueTo: string
    affiliateUuids: readonly string[]
    invoiceUuids: readonly string[]
  },
): Promise<{ due: DueRow[]; more: boolean }> {
  const { rows } = await sql<DueRow>`
    select i.id, i.number, i.affiliate_id, a.uuid, a.name, f.status, coalesce(t.country, f.country) as country, i.payment_system as system, i.mode, i.open::text, i.due_day::text,
           m.id as method_id, m.sealed, m.masked, m.locked_until
      from invoice i join affiliate f on f.id = i.affiliate_id join account a on a.id = f.account_id left join tax_profile t on t.affiliate_id = f.id
      left join lateral (select id, sealed, masked, locked_until from payment_method
        where affiliate_id = i.affiliate_id and system = i.payment_system and removed_at is null order by place limit 1) m on true
     where i.status in ('approved', 'partly_paid') and i.currency = ${asked.currency} and i.open > 0 and i.due_day <= ${asked.dueTo}::date
       and i.payment_system = any(${[...asked.systems]}::text[])
       and (cardinality(${[...asked.affiliateUuids]}::uuid[]) = 0 or a.uuid = any(${[...asked.affiliateUuids]}::uuid[]))
       and (cardinality(${[...asked.invoiceUuids]}::uuid[]) = 0 or i.uuid = any(${[...asked.invoiceUuids]}::uuid[]))
       and not exists (select from payment p where p.invoice_id = i.id and p.state in ('planned', 'sent'))
     order by i.affiliate_id, i.id limit ${MOST_INVOICES + 1}`.execute(db)
  return { due: rows.slice(0, MOST_INVOICES), more: rows.length > MOST_INVOICES }
}

type NotTaken = z.output<typeof payoutApi.preview.response>['not_taken'][number]

/** Of some chosen invoices those `listDue` passes over, and why; ones that are not there are not told. */
export async function listNotTaken(
  db: DbOrTrx,
  asked: { currency: Currency; systems: readonly string[]; dueTo: string; invoiceUuids: readonly string[] },
): Promise<NotTaken[]> {
  if (asked.invoiceUuids.length === 0) return []
  const { rows } = await sql<NotTaken>`
    select * from (
      select i.id, i.uuid, i.number, a.name as affiliate, case
          when i.status not in ('approved', 'partly_paid') then i.status
          when exists (select from payment p where p.invoice_id = i.id and p.state in ('planned', 'sent')) then 'planned'
          when i.open <= 0 then 'nothing_open'
          when i.currency <> ${asked.currency} then 'currency'
          when i.payment_system is null or not i.payment_system = any(${[...asked.systems]}::text[]) then 'system'
          when i.due_day is null or i.due_day > ${asked.dueTo}::date then 'due_later' end as reason
        from invoice i join affiliate f on f.id = i.affiliate_id join account a on a.id = f.account_id
       where i.uuid = any(${[...asked.invoiceUuids]}::uuid[]) and i.deleted_at is null) chosen
     where reason is not null order by id`.execute(db)
  return rows.map(({ uuid, id, number, affiliate, reason }) => ({ uuid, id, number, affiliate, reason }))
}

/** What the first method of an affiliate of a system is now. */
export async function methodsNow(db: DbOrTrx, payouts: readonly { affiliate_id: number; system: string }[]) {
  const { rows } = await sql<{
    affiliate_id: number
    system: string
    id: number
    sealed: Buffer
    locked_until: Date | null
    status: string
    name: string
    country: string | null
    /** It has a number of its own with the register or for VAT. */
    is_company: boolean
  }>`
    select distinct on (m.affiliate_id, m.system) m.affiliate_id, m.system, m.id, m.sealed, m.locked_until, f.status, a.name,
           coalesce(t.country, f.country) as country, coalesce(t.vat_id <> '' or t.registration <> '', false) as is_company
      from payment_method m join affiliate f on f.id = m.affiliate_id join account a on a.id = f.account_id left join tax_profile t on t.affiliate_id = f.id
      join unnest(${payouts.map((one) => one.affiliate_id)}::int[], ${payouts.map((one) => one.system)}::text[]) as n (affiliate_id, system)
        on n.affiliate_id = m.affiliate_id and n.system = m.system
     where m.removed_at is null order by m.affiliate_id, m.system, m.place`.execute(db)
  return new Map(rows.map((row) => [`${row.affiliate_id} ${row.system}`, row]))
}
