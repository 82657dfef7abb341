import type { Db } from '#server/platform/pg/database.ts'

const DAY = 86_400_000
/** As for clicks: nobody needs a visitor's address and User-Agent longer than advertisers may dispute. */
const KEPT_DAYS = 90

/** Clears addresses and User-Agents of conversions older than 90 days; everything else stays. Answers how many rows. */
export async function clearAddresses(db: Db, now: number): Promise<number> {
  const result = await db
    .updateTable('conversion')
    .set({ ip: '', ua: '' })
    .where('created_at', '<', new Date(now - KEPT_DAYS * DAY))
    .where((where) => where.or([where('ip', '<>', ''), where('ua', '<>', '')]))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}
