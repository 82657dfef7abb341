import { sql, type RawBuilder } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { requestState } from '#contract/money/payout-request.ts'
import type { z } from 'zod'
import { reference } from '#server/platform/pg/reference.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

type State = z.output<typeof requestState>
type Whose = { affiliate_id: number; currency: Currency }
type Filters = { count: number; page: number; sort: 'created_at' | 'amount'; direction: 'asc' | 'desc'; state: readonly State[] }

/** What an affiliate may be paid of: what was never on an invoice, with corrections, bonuses and commissions. */
const AVAILABLE = ['affiliate_available', 'affiliate_correction', 'affiliate_bonus', 'affiliate_referral'] as const

/** What an affiliate has available in a currency, above zero = owed to it. */
export function availableTo(affiliateId: RawBuilder<unknown>, currency: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((select -sum(la.balance) from ledger_account la
    where la.owner_id = ${affiliateId} and la.currency = ${currency} and la.kind = any(${[...AVAILABLE]}::text[])), 0)`
}

/** An accepted request is what its invoice is: done once that is paid, declined where that came to nothing. */
const STATE = sql<State>`case when q.state <> 'accepted' then q.state when i.status = 'paid' then 'done'
  when i.deleted_at is not null or i.status in ('declined', 'cancelled') then 'declined' else 'accepted' end`
const REASON = sql<string>`case when q.reason = '' then coalesce(i.reason, '') else q.reason end`
const SORT = { id: 'q.id', created_at: 'q.created_at', amount: 'q.amount' } as const

/** A page of requests of all affiliates. */
export function listRequests(db: Db, filters: Filters & { affiliate_uuid: readonly string[]; currency: readonly Currency[] }) {
  const found = requests(db)
    .innerJoin('affiliate as f', 'f.id', 'q.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('account as b', 'b.id', 'q.decided_by')
    .select([
      reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).$notNull().as('affiliate'),
      'b.name as decider',
      sql<string>`${availableTo(sql`q.affiliate_id`, sql`q.currency`)}::text`.as('available'),
    ])
    .$if(filters.affiliate_uuid.length > 0, (query) => query.where('a.uuid', 'in', [...filters.affiliate_uuid]))
    .$if(filters.currency.length > 0, (query) => query.where('q.currency', 'in', [...filters.currency]))
    .$if(filters.state.length > 0, (query) => query.where(STATE, 'in', [...filters.state]))
  return listPage(found, SORT, filters)
}

/** A page of the requests of one affiliate. */
export function listOwnRequests(db: Db, affiliateId: number, filters: Filters) {
  const found = requests(db)
    .where('q.affiliate_id', '=', affiliateId)
    .$if(filters.state.length > 0, (query) => query.where(STATE, 'in', [...filters.state]))
  return listPage(found, SORT, filters)
}

function requests(db: DbOrTrx) {
  return db
    .selectFrom('payout_request as q')
    .leftJoin('invoice as i', 'i.id', 'q.invoice_id')
    .select(['q.id', 'q.uuid', 'q.currency', 'q.amount', 'q.created_at', 'q.decided_at', STATE.as('state'), REASON.as('reason')])
    .select(['i.uuid as invoice_uuid', 'i.id as invoice_id', 'i.number', 'i.status as invoice_status'])
}

/** What an affiliate has available in each currency in which it ever had money, above zero = owed to it. */
export async function listAvailable(db: DbOrTrx, affiliateId: number): Promise<{ currency: Currency; available: string; open: boolean }[]> {
  const { rows } = await sql<{ currency: Currency; available: string; open: boolean }>`
    select l.currency, (-sum(l.balance))::text as available,
           exists (select from payout_request q where q.affiliate_id = ${affiliateId} and q.currency = l.currency and q.state = 'open') as open
      from ledger_account l where l.owner_id = ${affiliateId} and l.kind = any(${[...AVAILABLE]}::text[]) group by l.currency order by l.currency`.execute(
    db,
  )
  return rows
}

/** Stores a request; undefined where one is open in that currency. */
export function insertRequest(trx: Trx, values: { affiliate_id: number; currency: Currency; amount: string; created_at: Date }) {
  return trx
    .insertInto('payout_request')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'uuid'])
    .executeTakeFirst()
}

/** Locks the open request of an affiliate in a currency; `held` where somebody decides it at this moment, for whom nobody waits. */
export async function openRequestOf(trx: Trx, whose: Whose): Promise<{ id: number; amount: string } | 'held' | undefined> {
  const open = trx.selectFrom('payout_request').where('affiliate_id', '=', whose.affiliate_id).where('currency', '=', whose.currency)
  const ofThem = open.where('state', '=', 'open').select(['id', 'amount'])
  const locked = await ofThem.forUpdate().skipLocked().executeTakeFirst()
  if (locked !== undefined) return locked
  return (await ofThem.executeTakeFirst()) === undefined ? undefined : 'held'
}

/** What an affiliate has available in a currency. */
export async function availableOf(trx: Trx, whose: Whose): Promise<string> {
  const { rows } = await sql<{ available: string }>`
    select ${availableTo(sql`${whose.affiliate_id}`, sql`${whose.currency}`)}::text as available`.execute(trx)
  return rows[0]?.available ?? '0'
}

/** The same, below zero where it owes; its accounts are locked. */
export async function lockAvailableBalance(trx: Trx, { affiliate_id, currency }: Whose): Promise<string> {
  const { rows } = await sql<{ available: string }>`
    with own as (
      select balance from ledger_account where owner_id = ${affiliate_id} and currency = ${currency} and kind = any(${[...AVAILABLE]}::text[])
       order by id for update)
    select (-coalesce(sum(balance), 0))::text as available from own`.execute(trx)
  return rows[0]?.available ?? '0'
}

/** Locks a request; of one affiliate where it is named. */
export function lockRequest(trx: Trx, uuid: string, affiliateId?: number) {
  return trx
    .selectFrom('payout_request')
    .selectAll()
    .where('uuid', '=', uuid)
    .$if(affiliateId !== undefined, (query) => query.where('affiliate_id', '=', affiliateId ?? 0))
    .forUpdate()
    .executeTakeFirst()
}

export async function settleRequest(
  trx: Trx,
  id: number,
  values: {
    state: 'accepted' | 'declined' | 'withdrawn' | 'joined'
    invoice_id?: number | null
    reason?: string
    decided_at: Date
    decided_by: number | null
  },
): Promise<void> {
  await trx.updateTable('payout_request').set(values).where('id', '=', id).execute()
}

/** Locks the request an invoice answers. */
export function answeredBy(trx: Trx, invoiceId: number) {
  const its = trx.selectFrom('payout_request').where('invoice_id', '=', invoiceId)
  return its.select(['id', 'affiliate_id', 'currency', 'amount']).forUpdate().executeTakeFirst()
}

/** Makes an accepted request what it was before it was decided. */
export async function reopen(trx: Trx, id: number): Promise<void> {
  const undecided = { state: 'open' as const, invoice_id: null, decided_at: null, decided_by: null }
  await trx.updateTable('payout_request').set(undecided).where('id', '=', id).execute()
}

/**
 * Whether its affiliate has another open one in that currency, which is of all there is then, what is `freed` at this moment included. Nobody waits for who decides that one at
 * this moment: accepted, it is of all there is.
 */
export async function joinOpenRequest(trx: Trx, { affiliate_id, currency }: Whose, freed: string): Promise<boolean> {
  const open = trx.selectFrom('payout_request').select('id').where('state', '=', 'open')
  const its = open.where('affiliate_id', '=', affiliate_id).where('currency', '=', currency)
  if ((await its.executeTakeFirst()) === undefined) return false
  await trx
    .updateTable('payout_request')
    .set({ amount: sql`${availableTo(sql`${affiliate_id}::int`, sql`${currency}`)} + ${freed}::numeric` })
    .where('id', 'in', its.forUpdate().skipLocked())
    .execute()
  return true
}

/** The invoice of an accepted request. */
export function invoiceOf(trx: Trx, invoiceId: number) {
  return trx.selectFrom('invoice').select(['uuid', 'id']).where('id', '=', invoiceId).executeTakeFirstOrThrow()
}
