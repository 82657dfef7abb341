import type { Db } from '#server/platform/pg/database.ts'
import { runNextRule } from './run.service.ts'

/** Runs rules whose turn it is, one after the other; several workers may: one has the turn at a time. */
export function runColdRules(db: Db, now: number): Promise<'more' | 'done'> {
  return runNextRule(db, now)
}
