import { sql, type Kysely, type Selectable } from 'kysely'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { BLANK_CARRIED, CARRIED_COLUMNS } from '#server/rules/click/click-row.ts'

type ConversionRow = Selectable<Tables['conversion']>

/** One row of `conversion_fact`, in the words of its columns: a conversion in one state, added (1) or taken away (-1). */
export type Fact = Record<string, string | number>

/** The tables of ClickHouse that are filled by way of the outbox. */
export type FactTable = 'conversion_fact' | 'session_fact'

/**
 * Puts deltas for the statistics into the outbox, in the transaction that makes them: a status change is the old state
 * taken away and the new one added, both with the original time and dimensions, so that past periods restate.
 */
export async function queueFacts(trx: Trx, deltas: readonly { row: ConversionRow; sign: 1 | -1 }[]): Promise<void> {
  await insertRows(
    trx,
    'outbox',
    deltas.map(({ row, sign }) => ({ fact: factOf(row, sign) })),
  )
}

/** What a conversion contributes to reports. Money is in the row's currency, times are UTC, `ttc` in seconds. */
export function factOf(row: ConversionRow, sign: 1 | -1): Fact {
  const subs = Object.fromEntries(Array.from({ length: 10 }, (_value, index) => [`sub${index + 1}`, row.subs[index] ?? '']))
  const carried = Object.fromEntries(CARRIED_COLUMNS.map((name) => [name, row.carried[name] ?? BLANK_CARRIED[name]]))
  return {
    conversion: row.id,
    sign,
    ts: momentOf(row.created_at),
    click_ts: momentOf(row.click_at),
    affiliate: row.affiliate_id,
    offer: row.offer_id,
    advertiser: row.advertiser_id,
    landing: row.landing,
    prelanding: row.prelanding,
    goal: row.goal_id,
    geo: row.geo || 'ZZ',
    device: row.device,
    os: row.os,
    browser: row.browser,
    lang: row.lang,
    source: row.source,
    ...subs,
    traffic: row.carried.traffic ?? 'warm',
    ...carried,
    currency: row.currency,
    status: row.status,
    test: row.test ? 1 : 0,
    payout: row.payout,
    revenue: row.revenue,
    ttc: Math.max(0, Math.round((row.created_at.getTime() - row.click_at.getTime()) / 1000)),
  }
}

/** The advisory lock of the one who may move facts. */
const LEADER = 'outbox leader'

/**
 * Does something only the leader may do; null when another process leads. With `wait` it waits for its turn instead (for
 * half a minute, then it throws). The lock ends with the connection.
 */
export async function asLeader<Result>(
  db: Db,
  work: (connection: Kysely<Tables>) => Promise<Result>,
  wait = false,
): Promise<Result | null> {
  return db.connection().execute(async (connection) => {
    const { rows } = await (
      wait
        ? sql<{ mine: boolean }>`select true as mine from pg_advisory_lock(hashtextextended(${LEADER}, 0))`
        : sql<{ mine: boolean }>`select pg_try_advisory_lock(hashtextextended(${LEADER}, 0)) as mine`
    ).execute(connection)
    if (rows[0]?.mine !== true) return null
    try {
      return await work(connection)
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${LEADER}, 0))`.execute(connection)
    }
  })
}

/** The oldest batch that was stamped and not acknowledged. */
export async function unfinishedBatch(db: Kysely<Tables>): Promise<string | null> {
  const row = await db.selectFrom('outbox').select('batch').where('batch', 'is not', null).orderBy('batch').limit(1).executeTakeFirst()
  return row?.batch ?? null
}

/** Makes a batch of what waits for one table, that of the oldest; null when nothing does. */
export async function stampBatch(db: Kysely<Tables>, size: number): Promise<string | null> {
  const { rows } = await sql<{ batch: string }>`
    with number as (select nextval('outbox_batch_number') as batch where exists (select from outbox where batch is null)),
         waiting as (
           select id from outbox
            where batch is null and target = (select target from outbox where batch is null order by id limit 1)
            order by id limit ${size})
    update outbox set batch = number.batch from number, waiting where outbox.id = waiting.id
    returning outbox.batch`.execute(db)
  return rows[0]?.batch ?? null
}

/** The facts of a batch in the order they were queued, and where they go. */
export async function readBatch(db: Kysely<Tables>, batch: string): Promise<{ target: FactTable; facts: Fact[] }> {
  const rows = await db.selectFrom('outbox').select(['fact', 'target']).where('batch', '=', batch).orderBy('id').execute()
  return { target: rows[0]?.target ?? 'conversion_fact', facts: rows.map((row) => row.fact as Fact) } // written by queueFacts and tell
}

/** Forgets a batch that has arrived, or everything for one table that the statement can see. */
export async function deleteBatch(db: Kysely<Tables>, of: { batch: string } | FactTable): Promise<void> {
  await (
    typeof of === 'string' ? db.deleteFrom('outbox').where('target', '=', of) : db.deleteFrom('outbox').where('batch', '=', of.batch)
  ).execute()
}

/** How many facts wait, and since when the oldest does; what the system page shows. */
export async function outboxLag(db: DbOrTrx): Promise<{ rows: number; oldest: Date | null }> {
  const row = await db
    .selectFrom('outbox')
    .select((select) => [select.fn.countAll<string>().as('rows'), select.fn.min('created_at').as('oldest')])
    .executeTakeFirstOrThrow()
  return { rows: Number(row.rows), oldest: row.oldest }
}

/** DateTime64(3) as ClickHouse reads it. */
function momentOf(at: Date): string {
  return at.toISOString().slice(0, 23).replace('T', ' ')
}
