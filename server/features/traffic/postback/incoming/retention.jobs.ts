import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { deleteIncomingBefore } from './incoming.queries.ts'
import { deleteStraysBefore } from './stray-path.queries.ts'

const DAY = 86_400_000
const BATCH = 5_000

/** Deletes incoming postbacks and counts of strangers' calls older than the general settings say, in batches, so that none holds up those that come. Answers how many. */
export async function deleteOldPostbacks(db: Db, now: number): Promise<number> {
  const { postback_days } = await getGeneralSettings(db)
  let deleted = 0
  for (;;) {
    const count = await deleteIncomingBefore(db, new Date(now - postback_days * DAY), BATCH)
    deleted += count
    if (count < BATCH) break
  }
  await deleteStraysBefore(db, new Date(now - postback_days * DAY).toISOString().slice(0, 10))
  if (deleted > 0) log.info({ deleted }, 'old postbacks were deleted')
  return deleted
}
