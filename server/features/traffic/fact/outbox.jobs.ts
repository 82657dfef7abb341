import { sql, type Kysely } from 'kysely'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { insertRowsOnce } from '#server/platform/clickhouse/insert-once.ts'
import type { Db, Tables } from '#server/platform/pg/database.ts'
import type { Fact } from './outbox.queries.ts'

/** The advisory lock of the one who may move facts. */
const LEADER = 'outbox leader'

/**
 * Sends waiting facts to ClickHouse, one batch after the other, and answers how many rows arrived. A batch is stamped
 * and committed before it is sent, goes out in the order of its ids under the token `outbox-<batch>`, and is deleted
 * once acknowledged: whatever is sent again after a crash is the same block, which ClickHouse recognises.
 * Null when another process leads.
 */
export async function sendOutbox(db: Db, clickhouse: Clickhouse, batchSize = 5_000): Promise<number | null> {
  return asLeader(db, async (connection) => {
    let sent = 0
    for (;;) {
      const batch = (await unfinishedBatch(connection)) ?? (await stampBatch(connection, batchSize))
      if (batch === null) return sent
      sent += await sendBatch(connection, clickhouse, batch)
    }
  })
}

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

async function unfinishedBatch(db: Kysely<Tables>): Promise<string | null> {
  const row = await db.selectFrom('outbox').select('batch').where('batch', 'is not', null).orderBy('batch').limit(1).executeTakeFirst()
  return row?.batch ?? null
}

async function stampBatch(db: Kysely<Tables>, size: number): Promise<string | null> {
  const { rows } = await sql<{ batch: string }>`
    with number as (select nextval('outbox_batch_number') as batch where exists (select from outbox where batch is null)),
         waiting as (select id from outbox where batch is null order by id limit ${size})
    update outbox set batch = number.batch from number, waiting where outbox.id = waiting.id
    returning outbox.batch`.execute(db)
  return rows[0]?.batch ?? null
}

async function sendBatch(db: Kysely<Tables>, clickhouse: Clickhouse, batch: string): Promise<number> {
  const rows = await db.selectFrom('outbox').select('fact').where('batch', '=', batch).orderBy('id').execute()
  await insertFacts(
    clickhouse,
    'conversion_fact',
    rows.map((row) => row.fact as Fact),
    `outbox-${batch}`,
  ) // written by queueFacts
  await db.deleteFrom('outbox').where('batch', '=', batch).execute()
  return rows.length
}

/** Inserts facts as one block that arrives once, whatever is sent again under the same token. */
export async function insertFacts(clickhouse: Clickhouse, table: string, facts: readonly Fact[], token: string): Promise<void> {
  const [first] = facts
  if (first === undefined) return
  await insertRowsOnce(clickhouse, { table, columns: Object.keys(first), rows: facts, token })
}
