import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { insertFacts, makeNextFacts, takeNextFacts } from '#server/features/traffic/fact/fact.queries.ts'
import { asLeader, deleteBatch } from '#server/features/traffic/fact/outbox.queries.ts'
import { toldAfter } from './session-fact.queries.ts'
import { LEAD_ROLL_UPS } from '#server/statistics/lead-source.ts'
import { factsOf } from '#server/rules/lead/session-fact.ts'

const PAGE = 5_000

/**
 * Refills the facts of sessions and their roll-ups from PostgreSQL with what statistics were told of each, and answers how many rows; what changes
 * meanwhile follows as deltas. Reports see the old rows until the new ones are complete. Null when another process leads.
 */
export async function rebuildSessionFacts(db: Db, clickhouse: Clickhouse): Promise<number | null> {
  return asLeader(
    db,
    async (connection) => {
      await makeNextFacts(clickhouse, 'session_fact', LEAD_ROLL_UPS)
      const run = crypto.randomUUID()
      return connection
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (trx) => {
          let rows = 0
          for (let after = '0', page = await toldAfter(trx, after, PAGE); page.length > 0; page = await toldAfter(trx, after, PAGE)) {
            const facts = page.flatMap((session) => factsOf(session, session.state).map((fact) => ({ sign: 1, ...fact })))
            await insertFacts(clickhouse, 'session_fact_next', facts, `rebuild-${run}-${after}`)
            rows += facts.length
            after = page.at(-1)?.id ?? after
          }
          // what waited is part of the states read above
          await deleteBatch(trx, 'session_fact')
          await takeNextFacts(clickhouse, 'session_fact', LEAD_ROLL_UPS)
          return rows
        })
    },
    true,
  )
}
