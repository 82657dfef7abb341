import { AVAILABLE, availableTo } from '#server/features/money/ledger/available.queries.ts'
import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { requestState } from '#contract/money/payout-request.ts'
import type { z } from 'zod'
import { reference } from '#server/platform/pg/reference.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

type State = z.output<typeof requestState>
type Filters = { count: number; page: number; sort: 'created_at' | 'amount'; direction: 'asc' | 'desc'; state: readonly State[] }

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

/** The invoice of an accepted request. */
export function invoiceOf(trx: Trx, invoiceId: number) {
  return trx.selectFrom('invoice').select(['uuid', 'id']).where('id', '=', invoiceId).executeTakeFirstOrThrow()
}
