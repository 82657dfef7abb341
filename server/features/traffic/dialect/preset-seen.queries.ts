import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Notes that a real call was taken in the words of a preset. */
export async function notePresetSeen(db: DbOrTrx, preset: string, now: number): Promise<void> {
  await db
    .insertInto('preset_seen')
    .values({ preset, seen_at: new Date(now) })
    .onConflict((conflict) => conflict.column('preset').doNothing())
    .execute()
}

/** When the first real call in the words of each preset was taken. */
export async function listPresetsSeen(db: DbOrTrx): Promise<Map<string, Date>> {
  const rows = await db.selectFrom('preset_seen').select(['preset', 'seen_at']).execute()
  return new Map(rows.map(({ preset, seen_at }) => [preset, seen_at]))
}
