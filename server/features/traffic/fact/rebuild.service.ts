import { sql, type Kysely, type Selectable } from 'kysely'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db, Tables } from '#server/platform/pg/database.ts'
import { asLeader, insertFacts, sendOutbox } from './outbox.jobs.ts'
import { factOf } from './outbox.queries.ts'

const PAGE = 20_000

/**
 * Refills the facts from PostgreSQL, as if every conversion had been made in its present state, and answers how many.
 * Nothing else moves facts meanwhile; reports see the old rows until the new ones are complete. When it fails half-way,
 * run it again. Waits until whoever sends facts has finished its batch.
 */
export async function rebuildFacts(db: Db, clickhouse: Clickhouse): Promise<number | null> {
  return asLeader(
    db,
    async (connection) => {
      await clickhouse.command({ query: 'DROP TABLE IF EXISTS conversion_fact_next SYNC' })
      await clickhouse.command({ query: 'CREATE TABLE conversion_fact_next AS conversion_fact' })
      const run = crypto.randomUUID()
      return connection
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (trx) => {
          let rows = 0
          for (let after = '0', page = await conversionsAfter(trx, after); page.length > 0; page = await conversionsAfter(trx, after)) {
            await insertFacts(
              clickhouse,
              'conversion_fact_next',
              page.map((row) => factOf(row, 1)),
              `rebuild-${run}-${after}`,
            )
            rows += page.length
            after = page.at(-1)?.id ?? after
          }
          // what waited is part of the states read above; what is queued from now on is not visible here and stays
          await trx.deleteFrom('outbox').execute()
          await clickhouse.command({ query: 'EXCHANGE TABLES conversion_fact AND conversion_fact_next' })
          await clickhouse.command({ query: 'DROP TABLE conversion_fact_next SYNC' })
          return rows
        })
    },
    true,
  )
}

/** A cell in which statistics and books differ: conversions and money of one offer, status and currency. */
export type Difference = { offer: number; status: string; currency: string; conversions: string; payout: string; revenue: string }

/**
 * Compares the facts with PostgreSQL, cell by cell, while nothing moves facts; answers where they differ (PostgreSQL
 * minus facts). What still waits in the outbox counts as sent; a batch that may have arrived is sent again before. Null
 * when another process leads.
 */
export async function compareFacts(db: Db, clickhouse: Clickhouse): Promise<Difference[] | null> {
  if ((await sendOutbox(db, clickhouse)) === null) return null
  return asLeader(db, async (connection) => {
    const expected = await expectedCells(connection)
    const answer = await clickhouse.query({
      query: `SELECT offer, status, currency, toString(sum(f.sign)) AS conversions, toString(sum(f.sign * f.payout)) AS payout, toString(sum(f.sign * f.revenue)) AS revenue
                FROM conversion_fact AS f
               GROUP BY offer, status, currency
              HAVING sum(f.sign) != 0 OR sum(f.sign * f.payout) != 0 OR sum(f.sign * f.revenue) != 0`,
      format: 'JSONEachRow',
    })
    const found = new Map((await answer.json<Difference>()).map((cell) => [keyOf(cell), cell]))
    const differences: Difference[] = []
    for (const cell of expected) {
      const other = found.get(keyOf(cell)) ?? { ...cell, conversions: '0', payout: '0', revenue: '0' }
      found.delete(keyOf(cell))
      const difference = minus(cell, other)
      if (difference !== null) differences.push(difference)
    }
    for (const cell of found.values()) {
      const difference = minus({ ...cell, conversions: '0', payout: '0', revenue: '0' }, cell)
      if (difference !== null) differences.push(difference)
    }
    return differences
  })
}

function conversionsAfter(db: Kysely<Tables>, id: string): Promise<Selectable<Tables['conversion']>[]> {
  return db.selectFrom('conversion').selectAll().where('id', '>', id).orderBy('id').limit(PAGE).execute()
}

/** PostgreSQL's cells less what is queued but not sent: one statement, so one moment. */
async function expectedCells(db: Kysely<Tables>): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    select offer, status, currency, sum(conversions)::text as conversions, sum(payout)::text as payout, sum(revenue)::text as revenue
      from (
        select offer_id as offer, status, currency, count(*) as conversions, sum(payout) as payout, sum(revenue) as revenue from conversion group by 1, 2, 3
        union all
        select (fact->>'offer')::int, fact->>'status', fact->>'currency', -(fact->>'sign')::int,
               -(fact->>'sign')::int * (fact->>'payout')::numeric, -(fact->>'sign')::int * (fact->>'revenue')::numeric from outbox
      ) as parts
     group by 1, 2, 3 having sum(conversions) <> 0 or sum(payout) <> 0 or sum(revenue) <> 0`.execute(db)
  return rows
}

function keyOf(cell: Pick<Difference, 'offer' | 'status' | 'currency'>): string {
  return `${cell.offer} ${cell.status} ${cell.currency}`
}

function minus(left: Difference, right: Difference): Difference | null {
  const conversions = BigInt(left.conversions) - BigInt(right.conversions)
  const payout = toUnits(left.payout) - toUnits(right.payout)
  const revenue = toUnits(left.revenue) - toUnits(right.revenue)
  if (conversions === 0n && payout === 0n && revenue === 0n) return null
  return { ...left, conversions: String(conversions), payout: fromUnits(payout), revenue: fromUnits(revenue) }
}
