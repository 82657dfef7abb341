import type { Kysely } from 'kysely'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db, Tables } from '#server/platform/pg/database.ts'
import { insertFacts } from './fact.queries.ts'
import { asLeader, deleteBatch, readBatch, stampBatch, unfinishedBatch } from './outbox.queries.ts'

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

async function sendBatch(db: Kysely<Tables>, clickhouse: Clickhouse, batch: string): Promise<number> {
  const { target, facts } = await readBatch(db, batch)
  await insertFacts(clickhouse, target, facts, `outbox-${batch}`)
  await deleteBatch(db, { batch })
  return facts.length
}
