import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { bookCells, conversionsAfter, factCells, insertFacts, makeNextFacts, takeNextFacts, type FactCell } from './fact.queries.ts'
import { asLeader, deleteBatch, factOf } from './outbox.queries.ts'
import { sendOutbox } from './outbox.service.ts'

/**
 * Refills the facts from PostgreSQL, as if every conversion had been made in its present state, and answers how many.
 * Nothing else moves facts meanwhile; reports see the old rows until the new ones are complete. When it fails half-way,
 * run it again. Waits until whoever sends facts has finished its batch.
 */
export async function rebuildFacts(db: Db, clickhouse: Clickhouse): Promise<number | null> {
  return asLeader(
    db,
    async (connection) => {
      await makeNextFacts(clickhouse, 'conversion_fact')
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
          await deleteBatch(trx, 'conversion_fact')
          await takeNextFacts(clickhouse, 'conversion_fact')
          return rows
        })
    },
    true,
  )
}

/**
 * Compares the facts with PostgreSQL, cell by cell, while nothing moves facts; answers where they differ (PostgreSQL
 * minus facts). What still waits in the outbox counts as sent; a batch that may have arrived is sent again before. Null
 * when another process leads.
 */
export async function compareFacts(db: Db, clickhouse: Clickhouse): Promise<FactCell[] | null> {
  if ((await sendOutbox(db, clickhouse)) === null) return null
  return asLeader(db, async (connection) => {
    const expected = await bookCells(connection)
    const found = new Map((await factCells(clickhouse)).map((cell) => [keyOf(cell), cell]))
    const differences: FactCell[] = []
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

function keyOf(cell: Pick<FactCell, 'offer' | 'status' | 'currency'>): string {
  return `${cell.offer} ${cell.status} ${cell.currency}`
}

function minus(left: FactCell, right: FactCell): FactCell | null {
  const conversions = BigInt(left.conversions) - BigInt(right.conversions)
  const payout = toUnits(left.payout) - toUnits(right.payout)
  const revenue = toUnits(left.revenue) - toUnits(right.revenue)
  if (conversions === 0n && payout === 0n && revenue === 0n) return null
  return { ...left, conversions: String(conversions), payout: fromUnits(payout), revenue: fromUnits(revenue) }
}
