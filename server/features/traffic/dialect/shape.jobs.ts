import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { shapeOf } from '#server/rules/conversion/dialect/shape.ts'
import { listShapeless, setShapes } from './shape.queries.ts'

/** So many at a time, and in one run: the next one goes on. */
const BATCH = 500
const MOST = 10_000

/** Gives kept calls that have none the shape they are grouped by, so that the inbox shows them. Answers how many. */
export async function shapeKeptCalls(db: Db): Promise<number> {
  let shaped = 0
  while (shaped < MOST) {
    const calls = await listShapeless(db, BATCH)
    await setShapes(
      db,
      calls.map(({ id, click_id, ...call }) => ({ id, shape: shapeOf(call, click_id) })),
    )
    shaped += calls.length
    if (calls.length < BATCH) break
  }
  if (shaped > 0) log.info({ shaped }, 'kept calls were given their shape')
  return shaped
}
