import { sql, type Insertable, type Updateable } from 'kysely'
import type { ReconciliationCause } from '#contract/money/reconciliation-cause.ts'
import type { ReconciliationRowState, ReconciliationState } from '#contract/money/reconciliation.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'
import type { Whose } from './our-side.queries.ts'

/** Keeps a batch; answers its number and uuid. */
export function insertBatch(trx: DbOrTrx, values: Insertable<Tables['reconciliation']>): Promise<{ id: number; uuid: string }> {
  return trx.insertInto('reconciliation').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

/** Keeps the lines of a file as they were read. */
export async function insertLines(trx: DbOrTrx, batchId: number, rows: readonly { line: number; cells: string[] }[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 10_000)
    await insertRows(
      trx,
      'reconciliation_row',
      rows.slice(from, from + 10_000).map(({ line, cells }) => ({ batch_id: batchId, line, in_report: true, cells, ...BLANK })),
    )
}

const BLANK = {
  detail: '',
  proposal: 'none',
  action: 'none',
  becomes_correction: false,
  payout: '0',
  revenue: '0',
  state: 'open',
  reason: '',
}

/** Keeps a batch from changing, and answers what it is from then on: what was read before the lock may be old. */
export async function lockBatch(trx: Trx, key: string): Promise<BatchRow | undefined> {
  await trx
    .selectFrom('reconciliation')
    .select('id')
    .where(keyIs(key, { uuid: 'uuid', id: 'id' }))
    .forUpdate()
    .executeTakeFirst()
  return getBatch(trx, key)
}

/** One by uuid or number, with whose report it is. */
export function getBatch(db: DbOrTrx, key: string) {
  return db
    .selectFrom('reconciliation as b')
    .innerJoin('account as a', 'a.id', 'b.created_by')
    .leftJoin('advertiser as v', 'v.id', 'b.advertiser_id')
    .leftJoin('affiliate as f', 'f.id', 'b.affiliate_id')
    .leftJoin('account as fa', 'fa.id', 'f.account_id')
    .leftJoin('reconciliation as earlier', 'earlier.id', 'b.counter_of')
    .leftJoin('reconciliation as later', 'later.counter_of', 'b.id')
    .selectAll('b')
    .select([
      'a.name as by',
      'v.uuid as advertiser_uuid',
      'v.name as advertiser_name',
      'fa.uuid as affiliate_uuid',
      'fa.name as affiliate_name',
      'earlier.uuid as counter_of_uuid',
      'later.uuid as countered_by_uuid',
    ])
    .select([sql<string | null>`b.period_from::text`.as('from_day'), sql<string | null>`b.period_to::text`.as('to_day')])
    .where(keyIs(key, { uuid: 'b.uuid', id: 'b.id' }))
    .executeTakeFirst()
}
export type BatchRow = NonNullable<Awaited<ReturnType<typeof getBatch>>>

/** Whose report a batch is. */
export function whoseOf(batch: Pick<BatchRow, 'advertiser_id' | 'affiliate_id'>): Whose {
  return batch.advertiser_id === null ? { affiliateId: batch.affiliate_id ?? 0 } : { advertiserId: batch.advertiser_id }
}

/** One page of them, newest first, and how many there are. */
export async function listBatches(
  db: Db,
  filters: { count: number; page: number; advertiser_uuid: string[]; state: ReconciliationState[] },
) {
  const found = db
    .selectFrom('reconciliation as b')
    .innerJoin('account as a', 'a.id', 'b.created_by')
    .leftJoin('advertiser as v', 'v.id', 'b.advertiser_id')
    .leftJoin('affiliate as f', 'f.id', 'b.affiliate_id')
    .leftJoin('account as fa', 'fa.id', 'f.account_id')
    .$if(filters.advertiser_uuid.length > 0, (query) => query.where('v.uuid', 'in', filters.advertiser_uuid))
    .$if(filters.state.length > 0, (query) => query.where('b.state', 'in', filters.state))
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select([
        'b.uuid',
        'b.state',
        'b.file_name',
        'b.row_count as lines',
        'b.differing',
        'b.created_at',
        'a.name as by',
        'b.advertiser_id',
        'b.affiliate_id',
      ])
      .select(['v.uuid as advertiser_uuid', 'v.name as advertiser_name', 'fa.uuid as affiliate_uuid', 'fa.name as affiliate_name'])
      .select([sql<string | null>`b.period_from::text`.as('from_day'), sql<string | null>`b.period_to::text`.as('to_day')])
      .orderBy('b.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** Changes a batch that its caller holds; its revision counts. */
export async function updateBatch(trx: DbOrTrx, id: number, values: Updateable<Tables['reconciliation']>): Promise<void> {
  await trx
    .updateTable('reconciliation')
    .set({ ...values, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute()
}

export async function deleteBatch(trx: DbOrTrx, id: number): Promise<void> {
  await trx.deleteFrom('reconciliation').where('id', '=', id).execute()
}

/** How many reports of somebody wait to be applied. */
export function countWaiting(db: DbOrTrx, accountId: number): Promise<number> {
  return countRows(db.selectFrom('reconciliation').where('created_by', '=', accountId).where('state', 'in', ['uploaded', 'matched']))
}

/** The first lines of a file, to tell its columns by. */
export async function sampleLines(db: DbOrTrx, batchId: number): Promise<string[][]> {
  const rows = await db
    .selectFrom('reconciliation_row')
    .select('cells')
    .where('batch_id', '=', batchId)
    .where('in_report', '=', true)
    .orderBy('line')
    .limit(3)
    .execute()
  return rows.map(({ cells }) => cells)
}

/** Lines of a file after one, as they were read. */
export function linesAfter(db: DbOrTrx, batchId: number, line: number, most: number) {
  return db
    .selectFrom('reconciliation_row')
    .select(['line', 'cells'])
    .where('batch_id', '=', batchId)
    .where('in_report', '=', true)
    .where('line', '>', line)
    .orderBy('line')
    .limit(most)
    .execute()
}

/** How the reports of an advertiser, or of an affiliate's tracker, were read last. */
export function getReading(db: DbOrTrx, of: Whose) {
  return db
    .selectFrom('report_reading')
    .select(['columns', 'reading', 'clock_offset'])
    .$if('advertiserId' in of, (query) => query.where('advertiser_id', '=', 'advertiserId' in of ? of.advertiserId : 0))
    .$if('affiliateId' in of, (query) => query.where('affiliate_id', '=', 'affiliateId' in of ? of.affiliateId : 0))
    .executeTakeFirst()
}

/** Keeps how they are read from now on. */
export async function saveReading(trx: DbOrTrx, of: Whose, values: { columns: string; reading: string; updated_at: Date }): Promise<void> {
  const owner = 'advertiserId' in of ? { advertiser_id: of.advertiserId } : { affiliate_id: of.affiliateId }
  await trx
    .insertInto('report_reading')
    .values({ ...owner, ...values })
    .onConflict((conflict) => conflict.column('advertiserId' in of ? 'advertiser_id' : 'affiliate_id').doUpdateSet(values))
    .execute()
}

/** Keeps what their clock was said to be. */
export async function saveOffset(trx: DbOrTrx, of: Whose, offset: number | null): Promise<void> {
  await trx
    .updateTable('report_reading')
    .set({ clock_offset: offset })
    .$if('advertiserId' in of, (query) => query.where('advertiser_id', '=', 'advertiserId' in of ? of.advertiserId : 0))
    .$if('affiliateId' in of, (query) => query.where('affiliate_id', '=', 'affiliateId' in of ? of.affiliateId : 0))
    .execute()
}

/** Differences by cause: how many, how many with something to do, and what each side says, by currency; null = they agree. */
export async function countCauses(db: DbOrTrx, batchId: number) {
  const { rows } = await sql<{
    cause: ReconciliationCause | null
    currency: string | null
    rows: number
    acting: number
    theirs: string
    ours: string
  }>`
    select cause, currency, count(*)::int as rows, (count(*) filter (where action <> 'none'))::int as acting,
           coalesce(sum(their_amount), 0)::text as theirs, coalesce(sum(our_amount), 0)::text as ours
      from reconciliation_row where batch_id = ${batchId} and (cause is not null or key is not null) group by cause, currency`.execute(db)
  return rows
}

/** Rows with something to do, by what became of them. */
export async function countStates(db: DbOrTrx, batchId: number): Promise<Partial<Record<ReconciliationRowState, number>>> {
  const rows = await db
    .selectFrom('reconciliation_row')
    .select(['state', sql<number>`count(*)::int`.as('count')])
    .where('batch_id', '=', batchId)
    .where((of) => of.or([of('action', '<>', 'none'), of('state', '<>', 'open')]))
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/**
 * The batch that has waited longest for the worker: to be matched, applied or taken back. Left out are those another worker has in hand, and
 * those that were put back.
 */
export function nextBatch(db: DbOrTrx, now: Date) {
  return db
    .selectFrom('reconciliation')
    .selectAll()
    .where((of) => of.or([of('matching_at', 'is not', null), of('state', 'in', ['applying', 'undoing'])]))
    .where((of) => of.or([of('due_at', 'is', null), of('due_at', '<=', now)]))
    .select([sql<string | null>`period_from::text`.as('from_day'), sql<string | null>`period_to::text`.as('to_day')])
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}
export type WorkingBatch = NonNullable<Awaited<ReturnType<typeof nextBatch>>>

/** A batch that failed is tried again later and says so, unless another worker said so. */
export async function putBatchBack(db: DbOrTrx, { id, state, failures }: WorkingBatch, until: Date, problem: string): Promise<void> {
  await db
    .updateTable('reconciliation')
    .set({ due_at: until, failures: failures + 1, problem })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('failures', '=', failures)
    .execute()
}

/** Locks a batch that is still being matched since a moment; undefined where somebody asked anew. */
export function lockMatching(trx: Trx, id: number, since: Date) {
  return trx.selectFrom('reconciliation').select('id').where('id', '=', id).where('matching_at', '=', since).forUpdate().executeTakeFirst()
}

/** Takes a batch that is being worked off, where no other worker has it. */
export async function lockWorking(trx: Trx, id: number, state: ReconciliationState): Promise<boolean> {
  const row = await trx
    .selectFrom('reconciliation')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', state)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row !== undefined
}
