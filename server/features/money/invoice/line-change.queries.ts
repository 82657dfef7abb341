import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { lineChange } from '#contract/money/line-change.ts'

export type LineChange = z.input<typeof lineChange>

/** What conversion `c` of a line was changed by last, as `lineChange` has it; nothing where it is not asked for. */
export function lastChange(isAsked: boolean): RawBuilder<LineChange | null> {
  if (!isAsked) return sql`null::json`
  return sql`(select json_build_object('at', to_char(h.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'origin', h.origin,
      'by', coalesce(a.name, ''), 'reason', h.reason)
    from conversion_history h left join account a on a.id = h.actor_id where h.conversion_id = c.id order by h.seq desc limit 1)`
}
