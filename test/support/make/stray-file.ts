import { randomUUID } from 'node:crypto'
import type { Db } from '#server/platform/pg/database.ts'

/** A file somebody uploaded and nothing holds yet. */
export function makeStrayFile(db: Db, createdBy: number, now: number) {
  return db
    .insertInto('file')
    .values({
      uuid: randomUUID(),
      kind: 'landing',
      content_type: 'image/webp',
      size: 1,
      sha256: '',
      width: 1,
      height: 1,
      owner_id: null,
      unowned_since: new Date(now),
      created_by: createdBy,
      created_at: new Date(now),
    })
    .returning('uuid')
    .executeTakeFirstOrThrow()
}
