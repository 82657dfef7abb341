import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Active landings whose look is due, each taken by one worker: whoever dies with it leaves it for `again`. */
export function takeDue(db: DbOrTrx, now: number, again: number, count: number) {
  return db
    .updateTable('landing')
    .set({ next_check_at: new Date(again) })
    .where(
      sql<boolean>`id in (select id from landing where status = 'active' and next_check_at <= ${new Date(now)}
        order by next_check_at limit ${count} for update skip locked)`,
    )
    .returning(['id', 'url'])
    .execute()
}

/** Keeps what a look found, unless the landing has another address by now. */
export async function saveCheck(
  db: DbOrTrx,
  landing: { id: number; url: string },
  found: { checked_at: Date; check_status: number | null; check_error: string; next_check_at: Date },
  works: boolean,
): Promise<void> {
  await db
    .updateTable('landing')
    .set({ ...found, failures: works ? 0 : sql<number>`failures + 1` })
    .where('id', '=', landing.id)
    .where('url', '=', landing.url)
    .execute()
}
