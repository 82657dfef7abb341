import { sql, type RawBuilder } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import { LAST_TRANSFER, revenueSince, seenByAdvertiserUntil } from '#server/features/money/invoice/cut-off.queries.ts'
import { rateIn, rateOf } from '#server/features/money/tax-profile/rate.queries.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** What a conversion earns the network now. */
export const EARNED = sql`case when c.status in ('hold', 'approved') then c.revenue else 0 end`
/** Something of it is on no issued invoice, or on one and earned no more; as the index says it. */
export const UNBILLED: RawBuilder<boolean> = sql`not c.test and c.billed <> case when c.status in ('hold', 'approved') then c.revenue else 0 end`
/** It stands on no draft. */
const UNDRAFTED = sql`not exists (select from advertiser_invoice_line l where l.conversion_id = c.id and l.live and not l.issued)`
/** It stood on an invoice before: what it adds is a correction. */
const AGAIN = sql`exists (select from advertiser_invoice_line l where l.conversion_id = c.id and l.live and l.kind = 'conversion')`
/** Changes of issued invoice `ni` stand in a credit note: it carried VAT, or the next would have another rate (`nb` says which), which no correction takes in silence. */
const BY_NOTE = sql<boolean>`(${rateOf('ni')} <> 0 or ${rateOf('ni')} <> coalesce(${rateOf('nb')}, 0))`
/** Something is left of issued invoice `ni` that a note can take. */
const IS_LEFT = sql`ni.net > coalesce((select sum(n.net) from advertiser_credit_note n where n.invoice_id = ni.id), 0)`
/** Changed conversion `c` waits for a credit note: no draft takes it. What lessens an invoice of which nothing is left no note can take. */
const WAITS = sql`exists (select from advertiser_invoice_line nl join advertiser_invoice ni on ni.id = nl.invoice_id
  left join advertiser_billing nb on nb.advertiser_id = ni.advertiser_id
  where nl.conversion_id = c.id and nl.live and nl.issued and nl.kind = 'conversion' and ${BY_NOTE}
    and (${IS_LEFT} or ${EARNED} > c.billed))`
const OPEN_ADJUSTMENT = sql`d.void_at is null and not exists (select from advertiser_invoice_line l where l.adjustment_id = d.id and l.live)`

/** What of a conversion is on no invoice: of what stood on one before, as it was at the end of the period; of all else, as it is. */
const dueAt = (until: Date) => sql`(${EARNED} - c.billed - case when ${AGAIN} then ${revenueSince(until)} else 0 end)`

/** What line `l` of a draft for a period until then comes to: its conversion as it is, a correction as it stood at the end of the period. */
const worthAt = (until: Date) => sql`(${EARNED} - c.billed - case when l.kind = 'correction' then ${revenueSince(until)} else 0 end)`

/** What is asked for: until a moment, of some offers or, where none is named, of all and with what stands beside conversions. */
export type Billable = { until: Date; offerIds: readonly number[] }
/** Whether conversion `c` is old enough: before a moment, where it stood on no invoice yet before another one too. */
const oldEnough = (until: Date, heldUntil: RawBuilder<unknown>) =>
  sql`c.created_at < ${until} and (c.billed <> 0 or c.created_at < ${heldUntil})`

/** Before when conversions have to be by the terms `b` of their advertiser, else of the network. */
export const heldBefore = (now: Date, holdDays: number): RawBuilder<unknown> =>
  sql`${now}::timestamptz - make_interval(days => coalesce(b.hold_days, ${holdDays}::int))`

export type Whose = { advertiser_id: number; currency: Currency }

export type PreviewRow = {
  advertiser: { uuid: string; id: number; name: string }
  currency: Currency
  conversions: number
  corrections: number
  adjustments: number
  net: string
  later: string | null
  vat_category: 'S' | 'AE' | 'E' | 'O'
  vat_rate: string
  /** Of the currency. */
  decimals: number
  /** What its terms say, else the network. */
  minimum: string
}

/**
 * What could be invoiced by advertiser and currency. `b`: the terms of a conversion's advertiser; `heldUntil` may ask them how long it waits
 * beyond its hold.
 */
export function billableSums(asked: Billable & { includeHold: boolean; heldUntil: RawBuilder<unknown> }): RawBuilder<unknown> {
  return sql`
    select advertiser_id, currency, sum(conversions)::int as conversions, sum(corrections)::int as corrections,
           sum(adjustments)::int as adjustments, sum(amount) as amount
      from (
        select c.advertiser_id, c.currency, count(*) filter (where not ${AGAIN}) as conversions, count(*) filter (where ${AGAIN}) as corrections,
               0 as adjustments, sum(${dueAt(asked.until)}) as amount
          from conversion c left join advertiser_billing b on b.advertiser_id = c.advertiser_id
         where ${UNBILLED} and ${oldEnough(asked.until, asked.heldUntil)}
           and (c.status <> 'hold' or c.billed <> 0 or coalesce(b.include_hold, ${asked.includeHold}))
           and ${some(asked.offerIds, sql`c.offer_id = any(${[...asked.offerIds]}::int[])`)} and ${UNDRAFTED} and not ${WAITS}
           and ${dueAt(asked.until)} <> 0 group by 1, 2
        union all
        select d.advertiser_id, d.currency, 0, 0, count(*), sum(d.amount) from advertiser_adjustment d
         where ${OPEN_ADJUSTMENT} and d.created_at < ${asked.until} and ${asked.offerIds.length === 0} group by 1, 2) parts
     group by 1, 2`
}

/** What changes booked after a moment come to by advertiser and currency, of what stood on an invoice before and beside conversions: they come on a later one. */
export function laterSums(until: Date): RawBuilder<unknown> {
  return sql`
    select advertiser_id, currency, sum(amount) as amount from (
      select c.advertiser_id, c.currency, ${revenueSince(until)} as amount from conversion c
       where ${UNBILLED} and ${AGAIN} and ${UNDRAFTED} and not ${WAITS}
      union all
      select d.advertiser_id, d.currency, d.amount from advertiser_adjustment d where ${OPEN_ADJUSTMENT} and d.created_at >= ${until}) booked
     group by 1, 2`
}

const some = (ids: readonly unknown[], condition: RawBuilder<unknown>) => (ids.length === 0 ? sql`true` : condition)

/** What each advertiser could be invoiced in each currency, the largest first. What is on hold comes along where its terms say so, else the network’s (`includeHold`). */
export async function previewBillable(
  db: DbOrTrx,
  asked: Billable & {
    includeHold: boolean
    /** Days conversions wait beyond their hold where an advertiser has none of its own, counted until this moment. */
    holdDays: number
    now: Date
    /** By currency, where an advertiser has none of its own. */
    minimums: Readonly<Record<string, string>>
    advertiserUuids: readonly string[]
    currencies: readonly string[]
  },
  most: number,
): Promise<PreviewRow[]> {
  const { rows } = await sql<PreviewRow>`
    with sums as (${billableSums({ ...asked, heldUntil: heldBefore(asked.now, asked.holdDays) })}), later as (${laterSums(asked.until)})
    select json_build_object('uuid', v.uuid, 'id', v.id, 'name', v.name) as advertiser, s.currency, s.conversions, s.corrections, s.adjustments,
           round(s.amount, u.decimals)::text as net, nullif(w.amount, 0)::text as later, coalesce(b.vat_category, 'O') as vat_category, coalesce(b.vat_rate, 0)::text as vat_rate, u.decimals,
           coalesce(b.minimums ->> s.currency, ${JSON.stringify(asked.minimums)}::jsonb ->> s.currency, '0') as minimum
      from sums s join advertiser v on v.id = s.advertiser_id join currency u on u.code = s.currency left join advertiser_billing b on b.advertiser_id = v.id
      left join later w on w.advertiser_id = s.advertiser_id and w.currency = s.currency
     where ${some(asked.advertiserUuids, sql`v.uuid = any(${[...asked.advertiserUuids]}::uuid[])`)}
       and ${some(asked.currencies, sql`s.currency = any(${[...asked.currencies]}::text[])`)}
     order by s.currency, s.amount desc, s.advertiser_id limit ${most}`.execute(db)
  return rows
}

/** Puts what can be invoiced on a draft: set by set, however much it is. Answers how many lines came. */
export async function takeLines(
  trx: Trx,
  invoiceId: number,
  whose: Whose,
  asked: Billable & { includeHold: boolean; heldUntil: Date | null },
): Promise<number> {
  const offers = asked.offerIds.length === 0 ? sql`true` : sql`c.offer_id = any(${[...asked.offerIds]}::int[])`
  const conversions = await sql`
    insert into advertiser_invoice_line (invoice_id, kind, conversion_id, amount)
    select ${invoiceId}, case when ${AGAIN} then 'correction' else 'conversion' end, c.id, ${dueAt(asked.until)}
      from conversion c
     where ${UNBILLED} and c.advertiser_id = ${whose.advertiser_id} and c.currency = ${whose.currency}
       and ${oldEnough(asked.until, sql`${asked.heldUntil ?? asked.until}::timestamptz`)}
       and (c.status <> 'hold' or c.billed <> 0 or ${asked.includeHold}) and ${offers} and ${UNDRAFTED} and not ${WAITS} and ${dueAt(asked.until)} <> 0
     order by c.id`.execute(trx)
  if (asked.offerIds.length > 0) return Number(conversions.numAffectedRows ?? 0n)
  const adjustments = await sql`
    insert into advertiser_invoice_line (invoice_id, kind, adjustment_id, amount)
    select ${invoiceId}, 'adjustment', d.id, d.amount from advertiser_adjustment d
     where ${OPEN_ADJUSTMENT} and d.created_at < ${asked.until} and d.advertiser_id = ${whose.advertiser_id} and d.currency = ${whose.currency}
     order by d.id`.execute(trx)
  return Number((conversions.numAffectedRows ?? 0n) + (adjustments.numAffectedRows ?? 0n))
}

/** Locks the conversions of the live lines of an invoice, by number: what they earn is the same until the transaction ends. */
export async function lockConversions(trx: Trx, invoiceId: number): Promise<void> {
  await sql`
    with locked as (
      select c.id from conversion c
       where c.id in (select conversion_id from advertiser_invoice_line where invoice_id = ${invoiceId} and live and conversion_id is not null)
       order by c.id for update)
    select count(*) from locked`.execute(trx)
}

/** Gives the lines of a draft what their conversions are worth now, corrections as they stood at the end of its period (`until`); those worth nothing more leave it. */
export async function recomputeLines(trx: Trx, invoiceId: number, until: Date): Promise<void> {
  await sql`
    update advertiser_invoice_line l set amount = ${worthAt(until)}
      from conversion c where l.invoice_id = ${invoiceId} and l.conversion_id = c.id and l.amount <> ${worthAt(until)}`.execute(trx)
  await sql`delete from advertiser_invoice_line where invoice_id = ${invoiceId} and conversion_id is not null and amount = 0`.execute(trx)
}

const FOREIGN = (invoiceId: number, vat: Parameters<typeof rateIn>[0]) => sql`l.invoice_id = ${invoiceId} and l.live and not l.issued
  and l.kind = 'correction' and exists (select from advertiser_invoice_line nl join advertiser_invoice ni on ni.id = nl.invoice_id
    join conversion c on c.id = nl.conversion_id
    where nl.conversion_id = l.conversion_id and nl.live and nl.issued and nl.kind = 'conversion' and ${rateOf('ni')} <> ${rateIn(vat)}
      and (${IS_LEFT} or ${EARNED} > c.billed))`

/** Whether a draft corrects invoices that had another rate of VAT, and of which a note can take it. */
export async function hasForeignLines(db: DbOrTrx, invoiceId: number, vat: { vat_category: string; vat_rate: string }): Promise<boolean> {
  const { rows } = await sql<{
    found: boolean
  }>`select exists (select from advertiser_invoice_line l where ${FOREIGN(invoiceId, vat)}) as found`.execute(db)
  return rows[0]?.found === true
}

/** Takes them off. */
export async function dropForeignLines(trx: Trx, invoiceId: number, vat: { vat_category: string; vat_rate: string }): Promise<void> {
  await sql`delete from advertiser_invoice_line l where ${FOREIGN(invoiceId, vat)}`.execute(trx)
}

/** What the live lines of an invoice come to, as they stand and as `recomputeLines` would make them. */
export async function sumLive(db: DbOrTrx, invoiceId: number, until: Date): Promise<{ lines: number; amount: string; now: string }> {
  const { rows } = await sql<{ lines: number; amount: string; now: string }>`
    select count(*)::int as lines, coalesce(sum(l.amount), 0)::text as amount,
           coalesce(sum(case when c.id is null then l.amount else ${worthAt(until)} end), 0)::text as now
      from advertiser_invoice_line l left join conversion c on c.id = l.conversion_id where l.invoice_id = ${invoiceId} and l.live`.execute(
    db,
  )
  return rows[0] ?? { lines: 0, amount: '0', now: '0' }
}

/** Marks the lines of a draft for a period until then as issued, as they were recomputed, and what of their conversions is billed by that. */
export async function billLines(trx: Trx, invoiceId: number, until: Date): Promise<void> {
  await sql`
    update conversion c set billed = c.billed + l.amount
      from advertiser_invoice_line l where l.invoice_id = ${invoiceId} and l.live and not l.issued and l.conversion_id = c.id`.execute(trx)
  // a correction of an invoice that was credited since is what its conversion stands on
  await sql`
    update advertiser_invoice_line n set issued = true,
      seen_transfer_id = case n.kind when 'conversion' then ${LAST_TRANSFER} when 'correction' then ${seenByAdvertiserUntil(until)} else 0 end,
      kind = case when n.kind = 'correction' and not exists (select from advertiser_invoice_line o
      where o.conversion_id = n.conversion_id and o.live and o.kind = 'conversion') then 'conversion' else n.kind end
      from advertiser_invoice_line l left join conversion c on c.id = l.conversion_id
     where n.id = l.id and l.invoice_id = ${invoiceId} and l.live`.execute(trx)
}

/** Takes lines off a draft, all where none is named. Answers the adjustments among them. */
export async function dropLines(trx: Trx, invoiceId: number, lines: readonly number[] | 'all') {
  const { rows } = await sql<{ id: number; kind: 'discount' | 'minimum' | 'fee'; amount: string }>`
    with gone as (
      delete from advertiser_invoice_line where invoice_id = ${invoiceId} and not issued
         and ${lines === 'all' ? sql`true` : sql`id = any(${[...lines]}::bigint[])`} returning adjustment_id)
    select d.id, d.kind, d.amount::text from gone join advertiser_adjustment d on d.id = gone.adjustment_id order by d.id`.execute(trx)
  return rows
}

/** Takes back all that is left of an invoice, whose conversions are locked, by a credit note: its lines end, and what of their conversions was billed by them. Answers what that comes to. */
export async function creditAll(trx: Trx, invoiceId: number, noteId: number): Promise<string> {
  const { rows } = await sql<{ amount: string }>`
    with ended as (
      update advertiser_invoice_line set live = false where invoice_id = ${invoiceId} and live returning conversion_id, adjustment_id, amount
    ), sums as (select conversion_id, adjustment_id, sum(amount) as amount from ended group by 1, 2
    ), freed as (
      update conversion c set billed = c.billed - s.amount from sums s where s.conversion_id = c.id
    ), noted as (
      insert into advertiser_invoice_line (invoice_id, credit_note_id, kind, conversion_id, adjustment_id, amount, live, issued)
      select ${invoiceId}, ${noteId}, case when adjustment_id is null then 'credit' else 'adjustment' end, conversion_id, adjustment_id, -amount, false, true
        from sums where amount <> 0 order by conversion_id, adjustment_id)
    select coalesce(sum(amount), 0)::text as amount from sums`.execute(trx)
  return rows[0]?.amount ?? '0'
}

/** Of conversions of an invoice that have become something else since, and stand on no draft, what a note takes back. */
const CHANGED_ON = (invoiceId: RawBuilder<unknown>) => sql`
  c.id in (select conversion_id from advertiser_invoice_line where invoice_id = ${invoiceId} and live and issued and conversion_id is not null)
    and ${UNBILLED} and ${UNDRAFTED}`

/** The same, but no more than is left of the invoice: the first conversions as far as it goes, the rest is for the next invoice. */
const TAKEN = (invoiceId: number) => sql`
  lost as (select c.id, c.billed - ${EARNED} as amount from conversion c where ${CHANGED_ON(sql`${invoiceId}`)}
  ), held as (select coalesce(sum(amount), 0) + (select coalesce(-sum(amount), 0) from lost where amount < 0) as amount
    from advertiser_invoice_line where invoice_id = ${invoiceId} and live
  ), reached as (select id, amount, sum(greatest(amount, 0)) over (order by id) - greatest(amount, 0) as before from lost
  ), taken as (
    select r.id, case when r.amount < 0 then r.amount else least(r.amount, h.amount - r.before) end as amount
      from reached r cross join held h where r.amount < 0 or h.amount > r.before)`

/** What stands on an issued invoice by its lines, and what a note over what has changed would take of that, below zero what it would add. */
export async function changedSums(db: DbOrTrx, invoiceId: number): Promise<{ exact: string; taken: string }> {
  const { rows } = await sql<{ exact: string; taken: string }>`
    with ${TAKEN(invoiceId)}
    select (select coalesce(sum(amount), 0)::text from advertiser_invoice_line where invoice_id = ${invoiceId} and live) as exact,
           (select coalesce(sum(amount), 0)::text from taken) as taken`.execute(db)
  return rows[0] ?? { exact: '0', taken: '0' }
}

/** Takes that by a credit note. Answers what was taken back, below zero what was added. */
export async function creditChanged(trx: Trx, invoiceId: number, noteId: number): Promise<string> {
  const { rows } = await sql<{ amount: string }>`
    with ${TAKEN(invoiceId)}, freed as (update conversion c set billed = c.billed - taken.amount from taken where taken.id = c.id
    ), noted as (
      insert into advertiser_invoice_line (invoice_id, credit_note_id, kind, conversion_id, amount, issued, seen_transfer_id)
      select ${invoiceId}, ${noteId}, 'credit', id, -amount, true, ${LAST_TRANSFER} from taken order by id)
    select coalesce(sum(amount), 0)::text as amount from taken`.execute(trx)
  return rows[0]?.amount ?? '0'
}

/** Where what has changed on an issued invoice stands, how many conversions did, and what they have lost, below zero what they gained. */
export async function changesOf(db: DbOrTrx, invoiceId: number): Promise<{ by: 'line' | 'note'; rows: number; amount: string }> {
  const { rows } = await sql<{ by: 'line' | 'note'; rows: number; amount: string }>`
    select case when ${BY_NOTE} and (${IS_LEFT} or coalesce(w.amount, 0) <= 0) then 'note' else 'line' end as by, coalesce(w.rows, 0) as rows, coalesce(w.amount, 0)::text as amount
      from advertiser_invoice ni left join advertiser_billing nb on nb.advertiser_id = ni.advertiser_id
      left join lateral (select count(*)::int as rows, sum(c.billed - ${EARNED}) as amount from conversion c where ${CHANGED_ON(sql`ni.id`)}) w on true
     where ni.id = ${invoiceId}`.execute(db)
  return rows[0] ?? { by: 'line', rows: 0, amount: '0' }
}

/** The numbers of offers by uuid. */
export async function offerIdsOf(db: DbOrTrx, uuids: readonly string[]): Promise<number[]> {
  if (uuids.length === 0) return []
  const rows = await db
    .selectFrom('offer')
    .select('id')
    .where(sql<boolean>`uuid = any(${[...uuids]}::uuid[])`)
    .execute()
  return rows.map(({ id }) => id)
}
