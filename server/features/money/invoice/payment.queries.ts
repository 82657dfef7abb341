import { sql, type Insertable, type Updateable } from 'kysely'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { listPage } from '#server/platform/pg/list-page.ts'

export function insertPayment(trx: Trx, values: Insertable<Tables['payment']>) {
  return trx.insertInto('payment').values(values).returning('id').executeTakeFirstOrThrow()
}

/** Of two calls with one key the second waits until the first has ended, whichever invoices they are about. */
export function lockCall(trx: Trx, key: string): Promise<void> {
  return lockName(trx, `payment key ${key}`)
}

/** The payment a call made, whose key is its own. */
export function paymentByKey(trx: Trx, key: string) {
  return trx.selectFrom('payment').select(['invoice_id', 'amount', 'source_id', 'day', 'asked']).where('key', '=', key).executeTakeFirst()
}

/** Whether a transfer of a source stands in the books already; of two that ask at once the second waits for the first to end. */
export async function isBooked(trx: Trx, sourceId: number, externalId: string): Promise<boolean> {
  await lockName(trx, `transfer ${sourceId} ${externalId}`)
  const row = await trx
    .selectFrom('payment')
    .select('id')
    .where('source_id', '=', sourceId)
    .where('external_id', '=', externalId)
    .where('state', 'not in', ['failed', 'cancelled'])
    .unionAll(
      trx
        .selectFrom('payout')
        .select('id')
        .where('source_id', '=', sourceId)
        .where('external_id', '=', externalId)
        .where('state', 'not in', ['failed', 'cancelled']),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** The payment of an invoice that is on its way, locked. */
export function lockUnderWay(trx: Trx, invoiceId: number) {
  return trx
    .selectFrom('payment')
    .selectAll()
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'sent')
    .forUpdate()
    .executeTakeFirst()
}

/** Whether a payment of an invoice stands in a file or is on its way, however much of it is still on the invoice. */
export async function isUnderWay(trx: Trx, invoiceId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('payment')
    .select('id')
    .where('invoice_id', '=', invoiceId)
    .where('state', 'in', ['planned', 'sent'])
    .executeTakeFirst()
  return row !== undefined
}

/** A payment of an invoice by uuid, locked. */
export function lockPayment(trx: Trx, uuid: string) {
  return trx.selectFrom('payment').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst()
}

/** What became of a payment. It is settled when it arrives, and stays so where it comes back; `reason`: why it did not arrive. */
export async function setPaymentState(
  trx: Trx,
  id: number,
  state: 'sent' | 'settled' | 'failed' | 'returned' | 'cancelled',
  at: Date,
  reason = '',
): Promise<void> {
  await trx
    .updateTable('payment')
    .set({ state, ...(state === 'settled' && { settled_at: at }), ...(reason !== '' && { reason }) })
    .where('id', '=', id)
    .execute()
}

/** Says that a bank gave a payment back: when, and why. */
export async function keepGivenBack(trx: Trx, id: number, values: { ended_day: string; reason: string }): Promise<void> {
  await trx
    .updateTable('payment')
    .set({ ...values, state: 'returned' })
    .where('id', '=', id)
    .execute()
}

/** Keeps what moved where a source holds another currency. */
export async function keepExchange(trx: Trx, id: number, values: Updateable<Tables['payment']>): Promise<void> {
  await trx.updateTable('payment').set(values).where('id', '=', id).execute()
}

/** Keeps how much of a payment is on its invoice; the rest is paid in advance. */
export async function keepOnInvoice(trx: Trx, id: number, onInvoice: string): Promise<void> {
  await trx.updateTable('payment').set({ on_invoice: onInvoice }).where('id', '=', id).execute()
}

/** What staff read beside a payment. */
export async function keepNote(trx: Trx, id: number, note: string): Promise<void> {
  await trx.updateTable('payment').set({ note }).where('id', '=', id).execute()
}

/** Adds what a bank took for a payment to what it took before; false where that was in another currency. */
export async function addPaymentFee(trx: Trx, id: number, fee: string, currency: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('payment')
    .set({ fee: sql<string>`fee + ${fee}::numeric`, fee_currency: currency })
    .where('id', '=', id)
    .where((row) => row.or([row('fee_currency', 'is', null), row('fee_currency', '=', currency)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Payments of an invoice, oldest first; its affiliate is told of those that left. */
export function listPayments(db: DbOrTrx, invoiceId: number, audience: 'staff' | 'affiliate' = 'staff') {
  return payments(db)
    .where('p.invoice_id', '=', invoiceId)
    .$if(audience === 'affiliate', (query) => query.where('p.state', 'not in', ['planned', 'cancelled']))
    .orderBy('p.id')
    .limit(200)
    .execute()
}

/** A page of payments to an affiliate. */
export function listOwnPayments(
  db: Db,
  affiliateId: number,
  filters: { count: number; page: number; sort: 'id' | 'day'; direction: 'asc' | 'desc' },
) {
  return listPage(
    payments(db).where('p.affiliate_id', '=', affiliateId).where('p.state', 'not in', ['planned', 'cancelled']),
    { id: 'p.id', day: 'p.day' },
    filters,
  )
}

function payments(db: DbOrTrx) {
  return db
    .selectFrom('payment as p')
    .innerJoin('payment_source as s', 's.id', 'p.source_id')
    .leftJoin('invoice as i', 'i.id', 'p.invoice_id')
    .leftJoin('payout as o', 'o.id', 'p.payout_id')
    .leftJoin('account as a', 'a.id', 'p.made_by')
    .select([
      'p.id',
      'p.uuid',
      'p.amount',
      'p.on_invoice',
      'p.currency',
      'p.state',
      sql<string>`coalesce(nullif(p.external_id, ''), o.external_id, '')`.as('external_id'),
      'p.note',
      'p.moved_currency',
      'p.moved',
      'p.expected',
      'p.created_at',
      'p.settled_at',
      'p.charged',
      'p.fee',
      'p.ended_day',
      sql<string>`coalesce(p.fee_currency, p.moved_currency, s.currency, p.currency)`.as('fee_currency'),
      sql<string>`coalesce(nullif(p.reason, ''), case when p.state in ('failed', 'returned') then o.reason end, '')`.as('reason'),
      sql<boolean>`p.payout_id is not null`.as('in_file'),
    ])
    .select(['p.day', 's.name as source', 'a.name as actor', 'i.uuid as invoice_uuid', 'i.number'])
}

/** Where payments may leave from. */
export function listSources(db: DbOrTrx) {
  return db.selectFrom('payment_source').select(['id', 'name', 'currency']).where('active', '=', true).orderBy('id').limit(100).execute()
}

export async function insertOffset(trx: Trx, invoiceId: number, amount: string, at: Date): Promise<number> {
  const row = await trx
    .insertInto('invoice_offset')
    .values({ invoice_id: invoiceId, amount, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** What of prepaid money an invoice uses, the first use first. */
export function liveOffsets(trx: Trx, invoiceId: number) {
  return trx
    .selectFrom('invoice_offset')
    .select(['id', 'amount'])
    .where('invoice_id', '=', invoiceId)
    .where('back_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** The same of all invoices of an affiliate in a currency, the latest first: as many as come to an amount. */
export async function latestOffsets(trx: Trx, of: { affiliate_id: number; currency: string }, needed: string) {
  const all = trx
    .selectFrom('invoice_offset as x')
    .innerJoin('invoice as i', 'i.id', 'x.invoice_id')
    .select(['x.id', 'x.amount', 'x.invoice_id'])
    .select(sql<string>`sum(x.amount) over (order by x.id desc) - x.amount`.as('before'))
    .where('i.affiliate_id', '=', of.affiliate_id)
    .where('i.currency', '=', of.currency)
    .where('x.back_at', 'is', null)
  return trx
    .selectFrom(all.as('o'))
    .select(['o.id', 'o.amount', 'o.invoice_id'])
    .where('o.before', '<', needed)
    .orderBy('o.id', 'desc')
    .execute()
}

export async function endOffsets(trx: Trx, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length > 0)
    await trx
      .updateTable('invoice_offset')
      .set({ back_at: at })
      .where('id', 'in', [...ids])
      .execute()
}
