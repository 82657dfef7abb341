import { sql, type Insertable, type Updateable } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { PayoutFileState, PayoutFormat, PayoutState } from '#contract/money/payout.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { reference } from '#server/platform/pg/reference.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

const SENT = sql<number>`(select count(*)::int from payout o where o.file_id = p.id and o.state = 'sent')`
/** A released file ends when nothing of it is on its way any more. */
const STATE = sql<PayoutFileState>`case when p.state = 'released' and not exists (select from payout o where o.file_id = p.id and o.state = 'sent') then 'closed' else p.state end`

/** A page of files, the newest first. */
export function listFiles(
  db: Db,
  filters: { count: number; page: number; direction: 'asc' | 'desc'; state: readonly PayoutFileState[]; format: readonly PayoutFormat[] },
) {
  const found = files(db)
    .$if(filters.state.length > 0, (query) => query.where(STATE, 'in', [...filters.state]))
    .$if(filters.format.length > 0, (query) => query.where('p.format', 'in', [...filters.format]))
  return listPage(found, { id: 'p.id' }, { ...filters, sort: 'id' })
}
export type FileRow = Awaited<ReturnType<typeof listFiles>>['list'][number]

/** One file by uuid or number. */
export function getFile(db: DbOrTrx, key: string) {
  return files(db)
    .where(keyIs(key, { uuid: 'p.uuid', id: 'p.id' }))
    .executeTakeFirst()
}

/** The same, locked until the transaction ends. */
export function lockFile(trx: Trx, key: string) {
  return trx
    .selectFrom('payout_file as p')
    .selectAll()
    .where(keyIs(key, { uuid: 'p.uuid', id: 'p.id' }))
    .forUpdate()
    .executeTakeFirst()
}
export type LockedFile = NonNullable<Awaited<ReturnType<typeof lockFile>>>

export function fileOfKey(db: DbOrTrx, key: string) {
  return db.selectFrom('payout_file').select(['id', 'uuid', 'made_by', 'asked']).where('key', '=', key).executeTakeFirst()
}

/** Undefined where the same call made it meanwhile. */
export function insertFile(trx: Trx, values: Insertable<Tables['payout_file']>) {
  return trx
    .insertInto('payout_file')
    .values(values)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning(['id', 'uuid'])
    .executeTakeFirst()
}

export async function updateFile(trx: Trx, id: number, values: Updateable<Tables['payout_file']>): Promise<void> {
  await trx.updateTable('payout_file').set(values).where('id', '=', id).execute()
}

/** The bytes of a file, sealed, and its state, which stays until the transaction ends. */
export function findBytes(db: DbOrTrx, key: string) {
  return db
    .selectFrom('payout_file as p')
    .select(['p.id', 'p.name', 'p.sealed', 'p.sha256', 'p.format', 'p.state'])
    .where(keyIs(key, { uuid: 'p.uuid', id: 'p.id' }))
    .forShare()
    .executeTakeFirst()
}

export function insertPayout(trx: Trx, values: Insertable<Tables['payout']>) {
  return trx.insertInto('payout').values(values).returning('id').executeTakeFirstOrThrow()
}

export async function updatePayout(trx: Trx, id: number, values: Updateable<Tables['payout']>): Promise<void> {
  await trx.updateTable('payout').set(values).where('id', '=', id).execute()
}

/** The same of many at once. */
export async function updatePayouts(trx: Trx, payouts: readonly { id: number }[], values: Updateable<Tables['payout']>): Promise<void> {
  await trx
    .updateTable('payout')
    .set(values)
    .where(sql<boolean>`id = any(${payouts.map(({ id }) => id)}::int[])`)
    .execute()
}

/** The payments of a file in one state, locked, by affiliate. */
export function lockPayouts(trx: Trx, fileId: number, state: PayoutState) {
  return trx
    .selectFrom('payout')
    .selectAll()
    .where('file_id', '=', fileId)
    .where('state', '=', state)
    .orderBy('affiliate_id')
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Payments that were taken off a draft because their methods had changed, or their affiliates owed. */
export async function countDropped(db: DbOrTrx, fileId: number): Promise<number> {
  const { rows } = await sql<{
    rows: number
  }>`select count(*)::int as rows from payout where file_id = ${fileId} and reason in ('method_changed', 'owes')`.execute(db)
  return rows[0]?.rows ?? 0
}

/** Whether a payment of a file of this format has ever arrived from an account. */
export async function hasArrived(db: DbOrTrx, sourceId: number, format: PayoutFormat): Promise<boolean> {
  const found = await db
    .selectFrom('payout as o')
    .innerJoin('payout_file as p', 'p.id', 'o.file_id')
    .select('o.id')
    .where('p.source_id', '=', sourceId)
    .where('p.format', '=', format)
    .where('o.state', 'in', ['settled', 'returned'])
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** What of a file is on its way, by number. */
export function listSent(db: DbOrTrx, fileId: number) {
  return db
    .selectFrom('payout')
    .select(['uuid', 'amount'])
    .where('file_id', '=', fileId)
    .where('state', '=', 'sent')
    .orderBy('id')
    .execute()
}

/** All payments of a file, by number. */
export async function idsOf(db: DbOrTrx, fileId: number): Promise<number[]> {
  return (await db.selectFrom('payout').select('id').where('file_id', '=', fileId).orderBy('id').execute()).map(({ id }) => id)
}

/** Whose payments of a file stand in one state, by number. */
export async function ownersOf(trx: Trx, file: { id: number }, state: PayoutState): Promise<number[]> {
  const rows = await trx
    .selectFrom('payout')
    .select('affiliate_id')
    .distinct()
    .where('file_id', '=', file.id)
    .where('state', '=', state)
    .orderBy('affiliate_id')
    .execute()
  return rows.map((row) => row.affiliate_id)
}

/** Whether a file was taken back; it never comes out again. */
export async function isRecalled(trx: Trx, fileId: number): Promise<boolean> {
  const file = await trx.selectFrom('payout_file').select('state').where('id', '=', fileId).executeTakeFirst()
  return file?.state === 'recalled'
}

/** One payment of a file by uuid, locked. */
export function lockPayout(trx: Trx, uuid: string) {
  return trx.selectFrom('payout').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst()
}
export type LockedPayout = NonNullable<Awaited<ReturnType<typeof lockPayout>>>

/** Whose a payment is, before anything is locked. */
export function whosePayout(db: DbOrTrx, uuid: string) {
  return db.selectFrom('payout').select(['file_id', 'affiliate_id', 'currency']).where('uuid', '=', uuid).executeTakeFirst()
}

/** What stands on the invoices of payments of files. */
export function paymentsOf(db: DbOrTrx, payoutIds: readonly number[]) {
  return db
    .selectFrom('payment as p')
    .innerJoin('invoice as i', 'i.id', 'p.invoice_id')
    .select([
      'p.id',
      'p.payout_id',
      'p.affiliate_id',
      'i.id as invoice_id',
      'p.amount',
      'p.charged',
      'p.state',
      'i.number',
      'i.uuid as invoice_uuid',
      'i.due_day',
    ])
    .select(['p.moved_currency', 'p.moved', 'p.expected', 'p.on_invoice'])
    .where(sql<boolean>`p.payout_id = any(${[...payoutIds]}::int[])`)
    .orderBy('p.id')
    .execute()
}

/** A page of the payments of a file. */
export function listPayouts(
  db: Db,
  filters: { count: number; page: number; direction: 'asc' | 'desc'; uuid: string; state: readonly PayoutState[] },
) {
  const found = payouts(db)
    .where('p.uuid', '=', filters.uuid)
    .$if(filters.state.length > 0, (query) => query.where('o.state', 'in', [...filters.state]))
  return listPage(found, { id: 'o.id' }, { ...filters, sort: 'id' })
}
export type PayoutRow = Awaited<ReturnType<typeof listPayouts>>['list'][number]

export function getPayout(db: DbOrTrx, uuid: string) {
  return payouts(db).where('o.uuid', '=', uuid).executeTakeFirst()
}

/** Payments by their references. */
export async function payoutsByReference(db: DbOrTrx, references: readonly string[]) {
  const { rows } = await sql<{
    uuid: string
    reference: string
    state: PayoutState
    amount: string
    charged: string
    fee: string
    affiliate: string
    currency: Currency
    fee_currency: Currency
    external_id: string
    recalled: boolean
    source_id: number
  }>`
    select o.uuid, o.reference, o.state, o.state = 'failed' and p.state = 'recalled' as recalled, o.source_id, o.amount::text, o.charged::text, o.fee::text, a.name as affiliate, o.currency, o.external_id,
           coalesce(s.currency, o.currency) as fee_currency
      from payout o join payout_file p on p.id = o.file_id join payment_source s on s.id = o.source_id join affiliate f on f.id = o.affiliate_id join account a on a.id = f.account_id where o.reference = any(${[...references]}::text[])`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.reference, row]))
}

/** Which numbers of transfers stand in the books, with their sources: `1 TX-7`. */
export async function takenNumbers(db: DbOrTrx, externalIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ number: string }>`
    select source_id || ' ' || external_id as number from payment where external_id = any(${[...externalIds]}::text[]) and state not in ('failed', 'cancelled')
     union select source_id || ' ' || external_id from payout where external_id = any(${[...externalIds]}::text[]) and state not in ('failed', 'cancelled')`.execute(
    db,
  )
  return new Set(rows.map(({ number }) => number))
}

/** Payments of a file in some states, with what left for each. */
export async function payoutsOfFile(db: DbOrTrx, fileId: number, states: readonly PayoutState[]) {
  return db
    .selectFrom('payout')
    .select(['reference', 'state', sql<string>`(amount - charged)::text`.as('net')])
    .where('file_id', '=', fileId)
    .where('state', 'in', [...states])
    .orderBy('id')
    .execute()
}

/** So many are looked through by their accounts. */
const MOST_SENT = 5000

/** Payments on their way of which one of some amounts left, with where they went, sealed. */
export async function sentOfAmounts(db: DbOrTrx, amounts: readonly string[]) {
  const { rows } = await sql<{ reference: string; net: string; currency: string; held: Buffer }>`
    select reference, (amount - charged)::text as net, currency, held from payout
     where state = 'sent' and reference is not null and amount - charged = any(${[...amounts]}::numeric[]) order by id limit ${MOST_SENT + 1}`.execute(
    db,
  )
  return rows.length > MOST_SENT ? [] : rows
}

function files(db: DbOrTrx) {
  const count = (states: string[]) =>
    sql<number>`(select count(*)::int from payout o where o.file_id = p.id and o.state = any(${states}::text[]))`
  return db
    .selectFrom('payout_file as p')
    .innerJoin('payment_source as s', 's.id', 'p.source_id')
    .leftJoin('account as m', 'm.id', 'p.made_by')
    .leftJoin('account as r', 'r.id', 'p.released_by')
    .leftJoin('account as e', 'e.id', 'p.ended_by')
    .select([
      'p.id',
      'p.uuid',
      'p.format',
      'p.currency',
      'p.created_at',
      'p.released_at',
      'p.ended_at',
      'p.due_to',
      'p.execution_day',
      'p.name',
    ])
    .select(['s.name as source', 'm.name as maker', 'r.name as releaser', 'e.name as ender', 'p.made_by', 'p.released_by', 'p.sha256'])
    .select([STATE.as('state'), SENT.as('sent'), count(['settled']).as('settled'), count(['failed', 'returned']).as('failed')])
    .select(
      sql<number>`(select count(*)::int from payout o where o.file_id = p.id and (o.state <> 'cancelled' or p.state = 'cancelled'))`.as(
        'payments',
      ),
    )
    .select(
      sql<string>`(select coalesce(sum(o.amount - o.charged), 0)::text from payout o where o.file_id = p.id and (o.state <> 'cancelled' or p.state = 'cancelled'))`.as(
        'amount',
      ),
    )
}

function payouts(db: DbOrTrx) {
  return db
    .selectFrom('payout as o')
    .innerJoin('payout_file as p', 'p.id', 'o.file_id')
    .innerJoin('affiliate as f', 'f.id', 'o.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .innerJoin('payment_source as s', 's.id', 'o.source_id')
    .select([
      sql<string>`coalesce(s.currency, o.currency)`.as('fee_currency'),
      'o.id',
      'o.uuid',
      'o.system',
      'o.masked',
      'o.amount',
      'o.charged',
      'o.leaves_debt',
      'o.reference',
      'o.state',
      'o.external_id',
      'o.fee',
      'o.reason',
    ])
    .select(reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).$notNull().as('affiliate'))
}
