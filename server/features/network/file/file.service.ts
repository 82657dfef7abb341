import { createHash, randomUUID } from 'node:crypto'
import { can } from '#contract/access.ts'
import { FILE_KINDS, type FileKind } from '#contract/network/file.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import { readPicture } from '#server/platform/files/picture.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { countUnowned, giveFile, insertFile, lockUploads, releaseOthers } from './file.queries.ts'

/** Enough for the longest form; more would let one account fill the disk. */
const MOST_UNOWNED = 50

/** Keeps a picture until something shows it. Throws `forbidden`, `unsupported_media`, `limit_reached`. */
export async function keepPicture(
  { db, store }: { db: Db; store: FileStore },
  now: number,
  actor: Actor,
  kind: FileKind,
  bytes: Uint8Array,
): Promise<{ uuid: string; width: number; height: number }> {
  if (!can(actor.role, FILE_KINDS[kind])) throw new AppError('forbidden')
  // no work for nothing; what counts is counted again below
  if ((await countUnowned(db, actor.accountId)) >= MOST_UNOWNED) throw new AppError('limit_reached')
  const picture = await readPicture(bytes)
  if (picture === null) throw new AppError('unsupported_media')
  const { webp, ...size } = picture
  const uuid = randomUUID()
  await db.transaction().execute(async (trx) => {
    await lockUploads(trx, actor.accountId)
    if ((await countUnowned(trx, actor.accountId)) >= MOST_UNOWNED) throw new AppError('limit_reached')
    // the bytes first: a row without them would be a broken picture, bytes without a row are swept away
    await store.save(uuid, webp)
    await insertFile(trx, {
      uuid,
      kind,
      content_type: 'image/webp',
      size: webp.length,
      sha256: createHash('sha256').update(webp).digest('hex'),
      ...size,
      owner_id: null,
      unowned_since: new Date(now),
      created_by: actor.accountId,
      created_at: new Date(now),
    })
  })
  return { uuid, ...size }
}

/**
 * Makes a picture the only one of a row; null takes the row's picture away. In the transaction that saves the row, which
 * names it in `field`. Throws `unknown_reference` unless the actor uploaded it or the row has it already.
 */
export async function showPicture(
  trx: Trx,
  now: number,
  actor: Actor,
  picture: { kind: FileKind; ownerId: number; uuid: string | null; field: string },
): Promise<void> {
  const { kind, ownerId, uuid, field } = picture
  if (uuid !== null && !(await giveFile(trx, actor.accountId, kind, uuid, ownerId)))
    throw new AppError('unknown_reference', { fields: { [field]: 'Upload the picture again' } })
  await releaseOthers(trx, now, kind, ownerId, uuid)
}
