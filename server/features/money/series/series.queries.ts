import { sql } from 'kysely'
import type { Series } from '#contract/money/series.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** In which years each series has a number. */
export async function begunYears(db: DbOrTrx): Promise<{ series: Series; year: number }[]> {
  const { rows } = await sql<{ series: Series; year: number }>`
    select distinct substring(series from '^[A-Z]+') as series, right(series, 4)::int as year from number_series order by 1, 2`.execute(db)
  return rows
}
