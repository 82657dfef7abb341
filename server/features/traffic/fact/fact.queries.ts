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

/** Makes an empty table beside the facts, `<table>_next`, and one beside each of their roll-ups that is filled with it. */
export async function makeNextFacts(clickhouse: Clickhouse, table: FactTable, rollUps: readonly string[] = []): Promise<void> {
  const run = (query: string) => clickhouse.command({ query })
  for (const rollUp of rollUps) await run(`DROP TABLE IF EXISTS ${rollUp}_next_fill SYNC`)
  for (const name of [table, ...rollUps]) {
    await run(`DROP TABLE IF EXISTS ${name}_next SYNC`)
    await run(`CREATE TABLE ${name}_next AS ${name}`)
  }
  for (const rollUp of rollUps) {
    const answer = await clickhouse.query({
      query: 'SELECT as_select FROM system.tables WHERE database = currentDatabase() AND name = {fill:String}',
      query_params: { fill: `${rollUp}_fill` },
      format: 'JSONEachRow',
    })
    const [view] = await answer.json<{ as_select: string }>()
    if (view === undefined) throw new Error(`nothing fills ${rollUp}`)
    const select = view.as_select.replace(new RegExp(`\\b${table}\\b`), `${table}_next`)
    await run(`CREATE MATERIALIZED VIEW ${rollUp}_next_fill TO ${rollUp}_next AS ${select}`)
  }
}

/** Puts those tables in place of the facts and their roll-ups; views fill what bears the name they were made for. */
export async function takeNextFacts(clickhouse: Clickhouse, table: FactTable, rollUps: readonly string[] = []): Promise<void> {
  for (const rollUp of rollUps) await clickhouse.command({ query: `DROP TABLE ${rollUp}_next_fill SYNC` })
  const all = [table, ...rollUps]
  await clickhouse.command({ query: `EXCHANGE TABLES ${all.map((name) => `${name} AND ${name}_next`).join(', ')}` })
  for (const name of all) await clickhouse.command({ query: `DROP TABLE ${name}_next SYNC` })
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
