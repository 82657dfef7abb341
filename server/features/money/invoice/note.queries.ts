import { sql, type Insertable, type RawBuilder } from 'kysely'
import { companySetting, type Company } from '#contract/money/document.ts'
import { rateIn, rateOf } from '#server/features/money/tax-profile/rate.queries.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { LAST_TRANSFER } from './cut-off.queries.ts'
import { CHANGED, PAYABLE } from './invoice.queries.ts'

/** On no invoice without a number, neither itself nor a correction of it. */
export const UNDRAFTED = sql`not exists (select from invoice_line l where l.conversion_id = c.id and l.live and l.unissued)`

/**
 * Whether changes of issued invoice `ni`, of an affiliate taxed by `np`, stand in a credit note: as was decided for the affiliate, else where
 * the invoice carried VAT; and always where the next invoice has another rate, which no correction takes in silence.
 */
function byNote({ self_billing, agreement }: Company): RawBuilder<boolean> {
  const rate = rateOf('ni')
  const present = sql`case when ${self_billing}::boolean and np.agreed_text = ${agreement} then ${rateOf('np')} else 0 end`
  return sql<boolean>`(case coalesce(np.corrections, 'usual') when 'note' then true when 'usual' then ${rate} <> 0 else false end or ${rate} <> ${present})`
}

/** Something is left of issued invoice `ni` that a note can take. */
const IS_LEFT = sql`ni.net > coalesce((select sum(n.net) from credit_note n where n.invoice_id = ni.id), 0)`

/** Changed conversion `c` waits for a credit note: no next invoice takes it. What lessens an invoice of which nothing is left no note can take. */
export async function waitsForNote(db: DbOrTrx): Promise<RawBuilder<boolean>> {
  const company = await getSetting(db, companySetting)
  return sql<boolean>`exists (select from invoice_line nl join invoice ni on ni.id = nl.invoice_id left join tax_profile np on np.affiliate_id = ni.affiliate_id
    where nl.conversion_id = c.id and nl.live and nl.kind = 'conversion' and not nl.unissued and ${byNote(company)}
      and (${IS_LEFT} or ${PAYABLE} > c.invoiced))`
}

/** Where what has changed on an issued invoice stands, and what of it is on no draft. */
export async function changesOf(db: DbOrTrx, invoiceId: number): Promise<{ by: 'line' | 'note'; rows: number; amount: string }> {
  const company = await getSetting(db, companySetting)
  const { rows } = await sql<{ by: 'line' | 'note'; rows: number; amount: string }>`
    select case when ${byNote(company)} and (${IS_LEFT} or coalesce(w.amount, 0) >= 0) then 'note' else 'line' end as by, coalesce(w.rows, 0) as rows, coalesce(w.amount, 0)::text as amount
      from invoice ni left join tax_profile np on np.affiliate_id = ni.affiliate_id
      left join lateral (select count(*)::int as rows, sum(${PAYABLE} - c.invoiced) as amount from conversion c
        where c.affiliate_id = ni.affiliate_id and ${CHANGED} and ${ISSUED_ON(sql`ni.id`)} and ${UNDRAFTED}) w on true
     where ni.id = ${invoiceId}`.execute(db)
  return rows[0] ?? { by: 'line', rows: 0, amount: '0' }
}

/**
 * Corrections on an invoice that has no number, of conversions that stand on others with another rate of VAT: notes of those take them. What
 * lessens one of which nothing is left no note can take: it stays, at the rate of this one.
 */
export async function foreignLines(db: DbOrTrx, invoiceId: number, vat: Parameters<typeof rateIn>[0]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct l.id::int as id from invoice_line l
      join invoice_line nl on nl.conversion_id = l.conversion_id and nl.live and nl.kind = 'conversion' join invoice ni on ni.id = nl.invoice_id
      join conversion c on c.id = l.conversion_id
     where l.invoice_id = ${invoiceId} and l.live and l.unissued and l.kind = 'correction' and ${rateOf('ni')} <> ${rateIn(vat)}
       and (${IS_LEFT} or ${PAYABLE} > c.invoiced - l.amount) order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** The conversions of an issued invoice that have become something else since and are on no draft. */
export async function changedOn(trx: Trx, invoice: { id: number; affiliate_id: number }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from conversion c where c.affiliate_id = ${invoice.affiliate_id} and ${CHANGED} and ${ISSUED_ON(sql`${invoice.id}`)} and ${UNDRAFTED} order by c.id`.execute(
    trx,
  )
  return rows.map(({ id }) => id)
}

/** Who changed conversions by hand since a moment. */
export async function whoChanged(trx: Trx, of: { affiliateId: number; ids: readonly string[]; since: Date }): Promise<number[]> {
  const { rows } = await sql<{ actor: number }>`
    select distinct actor_id as actor from conversion_history
     where affiliate_id = ${of.affiliateId} and conversion_id = any(${[...of.ids]}::bigint[]) and at >= ${of.since} and actor_id is not null`.execute(
    trx,
  )
  return rows.map(({ actor }) => actor)
}

function ISSUED_ON(invoiceId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from invoice_line o where o.conversion_id = c.id and o.invoice_id = ${invoiceId} and o.live and o.kind = 'conversion')`
}

export function insertCreditNote(trx: Trx, values: Insertable<Tables['credit_note']>) {
  return trx.insertInto('credit_note').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

/** The credit notes of an invoice, oldest first. */
export function listCreditNotes(db: DbOrTrx, invoiceId: number) {
  return db
    .selectFrom('credit_note as n')
    .leftJoin('account as a', 'a.id', 'n.made_by')
    .leftJoin('official_number as o', (join) => join.onRef('o.subject_id', '=', 'n.id').on('o.kind', '=', 'credit_note'))
    .select(['n.uuid', 'n.kind', 'n.number', 'n.total', 'n.reason', 'n.created_at', 'a.name as actor', 'o.number as official_number'])
    .where('n.invoice_id', '=', invoiceId)
    .orderBy('n.id')
    .limit(200)
    .execute()
}

/** What the credit notes of an invoice come to so far. */
export async function creditedSums(trx: Trx, invoiceId: number): Promise<{ net: string; vat: string }> {
  const { rows } = await sql<{ net: string; vat: string }>`
    select coalesce(sum(net), 0)::text as net, coalesce(sum(vat), 0)::text as vat from credit_note where invoice_id = ${invoiceId}`.execute(
    trx,
  )
  return rows[0] ?? { net: '0', vat: '0' }
}

/** What the lines of an invoice come to, with those of its notes. */
export async function sumLive(trx: Trx, invoiceId: number): Promise<string> {
  const { rows } = await sql<{ amount: string }>`
    select coalesce(sum(amount), 0)::text as amount from invoice_line where invoice_id = ${invoiceId} and live`.execute(trx)
  return rows[0]?.amount ?? '0'
}

/** Puts the corrections of a credit note on its invoice: they live on, so that what is invoiced of a conversion is the sum of its lines. */
export async function insertNoteLines(
  trx: Trx,
  note: { id: number; invoiceId: number },
  lines: readonly { conversion_id: string; amount: string; status: string }[],
): Promise<void> {
  await sql`
    insert into invoice_line (invoice_id, credit_note_id, kind, conversion_id, amount, status, live, unissued, seen_transfer_id)
    select ${note.invoiceId}, ${note.id}, 'correction', n.id, n.amount, n.status, true, false, ${LAST_TRANSFER}
      from unnest(${lines.map((one) => one.conversion_id)}::bigint[], ${lines.map((one) => one.amount)}::numeric[], ${lines.map((one) => one.status)}::text[])
        as n (id, amount, status)`.execute(trx)
}

/** Locks what was paid of an invoice, or is on its way, the latest first: what had arrived before the rest. */
export async function lockPaid(trx: Trx, invoiceId: number) {
  const rows = await trx
    .selectFrom('payment')
    .select(['id', 'state', 'on_invoice'])
    .where('invoice_id', '=', invoiceId)
    .where('state', 'in', ['sent', 'settled'])
    .orderBy('id')
    .forUpdate()
    .execute()
  const of = (state: string) => rows.filter((one) => one.state === state).toReversed()
  return [...of('settled'), ...of('sent')]
}
