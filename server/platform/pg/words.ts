import { sql, type RawBuilder } from 'kysely'

/** Words of ours as a statement writes them, not as its parameters: so the planner knows which partial index they belong to. */
export function words(all: readonly string[]): RawBuilder<unknown> {
  return sql.join(all.map((one) => sql.lit(one)))
}
