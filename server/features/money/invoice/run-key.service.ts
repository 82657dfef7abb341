import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { findRun } from './run.queries.ts'

/** The run a call made, whose key is its own. Throws `conflict` where it asked for something else. */
export async function runOfKey(db: DbOrTrx, key: string, asked: string): Promise<string | undefined> {
  const run = await findRun(db, key)
  if (run !== undefined && run.asked !== null && run.asked !== asked) throw new AppError('conflict')
  return run?.uuid
}
