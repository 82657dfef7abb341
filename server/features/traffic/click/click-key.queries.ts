import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { readClickIdKeys, type ClickIdKeys } from '#server/rules/click/click-id.ts'

/** The keys of click ids, and from when each was the current one. */
export type DatedKeys = { keys: ClickIdKeys; since: readonly { version: number; at: number }[] }

/** All keys of click ids; null before the first was made. */
export async function clickIdKeys(db: DbOrTrx): Promise<DatedKeys | null> {
  const rows = await db.selectFrom('tracking_key').select(['version', 'mac', 'mask', 'created_at']).orderBy('version').execute()
  const newest = rows.at(-1)
  if (newest === undefined) return null
  const keys = readClickIdKeys({
    current: newest.version,
    keys: rows.map((row) => ({ version: row.version, mac: row.mac.toString('hex'), mask: row.mask.toString('hex') })),
  })
  return { keys, since: rows.map((row) => ({ version: row.version, at: row.created_at.getTime() })) }
}

/** The keys with the one current that was so at a moment; the first key also covers what was imported from before it. */
export function keysAt({ keys, since }: DatedKeys, at: number): ClickIdKeys | null {
  const version = since.findLast((key) => key.at <= at)?.version ?? since[0]?.version
  return version === undefined ? null : { ...keys, current: version }
}
