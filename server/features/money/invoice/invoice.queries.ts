import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { invoiceFilters } from '#contract/money/invoice.ts'
import { SUPPLIED_FROM } from '#server/features/money/document/supply.queries.ts'
import type { Worth } from '#server/features/money/currency/worth.queries.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { containing } from '#server/platform/pg/paging.ts'
import { reference } from '#server/platform/pg/reference.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

type Filters = z.output<typeof invoiceFilters>

const SORT_COLUMNS = {
  id: 'i.id',
  created_at: 'i.created_at',
  due_day: 'i.due_day',
  paid_at: 'i.paid_at',
  total: 'i.total',
  open: 'i.open',
  status: 'i.status',
  affiliate: 'a.name',
  period: 'i.period_to',
  number: 'i.number',
} as const satisfies Record<Filters['sort'], string>

/** One page of invoices, how many there are in all, and what they come to by currency: without the cancelled and declined, open from approval on. Days are those of `zone`. */
export async function listInvoices(db: Db, filters: Filters, zone: string, worth: Worth) {
  const found = filtered(invoices(db), filters, zone)
  const sums = filtered(invoices(db), filters, zone)
    .clearSelect()
    .select([
      'i.currency',
      sql<string>`coalesce(sum(i.total) filter (where i.status not in ('cancelled', 'declined')), 0)::text`.as('total'),
      sql<string>`coalesce(sum(i.open) filter (where i.status in ('approved', 'partly_paid')), 0)::text`.as('open'),
    ])
    .groupBy('i.currency')
    .orderBy('i.currency')
  // amounts of several currencies are ranked by what they are worth
  const columns = { ...SORT_COLUMNS, total: worth.of(sql`i.total`, sql`i.currency`), open: worth.of(sql`i.open`, sql`i.currency`) }
  const [page, amounts] = await Promise.all([listPage(found, columns, filters), sums.execute()])
  return { ...page, amounts }
}

/** One invoice by uuid or number; of an affiliate only its own, from the moment it was sent. */
export function getInvoice(db: DbOrTrx, key: string, affiliateId?: number) {
  return invoices(db)
    .where(keyIs(key, { uuid: 'i.uuid', id: 'i.id' }))
    .$if(affiliateId !== undefined, (query) => query.where(isTold(affiliateId ?? 0)))
    .executeTakeFirst()
}
export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof getInvoice>>>

/** The invoices made before and after one. */
export async function neighboursOf(db: DbOrTrx, id: number): Promise<{ previous: string | null; next: string | null }> {
  const { rows } = await sql<{ previous: string | null; next: string | null }>`select
    (select uuid from invoice where id < ${id} and deleted_at is null order by id desc limit 1) as previous,
    (select uuid from invoice where id > ${id} and deleted_at is null order by id limit 1) as next`.execute(db)
  return rows[0] ?? { previous: null, next: null }
}

/** The own invoices of an affiliate from the moment they were sent. */
export async function listOwnInvoices(
  db: Db,
  affiliateId: number,
  filters: Pick<Filters, 'count' | 'page' | 'direction' | 'status' | 'currency'> & { sort: 'id' | 'created_at' | 'due_day' | 'total' },
) {
  const found = invoices(db)
    .where(isTold(affiliateId))
    .$if(filters.status.length > 0, (query) => query.where('i.status', 'in', filters.status))
    .$if(filters.currency.length > 0, (query) => query.where('i.currency', 'in', filters.currency))
  return listPage(found, SORT_COLUMNS, filters)
}

/** What stands on drafts of an affiliate, by currency. */
export function sumDrafts(db: Db, affiliateId: number) {
  return db
    .selectFrom('invoice')
    .select(['currency', sql<string>`sum(net)::text`.as('amount')])
    .where('affiliate_id', '=', affiliateId)
    .where('status', '=', 'draft')
    .where('deleted_at', 'is', null)
    .groupBy('currency')
    .orderBy('currency')
    .execute()
}

/** Locks an invoice until the transaction ends. */
export function lockInvoice(trx: Trx, id: number) {
  return trx.selectFrom('invoice').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}
export type LockedInvoice = Awaited<ReturnType<typeof lockInvoice>>

/** Whose an invoice is and in what currency: that never changes. */
export function whoseInvoice(db: DbOrTrx, key: string) {
  return db
    .selectFrom('invoice as i')
    .select(['i.id', 'i.affiliate_id', 'i.currency'])
    .where(keyIs(key, { uuid: 'i.uuid', id: 'i.id' }))
    .executeTakeFirst()
}

/** What its affiliate is told of an invoice. */
export function toldOf(trx: Trx, id: number) {
  return trx.selectFrom('invoice').select(['number', 'total', 'currency', 'affiliate_id']).where('id', '=', id).executeTakeFirstOrThrow()
}

export function insertInvoice(trx: Trx, values: Insertable<Tables['invoice']>) {
  return trx.insertInto('invoice').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateInvoice(trx: Trx, id: number, values: Updateable<Tables['invoice']>): Promise<void> {
  await trx.updateTable('invoice').set(values).where('id', '=', id).execute()
}

export async function insertHistory(trx: Trx, values: Insertable<Tables['invoice_history']>): Promise<void> {
  await trx.insertInto('invoice_history').values(values).execute()
}

/** The last thing that happened to an invoice. */
export function lastEvent(trx: Trx, invoiceId: number) {
  return trx
    .selectFrom('invoice_history')
    .select(['event', 'revision', 'actor_id', 'asked'])
    .where('invoice_id', '=', invoiceId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** What happened to an invoice, oldest first. */
export function listHistory(db: DbOrTrx, invoiceId: number) {
  return db
    .selectFrom('invoice_history as h')
    .leftJoin('account as a', 'a.id', 'h.actor_id')
    .select(['h.at', 'h.event', 'h.from_status', 'h.to_status', 'h.reason', 'a.name as actor'])
    .where('h.invoice_id', '=', invoiceId)
    .orderBy('h.id')
    .limit(500)
    .execute()
}

/** The bookings of an invoice and its payments, entry by entry, oldest first. */
export async function listInvoiceBookings(db: DbOrTrx, invoiceId: number) {
  const { rows } = await sql<{ id: string; at: Date; event: string; account: string; amount: string; currency: string }>`
    select t.id, t.at, t.kind as event, a.kind as account, a.currency, e.amount::text
      from (select id, at, kind from ledger_transfer where invoice_id = ${invoiceId}
            union all
            select t.id, t.at, t.kind from ledger_transfer t join payment p on t.payment_id = p.id where p.invoice_id = ${invoiceId}) t
      join ledger_entry e on e.transfer_id = t.id join ledger_account a on a.id = e.account_id
     order by t.id, e.line limit 2000`.execute(db)
  return rows
}

/** The credit note that ended an invoice. */
export function getCreditNote(db: DbOrTrx, invoiceId: number) {
  return db
    .selectFrom('credit_note')
    .select(['number', 'created_at', 'reason', 'total'])
    .where('invoice_id', '=', invoiceId)
    .where('kind', '=', 'whole')
    .executeTakeFirst()
}

function invoices(db: DbOrTrx) {
  return db
    .selectFrom('invoice as i')
    .innerJoin('affiliate as f', 'f.id', 'i.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('manager as m', 'm.id', 'f.manager_id')
    .leftJoin('account as ma', 'ma.id', 'm.account_id')
    .leftJoin('account as mb', 'mb.id', 'i.made_by')
    .selectAll('i')
    .select([
      reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).$notNull().as('affiliate'),
      'mb.name as maker',
      SUPPLIED_FROM.as('supplied_from'),
      sql<string | null>`(select sum(${PAYABLE} - c.invoiced)::text from conversion c
        where c.affiliate_id = i.affiliate_id and ${CHANGED} and ${ON_INVOICE})`.as('changed'),
    ])
}

/** What a conversion is worth to its affiliate now. */
export const PAYABLE = sql`case when c.status = 'approved' then c.payout else 0 end`
/** It has become something else since it was put on an invoice; as the index says it. */
export const CHANGED: RawBuilder<boolean> = sql`c.payment_state <> 'open' and c.invoiced <> case when c.status = 'approved' then c.payout else 0 end`
const ON_INVOICE = sql`exists (select from invoice_line l where l.conversion_id = c.id and l.invoice_id = i.id and l.live and (l.kind = 'conversion' or l.unissued))`

function isTold(affiliateId: number): RawBuilder<boolean> {
  return sql<boolean>`(i.affiliate_id = ${affiliateId} and i.sent_at is not null and i.status <> 'draft' and i.deleted_at is null)`
}

function filtered(query: ReturnType<typeof invoices>, filters: Filters, zone: string) {
  const paidOn = sql`(i.paid_at at time zone ${zone})::date`
  const createdOn = sql`(i.created_at at time zone ${zone})::date`
  return query
    .where('i.deleted_at', filters.deleted ? 'is not' : 'is', null)
    .$if(filters.status.length > 0, (found) => found.where('i.status', 'in', filters.status))
    .$if(filters.currency.length > 0, (found) => found.where('i.currency', 'in', filters.currency))
    .$if(filters.payment_system.length > 0, (found) => found.where('i.payment_system', 'in', filters.payment_system))
    .$if(filters.affiliate_uuid.length > 0, (found) => found.where('a.uuid', 'in', filters.affiliate_uuid))
    .$if(filters.manager_uuid.length > 0, (found) => found.where('ma.uuid', 'in', filters.manager_uuid))
    .$if(filters.created_from !== null, (found) => found.where(sql<boolean>`${createdOn} >= ${filters.created_from}::date`))
    .$if(filters.created_to !== null, (found) => found.where(sql<boolean>`${createdOn} <= ${filters.created_to}::date`))
    .$if(filters.due_from !== null, (found) => found.where(sql<boolean>`i.due_day >= ${filters.due_from}::date`))
    .$if(filters.due_to !== null, (found) => found.where(sql<boolean>`i.due_day <= ${filters.due_to}::date`))
    .$if(filters.paid_from !== null, (found) => found.where(sql<boolean>`${paidOn} >= ${filters.paid_from}::date`))
    .$if(filters.paid_to !== null, (found) => found.where(sql<boolean>`${paidOn} <= ${filters.paid_to}::date`))
    .$if(filters.run_uuid !== null, (found) =>
      found.where(
        sql<boolean>`i.run_row_id in (select w.id from billing_run_row w join billing_run r on r.id = w.run_id where r.uuid = ${filters.run_uuid}::uuid)`,
      ),
    )
    .$if(filters.changed, (found) =>
      found.where(sql<boolean>`exists (select from conversion c where c.affiliate_id = i.affiliate_id and ${CHANGED} and ${ON_INVOICE})`),
    )
    .$if(filters.search !== '', (found) =>
      found.where(
        sql<boolean>`(i.number ilike ${containing(filters.search)} or i.id::text = ${filters.search} or i.uuid::text = ${filters.search} or a.name ilike ${containing(filters.search)})`,
      ),
    )
}
