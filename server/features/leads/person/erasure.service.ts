import { clearClicksOf } from '#server/features/traffic/click/privacy.queries.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import { leaseErasures, settleErasure } from './erase.queries.ts'

/** Statistics rewrite what they hold of a month for any number of clicks. */
const AT_ONCE = 200
const LEASE = 10 * 60_000
/** A click may be on its way to statistics when its person is erased. */
const AGAIN = 60 * 60_000

/** Takes people who were erased out of their clicks in statistics: at once, and once more an hour later; answers whether there may be more. */
export async function forgetClicks(db: Db, clickhouse: Clickhouse, now: number): Promise<boolean> {
  const due = await leaseErasures(db, new Date(now), new Date(now + LEASE), AT_ONCE)
  if (due.length === 0) return false
  const keys = await loadClickKeys(db, now)
  await clearClicksOf(
    clickhouse,
    due.flatMap(({ clicks }) => clicks).flatMap((id) => readClickId(id, keys) ?? []),
  )
  for (const { person_id, passes } of due) await settleErasure(db, person_id, passes + 1, passes === 0 ? new Date(now + AGAIN) : null)
  return due.length === AT_ONCE
}
