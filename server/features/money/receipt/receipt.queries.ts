import { sql, type Insertable, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { receiptApi } from '#contract/money/receipt.ts'
import type { Worth } from '#server/features/money/currency/worth.queries.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { containing } from '#server/platform/pg/paging.ts'
import { reference } from '#server/platform/pg/reference.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

type Filters = z.output<typeof receiptApi.list.body>

export function insertReceipt(trx: Trx, values: Insertable<Tables['receipt']>) {
  return trx.insertInto('receipt').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateReceipt(trx: Trx, id: number, values: Updateable<Tables['receipt']>): Promise<void> {
  await trx.updateTable('receipt').set(values).where('id', '=', id).execute()
}

/** Locks a receipt until the transaction ends. */
export function lockReceipt(trx: Trx, id: number) {
  return trx.selectFrom('receipt').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}
export type LockedReceipt = Awaited<ReturnType<typeof lockReceipt>>

/** Whose a receipt is and in what currency: that never changes. */
export function whoseReceipt(db: DbOrTrx, uuid: string) {
  return db.selectFrom('receipt').select(['id', 'advertiser_id', 'currency']).where('uuid', '=', uuid).executeTakeFirst()
}

/** The receipt a call made, whose key is its own. */
export function receiptOfKey(trx: DbOrTrx, key: string) {
  return trx
    .selectFrom('receipt')
    .select(['uuid', 'advertiser_id', 'currency', 'amount', 'short', 'asked'])
    .where('key', '=', key)
    .executeTakeFirst()
}

/** What one person alone said came in since a moment, by advertiser and currency; what bounced or somebody else confirmed is not counted. */
export async function receivedAlone(
  trx: Trx,
  of: { actorId: number; since: Date },
): Promise<{ advertiser_id: number; amount: string; currency: string }[]> {
  const { rows } = await sql<{ advertiser_id: number; amount: string; currency: string }>`
    select r.advertiser_id, sum(r.amount)::text as amount, r.currency from receipt r
     where r.made_by = ${of.actorId} and r.created_at > ${of.since} and r.state = 'booked'
       and not exists (select from proposal p where p.key = r.key and p.state = 'confirmed')
     group by r.advertiser_id, r.currency`.execute(trx)
  return rows
}

/** Whether a transfer of a source stands in the books already, or waits for a second person; by `but` it is told itself. */
export async function isBooked(trx: Trx, sourceId: number, externalId: string, but: string): Promise<boolean> {
  const { rows } = await sql<{ booked: boolean }>`
    select exists (select from receipt where source_id = ${sourceId} and external_id = ${externalId} and state <> 'bounced')
        or exists (select from proposal where kind = 'receipt' and state = 'open' and key <> ${but}
                      and asked #>> '{receipt,source_id}' = ${String(sourceId)} and asked #>> '{receipt,external_id}' = ${externalId}) as booked`.execute(
    trx,
  )
  return rows[0]?.booked ?? false
}

/** So many open invoices are shown, and all that an amount reaches. */
const SHOWN = 200

/**
 * Issued invoices of an advertiser on which something can still come in, the oldest first; given up ones after all others: all that an
 * amount pays in this order, those that are named, and the first of the others.
 */
export async function listOpen(
  db: DbOrTrx,
  whose: { advertiser_id: number; currency: string },
  { amount, also = [] }: { amount: string; also?: readonly string[] },
) {
  const { rows } = await sql<{
    id: number
    uuid: string
    number: string
    due_day: string
    open: string
    written_off: string
    total: string
    /** How many there are in all. */
    every: number
  }>`
    select id, uuid, number, to_char(due_day, 'YYYY-MM-DD') as due_day, open::text, written_off::text, total::text, every from (
      select i.*, count(*) over ()::int as every, row_number() over oldest as place, sum(i.open) over oldest - i.open as before
        from advertiser_invoice i
       where advertiser_id = ${whose.advertiser_id} and currency = ${whose.currency} and number is not null and (open > 0 or written_off > 0)
      window oldest as (order by i.open = 0, i.due_day, i.id)) i
     where place <= ${SHOWN} or (open > 0 and before < ${amount}::numeric) or uuid = any(${[...also]}::uuid[])
     order by place`.execute(db)
  return rows
}

/** Whether there are more open invoices than these. */
export function isMore(open: readonly { every: number }[]): boolean {
  return (open[0]?.every ?? 0) > open.length
}

/** The same of chosen invoices, locked in the order of their numbers. */
export async function lockChosen(trx: Trx, whose: { advertiser_id: number; currency: string }, uuids: readonly string[]) {
  return trx
    .selectFrom('advertiser_invoice')
    .selectAll()
    .where('advertiser_id', '=', whose.advertiser_id)
    .where('currency', '=', whose.currency)
    .where('number', 'is not', null)
    .where(sql<boolean>`uuid = any(${[...uuids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function insertPart(trx: Trx, values: Insertable<Tables['receipt_part']>): Promise<void> {
  await trx.insertInto('receipt_part').values(values).execute()
}

/** What of a receipt pays invoices. */
export function partsOf(trx: Trx, receiptId: number) {
  return trx
    .selectFrom('receipt_part')
    .select(['id', 'invoice_id', 'recovered', sql<string>`(amount - released)::text`.as('amount')])
    .where('receipt_id', '=', receiptId)
    .where(sql<boolean>`amount > released`)
    .orderBy('invoice_id')
    .orderBy('id')
    .execute()
}

/**
 * What one person paid back alone, or said the bank took back, since a moment, by currency: all of what they had booked themselves, and what
 * left beyond the rate of its day.
 */
export async function paidBackAlone(trx: Trx, of: { actorId: number; since: Date }): Promise<{ amount: string; currency: string }[]> {
  const { rows } = await sql<{ amount: string; currency: string }>`
    select round(sum(g.amount), 8)::text as amount, g.currency from (
    select g.amount, r.currency from receipt r
      cross join lateral (select case when r.made_by = r.back_by then r.paid_back else 0 end
        + case when (r.back_moved - r.back_expected) * 10 > r.back_expected and r.back_expected > 0
               then r.paid_back * (r.back_moved - r.back_expected) / r.back_expected else 0 end as amount) as g
     where r.back_by = ${of.actorId} and r.back_at > ${of.since} and g.amount > 0
    union all
    select r.amount, r.currency from receipt r where r.ended_by = ${of.actorId} and r.made_by = r.ended_by and r.ended_at > ${of.since}) as g group by g.currency`.execute(
    trx,
  )
  return rows
}

/** One receipt as it is shown. */
export function getReceipt(db: DbOrTrx, uuid: string) {
  return receipts(db).where('r.uuid', '=', uuid).executeTakeFirst()
}
export type ReceiptRow = NonNullable<Awaited<ReturnType<typeof getReceipt>>>

/** A page of receipts, and what they come to by currency; those that bounced are shown and not counted. */
export async function listReceipts(db: Db, filters: Filters, worth: Worth) {
  const number = /^#(\d{1,9})$/.exec(filters.search.trim())?.[1]
  const found = receipts(db)
    .$if(filters.advertiser_uuid.length > 0, (query) => query.where('v.uuid', 'in', filters.advertiser_uuid))
    .$if(filters.currency.length > 0, (query) => query.where('r.currency', 'in', filters.currency))
    .$if(number !== undefined, (query) => query.where('r.id', '=', Number(number)))
    .$if(filters.search !== '' && number === undefined, (query) =>
      query.where(sql<boolean>`(r.external_id ilike ${containing(filters.search)} or v.name ilike ${containing(filters.search)})`),
    )
  const [page, amounts] = await Promise.all([
    listPage(found, { id: 'r.id', day: 'r.day', amount: worth.of(sql`r.amount`, sql`r.currency`) }, filters),
    found
      .clearSelect()
      .where('r.state', '=', 'booked')
      .select(['r.currency', sql<string>`sum(r.amount - r.paid_back)::text`.as('amount')])
      .groupBy('r.currency')
      .orderBy('r.currency')
      .execute(),
  ])
  return { ...page, amounts }
}

function receipts(db: DbOrTrx) {
  return db
    .selectFrom('receipt as r')
    .innerJoin('advertiser as v', 'v.id', 'r.advertiser_id')
    .innerJoin('payment_source as s', 's.id', 'r.source_id')
    .leftJoin('account as a', 'a.id', 'r.made_by')
    .selectAll('r')
    .select([
      reference({ uuid: 'v.uuid', id: 'v.id', name: 'v.name' }).$notNull().as('advertiser'),
      's.name as source',
      'a.name as actor',
      sql<{ invoice_uuid: string; number: string; amount: string; recovered: boolean }[]>`(
        select coalesce(json_agg(json_build_object('invoice_uuid', i.uuid, 'number', i.number, 'amount', (p.amount - p.released)::text, 'recovered', p.recovered) order by p.id), '[]')
          from receipt_part p join advertiser_invoice i on i.id = p.invoice_id where p.receipt_id = r.id and p.amount > p.released)`.as(
        'parts',
      ),
    ])
}
