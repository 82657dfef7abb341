import { sql, type Selectable } from 'kysely'
import type { RowFilters } from '#contract/money/reconciliation.ts'
import { insertRows, recordsOf } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { containing, countRows, pageOf } from '#server/platform/pg/paging.ts'

/** What matching says of a row. */
export type MatchedColumns = Pick<
  Selectable<Tables['reconciliation_row']>,
  | 'theirs'
  | 'conversion_id'
  | 'key'
  | 'cause'
  | 'detail'
  | 'proposal'
  | 'action'
  | 'becomes_correction'
  | 'proposed'
  | 'seen'
  | 'becomes'
  | 'offer_id'
  | 'affiliate_id'
  | 'currency'
  | 'payout'
  | 'revenue'
  | 'their_amount'
  | 'our_amount'
  | 'state'
  | 'reason'
> & { line: number }

const CHUNK = 5_000

/** Writes what matching said of the lines of the file, and adds what the file does not have; what an earlier matching added goes. */
export async function storeMatched(
  trx: Trx,
  batchId: number,
  inReport: readonly MatchedColumns[],
  missing: readonly MatchedColumns[],
): Promise<void> {
  await trx.deleteFrom('reconciliation_row').where('batch_id', '=', batchId).where('in_report', '=', false).execute()
  // a conversion may stand on another row than before
  await trx
    .updateTable('reconciliation_row')
    .set({ conversion_id: null })
    .where('batch_id', '=', batchId)
    .where('conversion_id', 'is not', null)
    .execute()
  for (let from = 0; from < inReport.length; from += CHUNK)
    await sql`
      update reconciliation_row as r
         set theirs = n.theirs, conversion_id = n.conversion_id, key = n.key, cause = n.cause, detail = n.detail, proposal = n.proposal, action = n.action,
             becomes_correction = n.becomes_correction, proposed = n.proposed, seen = n.seen, becomes = n.becomes, offer_id = n.offer_id, affiliate_id = n.affiliate_id,
             currency = n.currency, payout = n.payout, revenue = n.revenue, their_amount = n.their_amount, our_amount = n.our_amount, state = n.state, reason = n.reason
        from ${recordsOf('reconciliation_row', inReport.slice(from, from + CHUNK))} as n where r.batch_id = ${batchId} and r.line = n.line`.execute(
      trx,
    )
  await addRows(trx, batchId, missing)
  await noteDiffering(trx, batchId)
}

/** Keeps with a batch how many of its rows differ, once all are written: whoever lists batches counts no rows. */
export async function noteDiffering(trx: Trx, batchId: number): Promise<void> {
  await sql`
    update reconciliation set differing = (select count(*) from reconciliation_row where batch_id = ${batchId} and cause is not null)
     where id = ${batchId}`.execute(trx)
}

/** Adds rows the file does not have. */
export async function addRows(trx: DbOrTrx, batchId: number, rows: readonly MatchedColumns[]): Promise<void> {
  for (let from = 0; from < rows.length; from += CHUNK)
    await insertRows(
      trx,
      'reconciliation_row',
      rows.slice(from, from + CHUNK).map((row) => ({ ...row, batch_id: batchId, in_report: false, cells: [] })),
    )
}

/** What is planned of rows by now. */
export type PlannedColumns = Pick<
  MatchedColumns,
  'line' | 'action' | 'becomes' | 'payout' | 'revenue' | 'currency' | 'offer_id' | 'affiliate_id'
>

/** Writes what is to be made of conversions, where somebody else than the matching says so, and what that comes to. */
export async function storeChosen(trx: Trx, batchId: number, rows: readonly (PlannedColumns & Pick<WorkRow, 'proposed'>)[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update reconciliation_row as r
       set action = n.action, becomes = n.becomes, payout = n.payout, revenue = n.revenue, currency = n.currency, offer_id = n.offer_id, affiliate_id = n.affiliate_id,
           proposed = n.proposed
      from ${recordsOf('reconciliation_row', rows)} as n where r.batch_id = ${batchId} and r.line = n.line`.execute(trx)
}

function found(db: DbOrTrx, batchId: number, { cause, action, proposal, state, agreeing, corrections, search }: RowFilters) {
  const part = containing(search)
  return db
    .selectFrom('reconciliation_row as r')
    .leftJoin('conversion as c', 'c.id', 'r.conversion_id')
    .where('r.batch_id', '=', batchId)
    .$if(!agreeing, (query) => query.where('r.cause', 'is not', null))
    .$if(cause.length > 0, (query) => query.where('r.cause', 'in', cause))
    .$if(action.length > 0, (query) => query.where('r.action', 'in', action))
    .$if(proposal.length > 0, (query) => query.where('r.proposal', 'in', proposal))
    .$if(state.length > 0, (query) => query.where('r.state', 'in', state))
    .$if(corrections, (query) => query.where('r.becomes_correction', '=', true))
    .$if(search !== '', (query) =>
      query.where(
        sql<boolean>`(r.theirs->>'transactionId' ilike ${part} or r.theirs->>'clickId' ilike ${part} or c.transaction_id ilike ${part} or c.click_id ilike ${part})`,
      ),
    )
}

function shown(query: ReturnType<typeof found>) {
  return query
    .leftJoin('offer as o', 'o.id', 'c.offer_id')
    .leftJoin('goal as g', 'g.id', 'c.goal_id')
    .leftJoin('affiliate as f', 'f.id', 'c.affiliate_id')
    .leftJoin('account as fa', 'fa.id', 'f.account_id')
    .select([
      'r.line', 'r.in_report', 'r.cells', 'r.theirs', 'r.key', 'r.cause', 'r.detail', 'r.proposal', 'r.action', 'r.becomes_correction', 'r.becomes', 'r.payout', 'r.revenue',
      'r.currency as row_currency', 'r.state', 'r.reason', 'r.conversion_id',
      'c.uuid', 'c.created_at', 'c.transaction_id', 'c.click_id', 'c.status', 'c.reason as our_reason', 'c.revenue as our_revenue', 'c.payout as our_payout', 'c.amount as our_amount',
      'c.currency', 'c.payment_state', 'c.offer_id', 'c.affiliate_id',
      'o.uuid as offer_uuid', 'o.title as offer_title', 'g.title as goal_title', 'fa.uuid as affiliate_uuid', 'fa.name as affiliate_name',
    ]) // prettier-ignore
}
export type ShownRow = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number]

/** One page of rows, and how many there are. */
export async function listRows(db: Db, batchId: number, filters: RowFilters & { count: number; page: number }) {
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found(db, batchId, filters)),
    shown(found(db, batchId, filters))
      .orderBy('r.line')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** One row by its place. */
export function getRow(db: Db, batchId: number, line: number): Promise<ShownRow | undefined> {
  return shown(found(db, batchId, { ...ANY, agreeing: true }))
    .where('r.line', '=', line)
    .executeTakeFirst()
}

const ANY: RowFilters = { cause: [], action: [], proposal: [], state: [], agreeing: false, corrections: false, search: '' }

const WORKED_ON = [
  'line', 'theirs', 'conversion_id', 'cause', 'proposal', 'action', 'proposed', 'seen', 'becomes', 'state', 'seq', 'before', 'done_payout', 'done_revenue', 'offer_id', 'affiliate_id', 'currency', 'payout', 'revenue',
] as const // prettier-ignore

/** Differences after a place by filters or by their places, to choose what is done about them; kept from everybody else. */
export function lockChosen(trx: Trx, batchId: number, by: Chosen, after: number, most: number) {
  return chosen(trx, batchId, by)
    .select(WORKED_ON.map((column) => `r.${column}` as const))
    .where('r.line', '>', after)
    .orderBy('r.line')
    .limit(most)
    .forUpdate('r')
    .execute()
}

/** Leaves differences after a place as they are, without a look at their conversions; answers their places. */
export async function leaveChosen(trx: Trx, batchId: number, by: Chosen, after: number, most: number): Promise<number[]> {
  const next = chosen(trx, batchId, by).select('r.line').where('r.line', '>', after).orderBy('r.line').limit(most)
  const rows = await trx
    .updateTable('reconciliation_row')
    .set({ action: 'none', becomes: null, payout: '0', revenue: '0' })
    .where('batch_id', '=', batchId)
    .where('line', 'in', next)
    .returning('line')
    .execute()
  return rows.map(({ line }) => line)
}

type Chosen = { rows: readonly number[] } | { filters: RowFilters }

function chosen(db: DbOrTrx, batchId: number, by: Chosen) {
  const query =
    'rows' in by
      ? found(db, batchId, { ...ANY, agreeing: true }).where(sql<boolean>`r.line = any(${[...by.rows]}::int[])`)
      : found(db, batchId, by.filters)
  return query.where('r.cause', 'is not', null)
}

export type WorkRow = Awaited<ReturnType<typeof lockChosen>>[number]

/** The next rows to be applied, or to be taken back, the last ones first then; kept from everybody else. */
export function lockNext(trx: Trx, batchId: number, undoing: boolean, most: number): Promise<WorkRow[]> {
  return trx
    .selectFrom('reconciliation_row as r')
    .select(WORKED_ON.map((column) => `r.${column}` as const))
    .where('r.batch_id', '=', batchId)
    .where('r.state', '=', undoing ? 'applied' : 'open')
    .where('r.action', '<>', 'none')
    .orderBy('r.line', undoing ? 'desc' : 'asc')
    .limit(most)
    .forUpdate()
    .execute()
}

/** Rows that were applied, after a place. */
export function appliedAfter(db: DbOrTrx, batchId: number, after: number, most: number) {
  return db
    .selectFrom('reconciliation_row')
    .select(['line', 'conversion_id', 'before', 'theirs', 'key', 'cause'])
    .where('batch_id', '=', batchId)
    .where('state', '=', 'applied')
    .where('conversion_id', 'is not', null)
    .where('line', '>', after)
    .orderBy('line')
    .limit(most)
    .execute()
}

/** What became of rows. */
export type SettledRow = Pick<
  Selectable<Tables['reconciliation_row']>,
  'line' | 'state' | 'reason' | 'conversion_id' | 'seq' | 'before' | 'done_payout' | 'done_revenue'
>

export async function settleRows(trx: Trx, batchId: number, rows: readonly SettledRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update reconciliation_row as r
       set state = n.state, reason = n.reason, conversion_id = coalesce(n.conversion_id, r.conversion_id), seq = n.seq, before = n.before, done_payout = n.done_payout, done_revenue = n.done_revenue
      from ${recordsOf('reconciliation_row', rows)} as n where r.batch_id = ${batchId} and r.line = n.line`.execute(trx)
}

type Total = {
  offer_id: number | null
  offer_uuid: string | null
  offer: string | null
  affiliate_id: number | null
  affiliate_uuid: string | null
  affiliate: string | null
  currency: string
  rows: number
  payout: string
  revenue: string
  done: number
  done_payout: string
  done_revenue: string
}

const SUMS = sql`count(*)::int as rows, sum(r.payout)::text as payout, sum(r.revenue)::text as revenue, (count(*) filter (where r.done_payout is not null))::int as done,
  coalesce(sum(r.done_payout), 0)::text as done_payout, coalesce(sum(r.done_revenue), 0)::text as done_revenue`

/** By how much money changes and did, by offer and affiliate, the most moved first. */
export async function sumByOffer(db: DbOrTrx, batchId: number, most: number): Promise<Total[]> {
  const { rows } = await sql<Total>`
    select t.*, o.uuid as offer_uuid, o.title as offer, a.uuid as affiliate_uuid, a.name as affiliate
      from (select r.offer_id, r.affiliate_id, r.currency, ${SUMS} from reconciliation_row r
             where r.batch_id = ${batchId} and r.action <> 'none' and r.currency is not null group by 1, 2, 3) t
      left join offer o on o.id = t.offer_id left join affiliate f on f.id = t.affiliate_id left join account a on a.id = f.account_id
     order by abs(t.revenue::numeric) desc, t.rows desc, t.offer_id, t.affiliate_id limit ${most}`.execute(db)
  return rows
}

/** The same of the whole batch, by currency; `groups` = how many lines `sumByOffer` has. */
export async function sumWhole(db: DbOrTrx, batchId: number): Promise<(Omit<Total, 'offer_id'> & { groups: number })[]> {
  const { rows } = await sql<Omit<Total, 'offer_id'> & { groups: number }>`
    select r.currency, count(distinct (r.offer_id, r.affiliate_id))::int as groups, ${SUMS} from reconciliation_row r
     where r.batch_id = ${batchId} and r.action <> 'none' and r.currency is not null group by 1 order by 1`.execute(db)
  return rows
}
