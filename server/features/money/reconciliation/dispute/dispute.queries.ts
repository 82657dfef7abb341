import { sql } from 'kysely'
import type { ReconciliationCause, ReconciliationKey } from '#contract/money/reconciliation-cause.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { TheirLine } from '../match/sides.ts'

/** A difference, as far as the advertiser may see both sides of it: nothing of affiliates, payouts, and what staff wrote to them. */
export type DisputedRow = {
  line: number
  in_report: boolean
  cells: string[]
  theirs: TheirLine | null
  key: ReconciliationKey | null
  cause: ReconciliationCause
  detail: string
  conversion_id: string | null
  uuid: string | null
  created_at: Date | null
  click_at: Date | null
  transaction_id: string | null
  click_id: string | null
  status: ConversionStatus | null
  revenue: string | null
  amount: string | null
  currency: string | null
  offer: string | null
  goal: string | null
}

/** The differences of a batch by causes (none named: all), in the order of the report; at most one more than `most`. */
export async function disputedRows(db: Db, batchId: number, causes: readonly ReconciliationCause[], most: number): Promise<DisputedRow[]> {
  const narrowed = causes.length === 0 ? sql`` : sql`and r.cause = any(${[...causes]}::text[])`
  const { rows } = await sql<DisputedRow>`
    select r.line, r.in_report, r.cells, r.theirs, r.key, r.cause, r.detail, r.conversion_id::text, c.uuid::text, c.created_at, c.click_at, c.transaction_id, c.click_id,
           c.status, c.revenue::text, c.amount::text, c.currency, o.title as offer, g.title as goal
      from reconciliation_row r
      left join conversion c on c.id = r.conversion_id left join offer o on o.id = c.offer_id left join goal g on g.id = c.goal_id
     where r.batch_id = ${batchId} and r.cause is not null ${narrowed}
     order by r.line limit ${most + 1}`.execute(db)
  return rows
}

export type DisputedCall = {
  received_at: Date
  method: string
  path: string
  query: string
  body: string
  http_status: number
  outcome: string
  reason: string
  answer: unknown
  click_id: string
  transaction_id: string
}

/**
 * Its calls about some conversions, clicks, and transactions that were refused, as they are kept: without secrets; the oldest first. What names
 * no click of ours is its own only where it shows its token: another's system may use the same id.
 */
export async function disputedCalls(
  db: Db,
  advertiserId: number,
  about: { conversions: readonly string[]; clicks: readonly string[]; transactions: readonly string[]; from: Date; to: Date },
  most: number,
): Promise<DisputedCall[]> {
  const tokens = sql`select encode(sha256(convert_to(t.token, 'UTF8')), 'hex') from (
    select unnest(array[postback_token, previous_token]) as token from advertiser where id = ${advertiserId}
    union all select postback_token from offer where advertiser_id = ${advertiserId}) t where t.token is not null`
  const own = sql`(advertiser_id = ${advertiserId} or (advertiser_id is null and token_hash in (${tokens})))`
  const { rows } = await sql<DisputedCall>`
    select p.received_at, p.method, p.path, p.query, p.body, p.http_status, p.outcome, p.reason, p.answer, p.click_id, p.transaction_id from postback_in p
     where p.id in (
       select id from postback_in where conversion_id = any(${[...about.conversions]}::bigint[]) and ${own}
       union select id from postback_in where click_id <> '' and click_id = any(${[...about.clicks]}::text[]) and ${own}
       union select id from postback_in where outcome = 'refused' and not stranger and advertiser_id = ${advertiserId}
              and received_at >= ${about.from} and received_at < ${about.to}
              and transaction_id <> '' and lower(transaction_id) = any(${about.transactions.map((text) => text.toLowerCase())}::text[]))
     order by p.received_at, p.id limit ${most}`.execute(db)
  return rows
}
