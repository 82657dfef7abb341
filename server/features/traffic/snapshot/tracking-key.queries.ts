import { randomBytes } from 'node:crypto'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { SnapshotKeys } from '#server/rules/offer/snapshot.ts'

/**
 * The keys of click ids and of the visitor hash. What is missing is made: the first key of click ids, and a visitor key
 * for this month (UTC), so that visitors of different months cannot be joined. Whoever comes second reads what the first made.
 */
export async function ensureTrackingKeys(db: DbOrTrx, now: number): Promise<SnapshotKeys> {
  const month = `${new Date(now).toISOString().slice(0, 7)}-01`
  const found = await readKeys(db, month)
  if (found !== null) return found
  if ((await db.selectFrom('tracking_key').select('version').limit(1).executeTakeFirst()) === undefined) {
    await db
      .insertInto('tracking_key')
      .values({ version: 1, mac: randomBytes(16), mask: randomBytes(16), created_at: new Date(now) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await db
    .insertInto('visitor_key')
    .values({ month, key: randomBytes(16) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await readKeys(db, month)
  if (made === null) throw new Error('the keys of click ids are missing')
  return made
}

async function readKeys(db: DbOrTrx, month: string): Promise<SnapshotKeys | null> {
  const [keys, visitor] = [
    await db.selectFrom('tracking_key').select(['version', 'mac', 'mask']).orderBy('version').execute(),
    await db.selectFrom('visitor_key').select('key').where('month', '=', month).executeTakeFirst(),
  ]
  const current = keys.at(-1)
  if (current === undefined || visitor === undefined) return null
  return {
    current: current.version,
    keys: keys.map((key) => ({ version: key.version, mac: key.mac.toString('hex'), mask: key.mask.toString('hex') })),
    visitor: visitor.key.toString('hex'),
  }
}
