import { createHash, randomUUID } from 'node:crypto'
import { can } from '#contract/access.ts'
import { FILE_KINDS, type FileKind } from '#contract/network/file.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import { readPicture, type Picture } from '#server/platform/files/picture.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { countUnowned, giveFile, insertFile, lockUploads, releaseOthers } from './file.queries.ts'

/** Enough for the longest form; more would let one account fill the disk. */
const MOST_UNOWNED = 50

/** Reading what is no picture costs as much as reading one. */
const MOST_REFUSED = 60
const AN_HOUR = 3_600_000

/** Takes the tries of an account; what it answers takes one back that succeeded. */
export type RefusedLimit = (accountId: number, now: number) => () => void

/** Counts refused uploads, and those that go on, by account in this process. Throws `too_many_attempts` above 60 an hour. */
export function openRefusedLimit(): RefusedLimit {
  const tries = new Map<number, { at: number }[]>()
  return (accountId, now) => {
    const recent = (tries.get(accountId) ?? []).filter(({ at }) => at > now - AN_HOUR)
    const [first] = recent
    if (first !== undefined && recent.length >= MOST_REFUSED)
      throw new AppError('too_many_attempts', { retryAfter: Math.ceil((first.at + AN_HOUR - now) / 1000) })
    const made = { at: now }
    tries.set(accountId, [...recent, made])
    return () => {
      const left = (tries.get(accountId) ?? []).filter((one) => one !== made)
      if (left.length > 0) tries.set(accountId, left)
      else tries.delete(accountId)
    }
  }
}

/** Keeps a picture until something shows it. Throws `forbidden`, `unsupported_media`, `limit_reached`, `too_many_attempts`. */
export async function keepPicture(
  { db, store, limit }: { db: Db; store: FileStore; limit: RefusedLimit },
  now: number,
  actor: Actor,
  kind: FileKind,
  bytes: Uint8Array,
): Promise<{ uuid: string; width: number; height: number }> {
  if (!can(actor.role, FILE_KINDS[kind])) throw new AppError('forbidden')
  // no work for nothing; what counts is counted again below
  if ((await countUnowned(db, actor.accountId)) >= MOST_UNOWNED) throw new AppError('limit_reached')
  const succeeded = limit(actor.accountId, now)
  const picture = await readPicture(bytes)
  if (picture === null) throw new AppError('unsupported_media')
  succeeded()
  return keepRead({ db, store }, now, actor, kind, picture)
}

/** Keeps a picture as `readPicture` answered it; `keepPicture` asks before whether the actor may. Throws `limit_reached`. */
export async function keepRead(
  { db, store }: { db: Db; store: FileStore },
  now: number,
  actor: Actor,
  kind: FileKind,
  { webp, ...size }: Picture,
): Promise<{ uuid: string; width: number; height: number }> {
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
