import { sql } from 'kysely'
import type { Series } from '#contract/money/series.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** In which years each series has a number. */
export async function begunYears(db: DbOrTrx): Promise<{ series: Series; year: number }[]> {
  const { rows } = await sql<{ series: Series; year: number }>`
    select distinct substring(series from '^[A-Z]+') as series, right(series, 4)::int as year from number_series order by 1, 2`.execute(db)
  return rows
}

/**
 * The next number of a series, without gaps: its row is locked until the transaction ends, and a rollback gives the number back.
 * Undefined where the series has one of a later day.
 */
export async function nextNumber(trx: Trx, series: string, day: string): Promise<number | undefined> {
  const { rows } = await sql<{ last: number }>`
    insert into number_series as s (series, last, last_day) values (${series}, 1, ${day}::date)
    on conflict (series) do update set last = s.last + 1, last_day = excluded.last_day where s.last_day <= excluded.last_day
    returning last`.execute(trx)
  return rows[0]?.last
}
