import { sql } from 'kysely'
import { NEEDS_MAPPING } from '#contract/traffic/postback-outcome.ts'

/** Of incoming postbacks `p`: refused for what a mapping would settle, and not a stranger's. */
export function needsMapping() {
  return sql<boolean>`(p.outcome = 'refused' and not p.stranger and p.reason = any(${[...NEEDS_MAPPING]}::text[]))`
}
