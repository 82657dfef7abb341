import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { advertiserInvoiceFilters } from '#contract/money/advertiser-invoice.ts'
import { SUPPLIED_TO_ADVERTISER_FROM } from '#server/features/money/document/supply.queries.ts'
import type { Worth } from '#server/features/money/currency/worth.queries.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { containing } from '#server/platform/pg/paging.ts'
import { reference } from '#server/platform/pg/reference.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { EARNED, UNBILLED } from './billable.queries.ts'

type Filters = z.output<typeof advertiserInvoiceFilters>

const SORT_COLUMNS = {
  id: 'i.id',
  created_at: 'i.created_at',
  due_day: 'i.due_day',
  paid_at: 'i.paid_at',
  total: 'i.total',
  open: 'i.open',
  status: 'i.status',
  advertiser: 'v.name',
  period_to: 'i.period_to',
} as const satisfies Record<Filters['sort'], string>

/** One page of invoices, how many there are in all, and what they come to by currency. `today` is that of the network’s zone. */
export async function listInvoices(db: Db, filters: Filters, today: string, worth: Worth) {
  const found = filtered(invoices(db), filters, today)
  const sums = found
    .clearSelect()
    .select(['i.currency', sql<string>`sum(i.total)::text`.as('total'), sql<string>`sum(i.open)::text`.as('open')])
    .groupBy('i.currency')
    .orderBy('i.currency')
  // amounts of several currencies are ranked by what they are worth
  const columns = { ...SORT_COLUMNS, total: worth.of(sql`i.total`, sql`i.currency`), open: worth.of(sql`i.open`, sql`i.currency`) }
  const [page, amounts] = await Promise.all([listPage(found, columns, filters), sums.execute()])
  return { ...page, amounts }
}

/** One invoice by uuid or number. */
export function getInvoice(db: DbOrTrx, key: string) {
  return invoices(db)
    .where(keyIs(key, { uuid: 'i.uuid', id: 'i.id' }))
    .executeTakeFirst()
}
export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof getInvoice>>>

/** Locks an invoice until the transaction ends. */
export function lockInvoice(trx: Trx, id: number) {
  return trx.selectFrom('advertiser_invoice').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}
export type LockedInvoice = Awaited<ReturnType<typeof lockInvoice>>

/** Whose an invoice is and in what currency: that never changes. */
export function whoseInvoice(db: DbOrTrx, key: string) {
  return db
    .selectFrom('advertiser_invoice as i')
    .select(['i.id', 'i.advertiser_id', 'i.currency'])
    .where(keyIs(key, { uuid: 'i.uuid', id: 'i.id' }))
    .executeTakeFirst()
}

/** The invoices made before and after one. */
export async function neighboursOf(db: DbOrTrx, id: number): Promise<{ previous: string | null; next: string | null }> {
  const { rows } = await sql<{ previous: string | null; next: string | null }>`select
    (select uuid from advertiser_invoice where id < ${id} and deleted_at is null order by id desc limit 1) as previous,
    (select uuid from advertiser_invoice where id > ${id} and deleted_at is null order by id limit 1) as next`.execute(db)
  return rows[0] ?? { previous: null, next: null }
}

/** Whether a key named a call that asked for something else; older versions did not keep what. */
export async function isOfAnotherCall(trx: Trx, key: string, asked: string | null): Promise<boolean> {
  const other = trx.selectFrom('advertiser_invoice').select('id').where('key', '=', key).where('asked', '<>', asked)
  return (await other.limit(1).executeTakeFirst()) !== undefined
}

/** What a call with this key made for an advertiser in a currency. */
export function invoiceOfKey(trx: Trx, key: string, whose: { advertiser_id: number; currency: string }) {
  return trx
    .selectFrom('advertiser_invoice')
    .select(['id', 'uuid', 'net'])
    .where('key', '=', key)
    .where('advertiser_id', '=', whose.advertiser_id)
    .where('currency', '=', whose.currency)
    .executeTakeFirst()
}

export function insertInvoice(trx: Trx, values: Insertable<Tables['advertiser_invoice']>) {
  return trx.insertInto('advertiser_invoice').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateInvoice(trx: Trx, id: number, values: Updateable<Tables['advertiser_invoice']>): Promise<void> {
  await trx.updateTable('advertiser_invoice').set(values).where('id', '=', id).execute()
}

export async function insertHistory(trx: Trx, values: Insertable<Tables['advertiser_invoice_history']>): Promise<void> {
  await trx.insertInto('advertiser_invoice_history').values(values).execute()
}

/** The last thing that happened to an invoice. */
export function lastEvent(trx: Trx, invoiceId: number) {
  return trx
    .selectFrom('advertiser_invoice_history')
    .select(['event', 'revision', 'actor_id', 'asked'])
    .where('invoice_id', '=', invoiceId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function insertAdjustment(trx: Trx, values: Insertable<Tables['advertiser_adjustment']>) {
  return trx.insertInto('advertiser_adjustment').values(values).returning('id').executeTakeFirstOrThrow()
}

export async function insertAdjustmentLine(trx: Trx, invoiceId: number, adjustmentId: number, amount: string): Promise<void> {
  await trx
    .insertInto('advertiser_invoice_line')
    .values({ invoice_id: invoiceId, kind: 'adjustment', adjustment_id: adjustmentId, amount })
    .execute()
}

/** What one person has let an advertiser off on a draft, above zero. */
export async function letOffBy(trx: Trx, invoiceId: number, accountId: number): Promise<string> {
  const { rows } = await sql<{ amount: string }>`
    select coalesce(-sum(d.amount), 0)::text as amount from advertiser_invoice_line l join advertiser_adjustment d on d.id = l.adjustment_id
     where l.invoice_id = ${invoiceId} and l.live and d.amount < 0 and d.made_by = ${accountId} and d.void_at is null
       and not exists (select from proposal p where p.advertiser_adjustment_id = d.id)`.execute(trx)
  return rows[0]?.amount ?? '0'
}

/** What one person let off a draft alone before a moment, and it stands on it still. */
export async function letOffEarlier(trx: Trx, of: { actorId: number; invoiceId: number; since: Date }): Promise<string> {
  const { rows } = await sql<{ amount: string }>`
    select coalesce(-sum(d.amount), 0)::text as amount from advertiser_invoice_line l join advertiser_adjustment d on d.id = l.adjustment_id
     where l.invoice_id = ${of.invoiceId} and l.live and d.made_by = ${of.actorId} and d.amount < 0 and d.void_at is null and d.created_at <= ${of.since}
       and not exists (select from proposal p where p.advertiser_adjustment_id = d.id)`.execute(trx)
  return rows[0]?.amount ?? '0'
}

export async function voidAdjustments(trx: Trx, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length > 0)
    await trx
      .updateTable('advertiser_adjustment')
      .set({ void_at: at })
      .where('id', 'in', [...ids])
      .execute()
}

export function insertCreditNote(trx: Trx, values: Insertable<Tables['advertiser_credit_note']>) {
  return trx.insertInto('advertiser_credit_note').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

/** What the credit notes of an invoice come to so far. */
export async function creditedSums(trx: Trx, invoiceId: number): Promise<{ net: string; vat: string }> {
  const { rows } = await sql<{ net: string; vat: string }>`
    select coalesce(sum(net), 0)::text as net, coalesce(sum(vat), 0)::text as vat from advertiser_credit_note where invoice_id = ${invoiceId}`.execute(
    trx,
  )
  return rows[0] ?? { net: '0', vat: '0' }
}

/** The company of an advertiser, its address for letters about money, and its terms. */
export async function partyOf(db: DbOrTrx, advertiserId: number) {
  return db
    .selectFrom('advertiser as v')
    .leftJoin('advertiser_billing as b', 'b.advertiser_id', 'v.id')
    .select([
      'v.id',
      'v.uuid',
      'v.name',
      'v.company',
      'b.net_days',
      'b.include_hold',
      'b.hold_days',
      'b.minimums',
      'b.vat_category',
      'b.vat_rate',
      'b.language',
      'b.remind',
    ])
    .select(sql<string>`coalesce(nullif(b.email, ''), v.email)`.as('email'))
    .where('v.id', '=', advertiserId)
    .executeTakeFirstOrThrow()
}

/** The number of an advertiser by uuid; undefined where there is none. */
export async function advertiserNumber(db: DbOrTrx, uuid: string): Promise<number | undefined> {
  return (await db.selectFrom('advertiser').select('id').where('uuid', '=', uuid).executeTakeFirst())?.id
}

function invoices(db: DbOrTrx) {
  return db
    .selectFrom('advertiser_invoice as i')
    .innerJoin('advertiser as v', 'v.id', 'i.advertiser_id')
    .leftJoin('account as m', 'm.id', 'i.made_by')
    .selectAll('i')
    .select([
      reference({ uuid: 'v.uuid', id: 'v.id', name: 'v.name' }).$notNull().as('advertiser'),
      'm.name as maker',
      SUPPLIED_TO_ADVERTISER_FROM.as('supplied_from'),
      sql<string | null>`(select sum(amount)::text from (select ${EARNED} - c.billed as amount from conversion c where ${CHANGED}
        union all select ${EARNED} from conversion c where ${RESTORED}) as differing)`.as('changed'),
    ])
}

/** A conversion of issued invoice `i` that has become something else since; found by an index of its own, however long the invoice. */
const CHANGED: RawBuilder<boolean> = sql`c.advertiser_id = i.advertiser_id and ${UNBILLED} and c.billed <> 0
  and exists (select from advertiser_invoice_line l where l.conversion_id = c.id and l.invoice_id = i.id and l.live and l.issued)`

/** A conversion that a credit note took off issued invoice `i`, and that counts again: it waits for another note. */
const RESTORED: RawBuilder<boolean> = sql`c.billed = 0 and not c.test and ${EARNED} <> 0
  and c.id in (select l.conversion_id from advertiser_invoice_line l where l.invoice_id = i.id and l.kind = 'credit')
  and exists (select from advertiser_invoice_line l where l.conversion_id = c.id and l.invoice_id = i.id and l.live and l.issued and l.kind <> 'credit')`

function filtered(query: ReturnType<typeof invoices>, filters: Filters, today: string) {
  return query
    .where('i.deleted_at', filters.deleted ? 'is not' : 'is', null)
    .$if(filters.status.length > 0, (found) => found.where('i.status', 'in', filters.status))
    .$if(filters.currency.length > 0, (found) => found.where('i.currency', 'in', filters.currency))
    .$if(filters.advertiser_uuid.length > 0, (found) => found.where('v.uuid', 'in', filters.advertiser_uuid))
    .$if(filters.run_uuid !== null, (found) =>
      found.where(
        sql<boolean>`i.run_row_id in (select w.id from billing_run_row w join billing_run r on r.id = w.run_id where r.uuid = ${filters.run_uuid}::uuid)`,
      ),
    )
    .$if(filters.due_from !== null, (found) => found.where(sql<boolean>`i.due_day >= ${filters.due_from}::date`))
    .$if(filters.due_to !== null, (found) => found.where(sql<boolean>`i.due_day <= ${filters.due_to}::date`))
    .$if(filters.overdue, (found) => found.where(sql<boolean>`(i.open > 0 and i.due_day < ${today}::date)`))
    .$if(filters.changed, (found) =>
      found.where(
        sql<boolean>`(exists (select from conversion c where ${CHANGED}) or exists (select from conversion c where ${RESTORED}))`,
      ),
    )
    .$if(filters.search !== '', (found) =>
      found.where(
        sql<boolean>`(i.number ilike ${containing(filters.search)} or i.id::text = ${filters.search} or i.uuid::text = ${filters.search} or v.name ilike ${containing(filters.search)})`,
      ),
    )
}
