import { sql, type Kysely, type Selectable } from 'kysely'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { insertRowsOnce } from '#server/platform/clickhouse/insert-once.ts'
import type { Tables } from '#server/platform/pg/database.ts'
import type { Fact, FactTable } from './outbox.queries.ts'

const PAGE = 20_000

/** Inserts facts as one block that arrives once, whatever is sent again under the same token. */
export async function insertFacts(clickhouse: Clickhouse, table: string, facts: readonly Fact[], token: string): Promise<void> {
  const [first] = facts
  if (first === undefined) return
  await insertRowsOnce(clickhouse, { table, columns: Object.keys(first), rows: facts, token })
}

/** Makes an empty table beside the facts, `<table>_next`. */
export async function makeNextFacts(clickhouse: Clickhouse, table: FactTable): Promise<void> {
  await clickhouse.command({ query: `DROP TABLE IF EXISTS ${table}_next SYNC` })
  await clickhouse.command({ query: `CREATE TABLE ${table}_next AS ${table}` })
}

/** Puts that table in place of the facts, at one moment for whoever reads. */
export async function takeNextFacts(clickhouse: Clickhouse, table: FactTable): Promise<void> {
  await clickhouse.command({ query: `EXCHANGE TABLES ${table} AND ${table}_next` })
  await clickhouse.command({ query: `DROP TABLE ${table}_next SYNC` })
}

/** The next page of all conversions, by number. */
export function conversionsAfter(db: Kysely<Tables>, id: string): Promise<Selectable<Tables['conversion']>[]> {
  return db.selectFrom('conversion').selectAll().where('id', '>', id).orderBy('id').limit(PAGE).execute()
}

/** Conversions and money of one offer, status and currency. */
export type FactCell = { offer: number; status: string; currency: string; conversions: string; payout: string; revenue: string }

/** The cells of the facts. */
export async function factCells(clickhouse: Clickhouse): Promise<FactCell[]> {
  const answer = await clickhouse.query({
    query: `SELECT offer, status, currency, toString(sum(f.sign)) AS conversions, toString(sum(f.sign * f.payout)) AS payout, toString(sum(f.sign * f.revenue)) AS revenue
                FROM conversion_fact AS f
               GROUP BY offer, status, currency
              HAVING sum(f.sign) != 0 OR sum(f.sign * f.payout) != 0 OR sum(f.sign * f.revenue) != 0`,
    format: 'JSONEachRow',
  })
  return answer.json<FactCell>()
}

/** The cells of the books, less what is queued but not sent: one statement, so one moment. */
export async function bookCells(db: Kysely<Tables>): Promise<FactCell[]> {
  const { rows } = await sql<FactCell>`
    select offer, status, currency, sum(conversions)::text as conversions, sum(payout)::text as payout, sum(revenue)::text as revenue
      from (
        select offer_id as offer, status, currency, count(*) as conversions, sum(payout) as payout, sum(revenue) as revenue from conversion group by 1, 2, 3
        union all
        select (fact->>'offer')::int, fact->>'status', fact->>'currency', -(fact->>'sign')::int,
               -(fact->>'sign')::int * (fact->>'payout')::numeric, -(fact->>'sign')::int * (fact->>'revenue')::numeric from outbox where target = 'conversion_fact'
      ) as parts
     group by 1, 2, 3 having sum(conversions) <> 0 or sum(payout) <> 0 or sum(revenue) <> 0`.execute(db)
  return rows
}
