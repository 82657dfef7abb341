import type { FileStore } from '#server/platform/files/store.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { deleteUnowned, knownFiles } from './file.queries.ts'

/** Long enough for a form that stands open, and for the backup that is being written. */
const KEPT_UNOWNED = 24 * 3_600_000

/** Deletes pictures nothing has shown for a day, and bytes that never became or no longer are a file. */
export async function sweepFiles({ db, store }: { db: Db; store: FileStore }, now: number): Promise<void> {
  await deleteUnowned(db, new Date(now - KEPT_UNOWNED))
  const names = await store.namesBefore(now - KEPT_UNOWNED)
  const known = await knownFiles(
    db,
    names.filter((name) => !name.endsWith('.part')),
  )
  for (const name of names) if (!known.has(name)) await store.remove(name)
}
